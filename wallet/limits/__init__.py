"""A player's own limits and self-exclusions, and the refusals that limits, account or region cause."""
