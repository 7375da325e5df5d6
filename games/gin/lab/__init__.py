"""The parts of gin besides playing: help with a hand, records, the hand tool, puzzles, and the analysis of deals."""
