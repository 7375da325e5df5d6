"""Pages for staff about tables, templates and house rules, and figures of play."""
