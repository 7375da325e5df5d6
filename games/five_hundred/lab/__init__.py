"""500 Rum beside the play: records of deals, and players' help for each other."""
