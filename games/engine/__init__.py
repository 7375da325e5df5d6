"""The course of a match, which is the same for every game, and the interface between a game and its tables."""
