"""Bots for Indian rummy, which see only what their seat sees."""
