"""Players' requests about a deal or anything else, and reports of players from pages."""
