"""Leagues: standings computed from stored matches, prizes paid by the house; leagues of clubs."""
