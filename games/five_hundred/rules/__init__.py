"""500 Rum: state, moves, scoring."""
