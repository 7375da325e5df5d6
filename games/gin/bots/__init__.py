"""Bots for gin, which see only what their seat sees."""
