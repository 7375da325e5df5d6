"""Rummikub: state, moves, scoring."""
