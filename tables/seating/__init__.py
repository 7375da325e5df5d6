"""Sitting down and getting up, the queue, opening and closing tables, tables of an event."""
