"""The parts of Indian rummy besides playing: help with a hand, records, the hand tool, puzzles and analysis."""
