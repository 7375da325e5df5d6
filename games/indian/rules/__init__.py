"""Indian rummy: state, moves, scoring."""
