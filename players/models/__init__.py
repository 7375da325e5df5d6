"""Ratings, leaderboards, seasons, achievements and visits of players."""

from players.models.ranking import (
    AchievementMatch,
    Board,
    DayTotal,
    GoalDay,
    LastVisit,
    LeaderboardPlace,
    Period,
    PlayerAchievement,
    RankSeason,
    RatingChange,
    SeasonRank,
)

__all__ = [
    "AchievementMatch",
    "Board",
    "DayTotal",
    "GoalDay",
    "LastVisit",
    "LeaderboardPlace",
    "Period",
    "PlayerAchievement",
    "RankSeason",
    "RatingChange",
    "SeasonRank",
]
