"""The player's page and file of entries."""
