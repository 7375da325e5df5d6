"""Contract Rummy beside the play: help with a hand, records, the hand tool, and the analysis of deals."""
