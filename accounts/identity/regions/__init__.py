"""Where players live, and what is allowed there."""
