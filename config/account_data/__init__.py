"""A player's data across apps: the export, closing an account, removing guests."""
