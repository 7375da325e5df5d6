"""Plain values: days on the site's clocks, numbers and codes that people type, JSON from others, marks in names."""
