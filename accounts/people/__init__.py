"""Registration, the pages of a player's own account, freezing, closing, guests, practice bots and BOT accounts."""
