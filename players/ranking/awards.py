"""Counting finished matches towards achievements, each match once for each player."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from django.db import connection, transaction

from core.database.advisory_locks import AdvisoryLock
from games.engine.base import DEAL_ENDS
from players.models import AchievementMatch, PlayerAchievement
from players.ranking.achievements import (
    ACHIEVEMENTS,
    DealFacts,
    MatchCompany,
    MatchFacts,
    list_codes_met,
)
from tables.models import Change, Match, MatchStatus
from wallet.money import Currency

RECOUNTED_TOGETHER: Final = 200
REACHED: Final = "achievement"
"""The notice to open pages of a player who has reached a tier."""
_COLUMNS: Final = ("user_id", "code", "count", "tier", "reached_in_id", "reached_at")
Deals = Mapping[int, Sequence[DealFacts]]


def find_deals(match_ids: Collection[int]) -> Deals:
    """Return a mapping from match id to finished deals. The matches' changes must not be archived yet."""
    ends = Change.objects.filter(match__in=match_ids, events__contains=[{"kind": DEAL_ENDS}])
    deals: defaultdict[int, list[DealFacts]] = defaultdict(list)
    for match_id, events in ends.order_by("pk").values_list("match_id", "events"):
        deals[match_id] += deals_in(events)
    return deals


def deals_in(events: Iterable[Mapping[str, Any]]) -> Iterator[DealFacts]:
    """Yield the facts of the deals that end in the events of a change."""
    for event in events:
        if event["kind"] == DEAL_ENDS:
            points = {int(seat): lost for seat, lost in event["points"].items()}
            yield DealFacts(frozenset(event["winners"]), points, event.get("how", ""))


def find_facts(match: Match, deals: Sequence[DealFacts]) -> Iterator[tuple[int, MatchFacts]]:
    """Yield the user id of each person in a finished match, with the facts that achievements need.

    Cash matches, and players for whom a bot has played, are left out.
    """
    table = match.table
    if table.currency != Currency.CHIPS:
        return
    assert match.result is not None  # noqa: S101 - finished
    has_bots = any(player["bot"] for player in match.players.values())
    company = MatchCompany.BOTS if has_bots or table.is_practice else MatchCompany.PEOPLE
    for seat, player in match.players.items():
        if player["bot"] or player.get("stand_in"):
            continue
        yield (
            player["user"],
            MatchFacts(
                game=table.game,
                format=match.format,
                seat=int(seat),
                players=len(match.players),
                winners=frozenset(match.result["winners"]),
                rank=match.result["ranks"][seat],
                deals=deals,
                company=MatchCompany.LESSON if table.is_lesson else company,
                is_slow=table.is_slow,
                is_of_event=table.is_of_event,
            ),
        )


def award(matches: Sequence[Match], deals: Deals) -> set[int]:
    """Count these finished matches in the order of their ends. Return the ids of users who reached a tier.

    Matches that were counted before are ignored. The caller holds the counting lock.
    """
    found = AchievementMatch.objects.filter(match__in=[match.pk for match in matches])
    known = set(found.values_list("match_id", "user_id"))
    marks = [
        (match, AchievementMatch(match=match, user_id=user, codes=codes))
        for match in matches
        for user, facts in find_facts(match, deals.get(match.pk, ()))
        if (match.pk, user) not in known and (codes := list_codes_met(facts))
    ]
    AchievementMatch.objects.bulk_create([mark for _match, mark in marks])
    users = {mark.user_id for _match, mark in marks}
    rows = {
        (row["user_id"], row["code"]): PlayerAchievement(**row)
        for row in PlayerAchievement.objects.filter(user__in=users).values(*_COLUMNS)
    }
    touched = {}
    reached = set()
    for match, mark in marks:
        for code in mark.codes:
            key = (mark.user_id, code)
            row = rows.setdefault(key, PlayerAchievement(user_id=mark.user_id, code=code))
            touched[key] = row
            row.count += 1
            tier = ACHIEVEMENTS[code].tier_at(row.count)
            if tier > row.tier:
                row.tier, row.reached_in, row.reached_at = tier, match, match.ended_at
                reached.add(mark.user_id)
    PlayerAchievement.objects.bulk_create(
        [touched[key] for key in sorted(touched)],
        update_conflicts=True,
        unique_fields=["user", "code"],
        update_fields=["count", "tier", "reached_in", "reached_at"],
    )
    return reached


@transaction.atomic
def recount(deals_played: Callable[[Match], Sequence[DealFacts]]) -> int:
    """Recount all matches, archived ones included, after the achievements have changed. Return their number.

    Ratings and leaderboards are not updated meanwhile. `deals_played` returns the deals of a match, wherever
    its changes are stored.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [AdvisoryLock.COUNTING_MATCHES])
    AchievementMatch.objects.all().delete()
    PlayerAchievement.objects.all().delete()
    counted = Match.objects.filter(status=MatchStatus.FINISHED, counted_at__isnull=False)
    ids = list(counted.order_by("ended_at", "pk").values_list("pk", flat=True))
    for first in range(0, len(ids), RECOUNTED_TOGETHER):
        some = ids[first : first + RECOUNTED_TOGETHER]
        matches = Match.objects.select_related("table").defer("table__state", "table__next_seed")
        found = matches.in_bulk(some)
        award([found[pk] for pk in some], {pk: deals_played(found[pk]) for pk in some})
    return len(ids)
