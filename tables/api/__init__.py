"""REST: tables, sitting down and leaving, waiting lists, match history, leaderboards."""
