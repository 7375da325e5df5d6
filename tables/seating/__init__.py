"""Sitting down and getting up, waiting lists, opening and closing tables, and tables of an event."""
