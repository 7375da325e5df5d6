"""Ratings (Glicko-2), leaderboards, achievements, goals of the day, levels, rewards and seasons."""
