"""Pages for staff about matches: their deals, moves and money, cancelling a match, and correcting a finished one."""
