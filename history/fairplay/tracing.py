"""Traces every finished match once, that is, measures how its players affected each other (docs/fair-play.md).

A tick looks for untraced matches, so a lost run only costs some seconds. Any number of runs share the work. Each run
takes a random choice of the oldest untraced matches, and skips a match that another run is tracing.
"""

import hashlib
import hmac
import logging
import secrets
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime, timedelta
from random import SystemRandom
from typing import Final

from allauth.usersessions.models import UserSession
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from accounts.models import User
from games.engine.game import PairSums
from games.registry import get_game
from history.models import MatchTrace, SittingKey, SittingTrace
from history.records import deal_record
from tables.models import Deal, Match, MatchStatus

logger = logging.getLogger(__name__)

_KEY_DAYS: Final = 30
_BYTES: Final = 16
# A session belongs to a match if it was last used no earlier than this before the end.
_SEEN_WITHIN: Final = timedelta(hours=6)


def record_sittings(user_ids: Iterable[int]) -> None:
    """Record the addresses and devices from which these people are signed in.

    Call it when a match of theirs has just ended.
    """
    lately = timezone.now() - _SEEN_WITHIN
    sessions = UserSession.objects.filter(user_id__in=list(user_ids), last_seen_at__gt=lately)
    places = {(row.user_id, str(row.ip), row.user_agent) for row in sessions}
    if not places:
        return
    key = key_on(timezone.now().date())
    secret = bytes(key.secret)
    rows = [
        SittingTrace(
            user_id=user_id,
            key=key,
            address_hash=_hash(secret, "address", address),
            device_hash=_hash(secret, "device", device),
            seen_at=Now(),
        )
        for user_id, address, device in sorted(places)
    ]
    SittingTrace.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["user", "key", "address_hash", "device_hash"],
        update_fields=["seen_at"],
    )


