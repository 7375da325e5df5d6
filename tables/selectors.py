"""Reading tables for pages and sockets."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Count, Q

from tables.games.base import Instant
from tables.games.registry import get_game
from tables.models import Change, Match, MatchStatus, Seat, Table, TableStatus
from tables.seat_view import NOT_PLAYING, View, seats_view, table_view
from wallet import selectors as wallet_selectors
from wallet.money import Currency

# Somebody who missed more than this gets a snapshot instead: it is shorter.
LONGEST_CATCH_UP = 50


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything that one person may see of a table, at one version."""

    epoch: str
    version: int
    now: Instant
    seat: int | None
    state: View


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a table is, and where this person sits at it."""

    epoch: str
    version: int
    seat: int | None


def standing(*, table_id: int, user_id: int | None) -> Standing | None:
    table = Table.objects.filter(pk=table_id).values_list("epoch", "version").first()
    if table is None:
        return None
    sittings = Seat.objects.filter(table_id=table_id, left_at__isnull=True)
    mine = sittings.filter(user_id=user_id) if user_id is not None else sittings.none()
    return Standing(*table, seat=mine.values_list("number", flat=True).first())


def database_now() -> Instant:
    """Milliseconds of the database's clock, the only one that deadlines are compared with."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
        return int(cursor.fetchone()[0])


def snapshot(*, table_id: int, user_id: int | None) -> Snapshot | None:
    """None if there is no such table. Read once, so the version belongs to the state."""
    table = Table.objects.filter(pk=table_id).first()
    if table is None:
        return None
    sittings = list(Seat.objects.filter(table=table, left_at__isnull=True).select_related("user"))
    stacks = wallet_selectors.seat_balances(
        [sitting.pk for sitting in sittings], currency=Currency(table.currency)
    )
    seat = next((s.number for s in sittings if s.user_id == user_id), None)
    game = get_game(table.game)
    state = None if table.state is None else game.load(bytes(table.state))
    public = None if state is None else game.public_view(state)
    you: View = {"seat": seat, **NOT_PLAYING}
    if seat is not None:
        mine = next(s for s in sittings if s.number == seat)
        you |= {"auto_drop": seat in table.drop_seats, "last_deal": mine.is_last_deal}
    if state is not None and seat is not None and seat in game.members(state):
        you |= game.private_view(state, seat)
    return Snapshot(
        epoch=table.epoch,
        version=table.version,
        now=database_now(),
        seat=seat,
        state={
            "table": table_view(table),
            "seats": seats_view(table, sittings, stacks),
            "game": public,
            "rules": table.rules,
            "you": you,
        },
    )


def changes_since(*, table_id: int, version: int, seat: int | None) -> list[View] | None:
    """What this seat is told of every version after `version`; None if a snapshot is shorter."""
    rows = Change.objects.filter(table_id=table_id, version__gt=version).order_by("version")
    found = list(
        rows.values("version", "at_ms", "kind", "events", "patch", "private")[
            : LONGEST_CATCH_UP + 1
        ]
    )
    if len(found) > LONGEST_CATCH_UP or (found and found[0]["version"] != version + 1):
        return None
    return [
        change_for(
            seat,
            version=row["version"],
            at=row["at_ms"],
            events=row["events"],
            patch=row["patch"],
            private=row["private"],
        )
        for row in found
    ]


def change_for(
    seat: int | None,
    *,
    version: int | None,
    at: Instant,
    events: Sequence[Any],
    patch: Mapping[str, Any],
    private: Mapping[str, Any],
) -> View:
    """One change as this seat gets it."""
    change: View = {"v": version, "at": at, "events": events, "patch": patch}
    if seat is not None and str(seat) in private:
        change["you"] = private[str(seat)]
    return change


def versions(table_ids: Iterable[int]) -> tuple[dict[int, int], Instant]:
    """The newest version of each of these tables, and the database's time."""
    rows = Table.objects.filter(pk__in=list(table_ids)).values_list("pk", "version")
    return dict(rows), database_now()


@dataclass(frozen=True, slots=True)
class LobbyTable:
    table: Table
    seated: int
    bots: int


def lobby_tables() -> list[LobbyTable]:
    """Open tables with the number of people and bots at them, cheapest first."""
    tables = (
        Table.objects.filter(event_url="", invite_code="")
        .exclude(status=TableStatus.CLOSED)
        .defer("state", "next_seed")
        .order_by("variant", "currency", "point_value", "max_seats", "pk")
    )
    # Counted apart: a join would read every sitting that ever was.
    counts = (
        Seat.objects.filter(left_at__isnull=True)
        .values("table_id")
        .annotate(seated=Count("pk"), bots=Count("pk", filter=Q(user__is_bot=True)))
    )
    present = {row["table_id"]: (row["seated"], row["bots"]) for row in counts}
    return [LobbyTable(table, *present.get(table.pk, (0, 0))) for table in tables]


def matches_of(*, user_id: int, before: int | None, length: int) -> list[Match]:
    """The newest matches that this person has played to their end, below the number `before`."""
    matches = Match.objects.filter(status=MatchStatus.FINISHED, participants__contains=[user_id])
    if before is not None:
        matches = matches.filter(pk__lt=before)
    return list(matches.select_related("table").order_by("-pk")[:length])
