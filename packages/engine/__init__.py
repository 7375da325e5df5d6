"""The parts of the engine's wheel that are not in `games`."""
