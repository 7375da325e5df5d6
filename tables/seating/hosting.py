"""Decisions of a player at their own table: the start of a private one, the strength of practice bots."""

from contextlib import suppress

from django.db import transaction

from accounts.models.sessions import NOWHERE, Origin
from tables.models import BotStrength, Seat, Table, TableStatus
from tables.play.change import Change
from tables.play.lock import lock_table
from tables.play.seat_view import host_of
from tables.play.seats import LEAST_PLAYERS, save_seating
from tables.play.start import start_by_host
from tables.refusals import (
    MatchRunning,
    NoPractice,
    NotAlone,
    NotSeated,
    NotTheHost,
    TableNotFound,
    TableOutOfOrder,
    TooFewPlayers,
)
from tables.seating.supply import play_now


def chooses_bot_strength(*, table_id: int, user_id: int | None) -> bool:
    """Return whether this player may choose now."""
    table = Table.objects.filter(pk=table_id).first()
    return table is not None and table.is_practice and _people_at(table_id) == [user_id]


@transaction.atomic
def choose_bot_strength(*, table_id: int, user_id: int, strength: BotStrength) -> None:
    """Set the strength of the bots from their next move on.

    Raises TableNotFound, NoPractice, NotSeated, or NotAlone while another person plays there.
    """
    if lock_table(table_id) is None:
        raise TableNotFound
    table = Table.objects.get(pk=table_id)
    people = _people_at(table_id)
    if user_id not in people:
        raise NotSeated
    if not table.is_practice:
        raise NoPractice
    if people != [user_id]:
        raise NotAlone
    Table.objects.filter(pk=table_id).update(bot_strength=strength)


@transaction.atomic
def play_now_with_bots(
    *, template_id: int, user_id: int, strength: BotStrength, origin: Origin = NOWHERE
) -> Change:
    """Run `play_now` and set the strength of the bots, if there are any and no other person.

    Both run in one transaction, so that no player takes a seat before the choice is stored.
    """
    change = play_now(template_id=template_id, user_id=user_id, origin=origin)
    with suppress(NoPractice, NotAlone):
        choose_bot_strength(table_id=change.table_id, user_id=user_id, strength=strength)
    return change


def _people_at(table_id: int) -> list[int]:
    seats = Seat.objects.filter(table=table_id, left_at=None, user__is_bot=False)
    return list(seats.values_list("user_id", flat=True))


@transaction.atomic
def start_table(*, table_id: int, user_id: int) -> Change:
    """Start the first match of a private table in a few seconds, with the players who are there.

    Raises TableNotFound, TableOutOfOrder, NotSeated, NotTheHost, MatchRunning or TooFewPlayers; then
    nothing has changed.
    """
    table = lock_table(table_id, user_id=user_id)
    row = Table.objects.get(pk=table_id) if table is not None else None
    if table is None or row is None or not row.is_hosted:
        raise TableNotFound
    if table.is_broken:
        raise TableOutOfOrder
    if table.seat is None:
        raise NotSeated
    sittings = list(row.sittings.filter(left_at__isnull=True).select_related("user"))
    host = host_of(row, sittings)
    if host is None or host.user_id != user_id:
        raise NotTheHost
    if row.status != TableStatus.WAITING:
        raise MatchRunning
    if len(sittings) < LEAST_PLAYERS:
        raise TooFewPlayers
    start_by_host(table, row)
    return save_seating(table, row, [{"kind": "starting"}])
