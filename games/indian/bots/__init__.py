"""Bots for Indian rummy. Each sees only what its seat may see."""
