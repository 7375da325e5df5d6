"""The course of a match, the same for every game, and a game's interface for tables."""
