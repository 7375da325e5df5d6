"""Counting every finished match once: in ratings, daily totals, chips won between players, and achievements.

This does not happen during a move. A periodic job looks for uncounted matches, so a lost run only costs
seconds. Many matches are counted in one transaction, in the order of their ends. If that fails, each is
counted in a transaction of its own.
"""

import logging
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models.functions import Now
from django.utils import timezone

from accounts.models import User
from core.database.advisory_locks import AdvisoryLock
from core.page_notices import hint_after_commit
from players.models import RatingChange
from players.ranking.awards import REACHED, award, find_deals
from players.ranking.glicko import Rating, rate_match
from players.ranking.goals import record_matches
from players.ranking.pairs import add_to_pairs
from players.ranking.seasons import follow_ratings, open_season
from tables.models import Match, MatchStatus, PlayerRating, Table
from wallet.money import Currency

logger = logging.getLogger(__name__)

# A match that ended earlier may be committed later, but by no more than this: moves are short.
SETTLES_WITHIN = timedelta(seconds=15)
# A rating period of Glicko-2.
PERIOD = timedelta(days=1)
COUNTED_TOGETHER = 200
# Well within a job's time limit; beat sends the next job before that.
SECONDS_A_RUN = 30


def count_matches() -> int:
    """Count finished matches, oldest first. Return how many matches were counted."""
    counted = 0
    failed: set[int] = set()
    until = time.monotonic() + SECONDS_A_RUN
    while time.monotonic() < until:
        ids = _list_next_matches(failed)
        if not ids:
            break
        try:
            number = _count(ids)
        except Exception:  # noqa: BLE001 - one by one the log names the match
            number = _count_one_by_one(ids, failed)
        if number is None:
            break
        counted += number
    return counted


def _count_one_by_one(ids: Sequence[int], failed: set[int]) -> int | None:
    counted = 0
    for match_id in ids:
        try:
            number = _count([match_id])
        except Exception:
            # One failing match must not block the others; the next tick retries it.
            logger.exception("match %s cannot be counted", match_id)
            failed.add(match_id)
            continue
        if number is None:
            return None
        counted += number
    return counted


def _list_next_matches(failed: Collection[int]) -> list[int]:
    ended = Match.objects.filter(
        status=MatchStatus.FINISHED, counted_at__isnull=True, ended_at__lt=Now() - SETTLES_WITHIN
    ).exclude(pk__in=failed)
    season = open_season()
    if season is not None:  # later matches belong to the next season and wait until it is open
        ended = ended.filter(ended_at__lt=season.ends_at)
    return list(ended.order_by("ended_at", "pk").values_list("pk", flat=True)[:COUNTED_TOGETHER])


