"""Contract Rummy: state, moves, scoring."""
