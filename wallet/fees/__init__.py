"""Fee schedules: entry fees and rake by format and stake, and how staff change them."""
