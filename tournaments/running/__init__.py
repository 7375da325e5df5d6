"""The tick: asks the format for the next step and carries it out."""
