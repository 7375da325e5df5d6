"""Bots for gin. Each sees only what its seat may see."""
