"""The column beside the lobby and the tournaments: friends, clubs, the puzzle of the day and today's goals."""

from typing import Any

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from history.puzzles.answering import get_daily_puzzle
from history.puzzles.views import describe_hand
from players.clubs.selectors import list_clubs
from players.online import list_friends_online
from players.ranking.goals import Today, get_today
from players.ranking.levels import shows_progress
from tables.catalog import get_default_game


def build_side(user: User | AnonymousUser) -> dict[str, Any]:
    """Return the template context for the boxes of the side column."""
    daily = get_daily_puzzle(user.pk)
    return {
        "default_game": get_default_game().code,
        "online": list_friends_online(user.pk) if user.is_authenticated else [],
        "clubs": list_clubs(user.pk) if user.is_authenticated else [],
        "daily_puzzle": daily,
        "puzzle_cards": [] if daily is None else describe_hand(daily.puzzle),
        "today": _get_goals(user),
    }


def _get_goals(user: User | AnonymousUser) -> Today | None:
    """Return today's goals.

    Return None for visitors, for players who turned goals off, and for players who have set limits of their
    own.
    """
    return get_today(user.pk) if user.is_authenticated and shows_progress(user) else None
