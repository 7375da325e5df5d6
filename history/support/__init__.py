"""Players' questions to the staff, about a deal or anything else, and reports of players from pages."""
