"""The parts of Rummikub besides playing: help with a rack, records, the hand tool, puzzles, and the analysis of a deal.
"""
