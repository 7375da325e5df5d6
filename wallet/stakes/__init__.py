"""Paying from a player's wallet with cash from three buckets, and giving entry fees back."""
