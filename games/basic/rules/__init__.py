"""Basic rummy: state, moves, scoring."""