def key_on(day: date) -> SittingKey:
    """Return the key with which addresses and devices are hashed on this day.

    It changes every 30 days, and is deleted with the last hash that was made with it. Accounts can be compared only
    within one key's period.
    """
    began_on = date.fromordinal(day.toordinal() // _KEY_DAYS * _KEY_DAYS)
    key, _ = SittingKey.objects.get_or_create(
        began_on=began_on, defaults={"secret": secrets.token_bytes(32)}
    )
    return key


def _hash(secret: bytes, what: str, text: str) -> bytes:
    return hmac.digest(secret, f"{what}:{text}".encode(), hashlib.sha256)[:_BYTES]


def forget_old_sittings(oldest: datetime) -> int:
    """Delete sittings before `oldest`, and keys that no hash uses any more. Return the number of sittings deleted."""
    gone = SittingTrace.objects.filter(seen_at__lt=oldest).delete()[0]
    over = oldest.date() - timedelta(days=_KEY_DAYS)
    SittingKey.objects.filter(began_on__lt=over).exclude(
        pk__in=SittingTrace.objects.values("key")
    ).delete()
    return gone


@dataclass(frozen=True, slots=True)
class Shared:
    """Counts of the addresses that two people share. `with_device` counts those with the same kind of device.

    `others` is the number of other people at these addresses: a mobile network has one address for thousands.
    """

    addresses: int
    with_device: int
    others: int


def find_shared_places(low_id: int, high_id: int) -> Shared:
    mine, yours = (
        {
            (row.key_id, bytes(row.address_hash), bytes(row.device_hash))
            for row in SittingTrace.objects.filter(user_id=user_id)
        }
        for user_id in (low_id, high_id)
    )
    common = {place[:2] for place in mine} & {place[:2] for place in yours}
    others: set[int] = set()
    for key_id, address in common:
        users = SittingTrace.objects.filter(key_id=key_id, address_hash=address)
        others.update(users.values_list("user_id", flat=True))
    return Shared(
        len(common), len({place[:2] for place in mine & yours}), len(others - {low_id, high_id})
    )


# How long traces, and the marks of addresses and devices, are kept.
KEPT: Final = timedelta(days=90)
_AT_ONCE: Final = 20
# Pick among this many of the oldest: fifty concurrent runs rarely collide.
_LOOKED_AT: Final = 1_000
# Well within a job's time limit. Beat sends the next job long before that (`schedule`), so that as many
# share the work as there are workers.
SECONDS_A_RUN: Final = 60

Pair = tuple[int, int]


def trace_matches() -> int:
    """Trace finished matches. Return the number traced. Stop early if other runs are tracing all remaining ones."""
    traced, oldest = 0, timezone.now() - KEPT
    failed: set[int] = set()
    until = time.monotonic() + SECONDS_A_RUN
    while time.monotonic() < until:
        waiting = _find_waiting(oldest, failed)
        some = SystemRandom().sample(list(waiting), min(_AT_ONCE, len(waiting)))
        done = _trace(some, failed, until)
        traced += done
        if not done and not failed.intersection(some):
            break
        # Older matches are done, or another run has them: this run does not look for them again.
        oldest = next(iter(waiting.values()))
    return traced


def _find_waiting(oldest: datetime, failed: Collection[int]) -> Mapping[int, datetime]:
    """Return a mapping from untraced match to the time when it ended. It begins with the matches that ended first."""
    ended = Match.objects.filter(
        status=MatchStatus.FINISHED, traced_at__isnull=True, ended_at__gte=oldest
    ).exclude(pk__in=failed)
    in_order = ended.order_by("ended_at", "pk").values_list("pk", "ended_at")[:_LOOKED_AT]
    return {match_id: ended_at for match_id, ended_at in in_order if ended_at is not None}


def _trace(match_ids: Sequence[int], failed: set[int], until: float) -> int:
    """Trace these matches while time remains. Return the number traced. Failing matches are added to `failed`."""
    traced = 0
    for match_id in match_ids:
        try:
            traced += trace_match(match_id)
        except Exception:
            # One failing match must not block the others; the next tick retries it.
            logger.exception("match %s cannot be traced", match_id)
            failed.add(match_id)
        if time.monotonic() > until:
            break
    return traced


def trace_match(match_id: int) -> bool:
    """Trace a match. Return whether this call traced it."""
    with transaction.atomic():
        # Lock first, so that nothing else is read of a match that another run has.
        table_id = Match.objects.filter(pk=match_id).values_list("table_id", flat=True).first()
        own = Match.objects.filter(pk=match_id, table=table_id)
        taken = own.select_for_update(no_key=True, skip_locked=True)
        if not taken.filter(traced_at__isnull=True).exists():
            return False
        matches = Match.objects.select_related("table").defer("table__state", "table__next_seed")
        match = matches.get(pk=match_id)
        people = list_people(match)
        sums = _compute_sums(match) if len(set(people.values())) > 1 else {}
        MatchTrace.objects.bulk_create(_build_rows(match, people, sums))
        record_sittings(people.values())
        own.update(traced_at=Now())
    return True


def list_people(match: Match) -> dict[int, int]:
    """Return a mapping from seat to user id, without bots."""
    return {
        int(seat): player["user"] for seat, player in match.players.items() if not player["bot"]
    }


def _compute_sums(match: Match) -> Mapping[Pair, PairSums]:
    """Return how much each player helped each other player in the match, as sums by (giver's seat, taker's seat).

    The mapping is empty if the game does not compute such sums, or if collusion would be pointless in the match
    (practice, a lesson, or a free hosted table).
    """
    fair_play = get_game(match.table.game).fair_play
    table = match.table
    plays_for_nothing = table.is_hosted and table.is_free  # friends who help each other
    if fair_play is None or table.is_practice or table.is_lesson or plays_for_nothing:
        return {}
    numbers = Deal.objects.filter(match=match).order_by("number").values_list("number", flat=True)
    records = [deal_record(match_id=match.pk, number=number) for number in numbers]
    return fair_play.compute_sums([record for record in records if record is not None])


def _build_rows(
    match: Match, people: Mapping[int, int], sums: Mapping[Pair, PairSums]
) -> list[MatchTrace]:
    fair_play = get_game(match.table.game).fair_play
    if fair_play is None or match.ended_at is None:
        return []
    users = User.objects.filter(pk__in=people.values(), closed_at__isnull=True)
    there = set(users.values_list("pk", flat=True))
    return [
        MatchTrace(
            match=match,
            giver_id=people[giver],
            taker_id=people[taker],
            game=match.table.game,
            version=fair_play.version,
            ended_at=match.ended_at,
            **{**asdict(made), "feeding_others": list(made.feeding_others)},
        )
        for (giver, taker), made in sums.items()
        if {people.get(giver), people.get(taker)} <= there and people[giver] != people[taker]
    ]


def forget_old_traces(now: datetime | None = None) -> int:
    """Delete traces older than 90 days, traces of closed accounts, and old sittings.

    Return the number of rows deleted.
    """
    oldest = (now or timezone.now()) - KEPT
    closed = Q(giver__closed_at__isnull=False) | Q(taker__closed_at__isnull=False)
    traces = MatchTrace.objects.filter(Q(ended_at__lt=oldest) | closed)
    return traces.delete()[0] + forget_old_sittings(oldest)
