"""Puzzles from finished deals: making, answering and rating them, and the puzzle rush."""
