"""The processing of a move: lock, play, apply, store, announce. Also the start and the end of a match."""
