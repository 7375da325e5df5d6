"""The processes of one machine: a supervisor that imports the site once and forks them."""
