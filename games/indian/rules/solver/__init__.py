"""The solver for the best arrangement of a hand."""
