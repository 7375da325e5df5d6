"""Private tables: opening them, the host's actions, invitations and guests by link."""
