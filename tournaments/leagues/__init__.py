"""Leagues: standings computed from stored matches, prizes paid by the house, and leagues of clubs."""
