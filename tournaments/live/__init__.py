"""The socket of a tournament's page."""
