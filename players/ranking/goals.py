"""Three small daily goals, the same for everybody, and streaks of days with at least one goal reached.

The goals are one match, one puzzle, and a third one that changes daily. Nothing can be won with them. Matches
for cash never count.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from django.db import connection
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from players.models import GoalDay
from players.ranking.achievements import MatchCompany, MatchFacts
from players.ranking.awards import Deals, find_facts
from tables.models import Match

# Longest streak that is counted, in days.
_LONGEST_STREAK: Final = 400
_THREE: Final = 3


@dataclass(frozen=True, slots=True)
class Goal:
    """A daily goal. `counts` tells whether a finished match reaches it, or is None for a goal without a match."""

    code: str
    text: str | Promise
    counts: Callable[[MatchFacts], bool] | None = None


_PLAY: Final = Goal("play", _("Finish a match"), lambda _facts: True)
_PUZZLE: Final = Goal("puzzle", _("Solve a puzzle"))
# One of these each day, in turn.
THIRD: Final = (
    Goal("win_deal", _("Win a deal"), lambda facts: bool(facts.won_deals)),
    Goal(
        "people",
        _("Finish a match without bots"),
        lambda facts: facts.company is MatchCompany.PEOPLE,
    ),
    Goal(
        "three",
        _("Finish a match with three or more at the table"),
        lambda facts: facts.players >= _THREE,
    ),
    Goal("win", _("Win a match"), lambda facts: facts.is_won),
)


def goals_on(day: date) -> tuple[Goal, Goal, Goal]:
    """Return the three goals of a day."""
    return _PLAY, _PUZZLE, THIRD[day.toordinal() % len(THIRD)]


# A goal that is reached again is stored once.
_REACH = """
INSERT INTO players_goal_day AS t (user_id, day, codes)
SELECT u, d, string_to_array(c, ' ') FROM unnest(%s::bigint[], %s::date[], %s::text[]) AS s(u, d, c)
ON CONFLICT (user_id, day) DO UPDATE SET codes = ARRAY(
  SELECT DISTINCT code FROM unnest(t.codes || excluded.codes) AS code ORDER BY code)"""


def record_matches(matches: Sequence[Match], deals: Deals) -> None:
    """Record the goals that these finished matches reach, on the day on which each match ended."""
    reached: defaultdict[tuple[int, date], set[str]] = defaultdict(set)
    for match in matches:
        assert match.ended_at is not None  # noqa: S101 - finished
        day = timezone.localdate(match.ended_at)
        for user, facts in find_facts(match, deals.get(match.pk, ())):
            codes = {goal.code for goal in goals_on(day) if goal.counts and goal.counts(facts)}
            if codes:
                reached[user, day] |= codes
    _reach(reached)


def record_puzzle(user_id: int, day: date) -> None:
    """Record that a player has solved a puzzle on this day."""
    _reach({(user_id, day): {_PUZZLE.code}})


def _reach(reached: Mapping[tuple[int, date], set[str]]) -> None:
    rows = [(user, day, " ".join(sorted(codes))) for (user, day), codes in sorted(reached.items())]
    if rows:
        with connection.cursor() as cursor:
            cursor.execute(_REACH, [list(column) for column in zip(*rows, strict=True)])


@dataclass(frozen=True, slots=True)
class Today:
    """Today's goals, whether each is reached, and the length of the streak in days."""

    goals: Sequence[tuple[Goal, bool]]
    streak: int


def get_today(user_id: int) -> Today:
    """Return a player's goals for today, and the length of their streak in days.

    If no goal has been reached today yet, the streak is counted up to yesterday.
    """
    today = timezone.localdate()
    days = GoalDay.objects.filter(user_id=user_id, day__gt=today - timedelta(days=_LONGEST_STREAK))
    codes = dict(days.values_list("day", "codes"))
    day = today if today in codes else today - timedelta(days=1)
    streak = 0
    while day in codes:
        streak += 1
        day -= timedelta(days=1)
    done = codes.get(today, ())
    return Today([(goal, goal.code in done) for goal in goals_on(today)], streak)
