"""Rummikub beside the play: help with a rack, records, the hand tool, puzzles, and the analysis of deals."""
