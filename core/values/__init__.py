"""Plain values: local days, numbers and codes that people type, JSON from others, isolating marks in names."""
