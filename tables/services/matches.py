"""Where a match begins and ends: who plays, what it is settled for, who goes."""

START_PAUSE_MS = 5_000
BETWEEN_PAUSE_MS = 10_000
LEAST_PLAYERS = 2
"""...to be continued in this module"""
