"""The regions of players, and the law there."""
