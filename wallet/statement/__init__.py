"""A player's account statement: its page and its file."""
