"""Plain values: days on the site's clocks, whole numbers that people type, JSON from others, marks in names."""
