"""Bots for basic rummy, which see only what their seat sees."""
