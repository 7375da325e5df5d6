"""The parts of Contract Rummy besides playing: help with a hand, records, the hand tool, and the analysis of deals."""
