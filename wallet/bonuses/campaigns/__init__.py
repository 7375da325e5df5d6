"""Bonuses by code, and for players who invite friends: each with bounds, all through the ledger."""
