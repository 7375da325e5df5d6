"""REST: clubs and leaderboards."""
