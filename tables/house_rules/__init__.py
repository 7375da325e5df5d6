"""Descriptions of a match's rules, and a form with every rule of a game."""
