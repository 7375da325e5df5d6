"""Indian rummy beside the play: help with a hand, records, the hand tool, puzzles, and the analysis of deals."""
