"""A player's own limits and self-exclusions, and refusing what they, the account or the region forbid."""
