"""Bots for Contract Rummy. Each sees only what its seat may see."""