@transaction.atomic
def _count(ids: Sequence[int]) -> int | None:
    """Count these matches. Return how many were counted, or None if another process is counting."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [AdvisoryLock.COUNTING_MATCHES])
        if not cursor.fetchone()[0]:
            return None
    matches = Match.objects.select_related("table").defer("table__state", "table__next_seed")
    uncounted = list(matches.filter(pk__in=ids, counted_at__isnull=True).order_by("ended_at", "pk"))
    follow_ratings(_rate([match for match in uncounted if _is_rated(match)], _get_people))
    # BOT accounts and people never meet in rated matches, so their ratings never mix.
    _rate(_of_bot_accounts(uncounted), _get_users)
    _add_to_days(
        [match for match in uncounted if _is_rated(match) or _counts_for_chips(match.table)]
    )
    add_to_pairs(uncounted)
    deals = find_deals([match.pk for match in uncounted])
    reached = award(uncounted, deals)
    record_matches(uncounted, deals)
    Match.objects.filter(pk__in=[match.pk for match in uncounted]).update(counted_at=Now())
    hint_after_commit(reached, REACHED)
    return len(uncounted)


def _get_people(match: Match) -> dict[int, int]:
    return {
        int(seat): player["user"] for seat, player in match.players.items() if not player["bot"]
    }


def _get_users(match: Match) -> dict[int, int]:
    return {int(seat): player["user"] for seat, player in match.players.items()}


def _of_bot_accounts(matches: Sequence[Match]) -> list[Match]:
    """Return the rated matches in which every player was a BOT account, and still is one."""
    found = [match for match in matches if match.is_rated and not _get_people(match)]
    if not found:
        return []
    users = {user for match in found for user in _get_users(match).values()}
    bots = set(
        User.objects.filter(pk__in=users, became_bot_at__isnull=False).values_list("pk", flat=True)
    )
    return [match for match in found if bots.issuperset(_get_users(match).values())]


def _is_rated(match: Match) -> bool:
    return match.is_rated and len(_get_people(match)) == len(match.players) > 1


def _counts_for_chips(table: Table) -> bool:
    """Return whether a table's matches count for the chips leaderboards.

    Practice, private and tournament tables do not: against bots or among friends chips could be won without
    limit.
    """
    is_open = not (table.is_practice or table.is_private or table.is_of_event)
    return is_open and table.currency == Currency.CHIPS


def _rate(
    matches: Sequence[Match], players: Callable[[Match], dict[int, int]]
) -> list[RatingChange]:
    """Rate these matches one after another, and return the rating changes.

    `players` returns a match's user ids by seat. Each change begins at the rating that the player had after their
    previous match.
    """
    ratings = _read_known_ratings({user for match in matches for user in players(match).values()})
    touched: dict[tuple[int, str, str], PlayerRating] = {}
    changes: list[RatingChange] = []
    for match in matches:
        assert match.ended_at is not None  # noqa: S101 - finished
        assert match.result is not None  # noqa: S101
        people, game = players(match), (match.table.game, match.format)
        rows = {seat: ratings.get((user, *game)) for seat, user in people.items()}
        before = {seat: _read_rating(row) for seat, row in rows.items()}
        periods = {
            seat: 0.0 if row is None else max(0.0, (match.ended_at - row.rated_at) / PERIOD)
            for seat, row in rows.items()
        }
        ranks = {seat: match.result["ranks"][str(seat)] for seat in people}
        after = rate_match(before, ranks, periods)
        for seat, user in people.items():
            changes.append(_change(match, user, before[seat], after[seat]))
            row = rows[seat]
            played = 1 if row is None else row.matches + 1
            ratings[user, *game] = touched[user, *game] = PlayerRating(
                user_id=user,
                game=match.table.game,
                format=match.format,
                matches=played,
                rated_at=match.ended_at,
                **_build_fields(after[seat]),
            )
    RatingChange.objects.bulk_create(changes)
    PlayerRating.objects.bulk_create(
        [touched[key] for key in sorted(touched)],
        update_conflicts=True,
        unique_fields=["user", "game", "format"],
        update_fields=["value", "deviation", "volatility", "matches", "rated_at"],
    )
    return changes


def _read_known_ratings(users: Collection[int]) -> dict[tuple[int, str, str], PlayerRating]:
    rows = PlayerRating.objects.filter(user__in=users)
    return {(row.user_id, row.game, row.format): row for row in rows}


def _change(match: Match, user: int, before: Rating, after: Rating) -> RatingChange:
    return RatingChange(
        match=match,
        user_id=user,
        game=match.table.game,
        format=match.format,
        value_before=before.value,
        deviation_before=before.deviation,
        **_build_fields(after),
    )


def _read_rating(row: PlayerRating | None) -> Rating:
    return Rating() if row is None else Rating(row.value, row.deviation, row.volatility)


def _build_fields(rating: Rating) -> dict[str, float]:
    return {
        "value": rating.value,
        "deviation": rating.deviation,
        "volatility": rating.volatility,
    }


_ADD_TO_DAYS = """
INSERT INTO players_daytotal AS t (game, format, day, user_id, chips, matches, rated_matches)
SELECT * FROM unnest(%s::text[], %s::text[], %s::date[], %s::bigint[], %s::bigint[], %s::int[], %s::int[])
ON CONFLICT (game, format, day, user_id) DO UPDATE SET
  chips = t.chips + excluded.chips, matches = t.matches + excluded.matches,
  rated_matches = t.rated_matches + excluded.rated_matches"""


def _add_to_days(matches: Sequence[Match]) -> None:
    totals: defaultdict[tuple[str, str, date, int], list[int]] = defaultdict(lambda: [0, 0, 0])
    for match in matches:
        assert match.ended_at is not None  # noqa: S101 - finished
        day, for_chips = timezone.localdate(match.ended_at), _counts_for_chips(match.table)
        amounts: Mapping[str, Any] = (match.settlement or {}).get("amounts", {})
        for seat, user in _get_people(match).items():
            total = totals[match.table.game, match.format, day, user]
            total[0] += amounts.get(str(seat), 0) if for_chips else 0
            total[1] += 1
            total[2] += int(_is_rated(match))
    if totals:
        rows = [(*key, *total) for key, total in sorted(totals.items())]
        with connection.cursor() as cursor:
            cursor.execute(_ADD_TO_DAYS, [list(column) for column in zip(*rows, strict=True)])
