"""Gin rummy: state, moves, scoring."""
