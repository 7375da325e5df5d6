"""Bots for basic rummy. Each sees only what its seat may see."""
