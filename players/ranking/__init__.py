"""Ratings (Glicko-2), leaderboards, achievements, daily goals, levels, rewards and seasons."""
