"""The pages of matches, replays and analyses."""
