"""The parts of basic rummy besides playing: help with a hand, records, the hand tool, and the analysis of deals."""
