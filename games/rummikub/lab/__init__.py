"""The parts of Rummikub besides playing: help with a rack, records, the hand tool, puzzles, and deal analysis."""
