"""Bots for Contract Rummy, which see only what their seat sees."""
