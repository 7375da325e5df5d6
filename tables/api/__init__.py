"""REST: tables, sitting down and leaving, waiting lists, what was played, who plays best."""
