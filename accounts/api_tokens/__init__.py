"""API tokens for players' own programs, and OAuth for third-party programs, with or without a browser."""
