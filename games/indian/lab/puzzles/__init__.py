"""Puzzles made from deals of Indian rummy."""
