"""The tick: it asks the format for the next step and carries it out."""
