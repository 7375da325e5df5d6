"""Tokens for players' programs, and OAuth for other people's programs, also without a browser."""
