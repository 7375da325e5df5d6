"""Clubs with their chat, tables, weekly evening, league and season."""
