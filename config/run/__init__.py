"""The processes of one machine: a supervisor imports the site once and forks them."""
