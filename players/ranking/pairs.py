"""The chips that players have won from each other, day by day (tables/seating/companions.py).

They are updated together with ratings and totals, some seconds after a match has ended.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import combinations

from django.db import connection
from django.utils import timezone

from accounts.models.sessions import NOWHERE
from tables.models import Match, Seat
from tables.seating.companions import get_last_origins
from wallet.money import Currency

_ADD = """
INSERT INTO tables_chipspassed AS p (day, low_id, high_id, chips, one_origin)
SELECT * FROM unnest(%s::date[], %s::bigint[], %s::bigint[], %s::bigint[], %s::boolean[])
ON CONFLICT (day, low_id, high_id) DO UPDATE SET
  chips = p.chips + excluded.chips, one_origin = p.one_origin OR excluded.one_origin"""


# The day and the two users, the lower number first.
_Key = tuple[date, int, int]


@dataclass(slots=True)
class _Pair:
    chips: int = 0
    one_origin: bool = False
    is_paid: bool = False  # one of them has won chips from the other


def add_to_pairs(matches: Sequence[Match]) -> None:
    """Add the chips won in these finished matches, in the transaction that counts the matches."""
    played = [match for match in matches if match.table.currency == Currency.CHIPS]
    sittings = {
        player["sitting"]
        for match in played
        for player in match.players.values()
        if not player["bot"]
    }
    origins = {seat.pk: seat.origin for seat in Seat.objects.filter(pk__in=sittings)}
    pairs: defaultdict[_Key, _Pair] = defaultdict(_Pair)
    for match in played:
        assert match.ended_at is not None  # noqa: S101 - finished
        day = timezone.localdate(match.ended_at)
        amounts = {int(seat): n for seat, n in (match.settlement or {}).get("amounts", {}).items()}
        people = {int(seat): p for seat, p in match.players.items() if not p["bot"]}
        by_user = sorted((player["user"], seat) for seat, player in people.items())
        for (low, one), (high, other) in combinations(by_user, 2):
            pair = pairs[day, low, high]
            chips = chips_between(amounts, one, other)
            pair.chips += chips
            pair.is_paid |= chips != 0
            here, there = (origins[people[seat]["sitting"]] for seat in (one, other))
            pair.one_origin |= here.is_shared(there)
    _add(pairs)


def add_event_to_pairs(amounts: Mapping[int, int], *, people: Collection[int], day: date) -> None:
    """Add the chips that the people of an event have won from each other, in the transaction of its end.

    `amounts` are the net results by user id, bots included. An event's seats have no origin, so each person's
    last known origin is used.
    """
    origins = get_last_origins(people)
    pairs: dict[_Key, _Pair] = {}
    for low, high in combinations(sorted(people), 2):
        chips = chips_between(amounts, low, high)
        is_shared = origins.get(low, NOWHERE).is_shared(origins.get(high, NOWHERE))
        pairs[day, low, high] = _Pair(chips, one_origin=is_shared, is_paid=chips != 0)
    _add(pairs)


def _add(pairs: Mapping[_Key, _Pair]) -> None:
    rows = [
        (*key, pair.chips, pair.one_origin) for key, pair in sorted(pairs.items()) if pair.is_paid
    ]
    if rows:
        with connection.cursor() as cursor:
            cursor.execute(_ADD, [list(column) for column in zip(*rows, strict=True)])


def chips_between(amounts: Mapping[int, int], one: int, other: int) -> int:
    """Return the chips that the first seat has won from the second; negative if the second seat won.

    `amounts` are the net results by seat. A loser's chips go to the winners in proportion to their winnings,
    rounded down. The house's part is left out.
    """
    mine, theirs = amounts.get(one, 0), amounts.get(other, 0)
    if mine < 0 < theirs:
        return -chips_between(amounts, other, one)
    if not theirs < 0 < mine:
        return 0
    lost = -sum(amount for amount in amounts.values() if amount < 0)
    return mine * -theirs // lost
