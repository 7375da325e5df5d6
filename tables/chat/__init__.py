"""The chat of players and of spectators, and its moderation."""
