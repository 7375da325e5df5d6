"""The way of a move: lock, play, carry out, store, announce; the start and the end of a match."""
