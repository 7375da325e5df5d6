"""Pages for staff about matches: their deals, moves and money, voiding one, and correcting a finished one."""
