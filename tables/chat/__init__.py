"""The chat of players and of watchers, and its moderation."""
