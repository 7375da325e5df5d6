from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from secrets import compare_digest

from tables.models import (
    QueuePlace,
    Seat,
    Table,
)
from tables.seating.events import is_in_audience
from wallet.api import seat_balances, spendable
from wallet.money import Currency


@dataclass(frozen=True, slots=True)
class Waiting:
    """A table's waiting list, and this person's place in it from 1."""

    length: int
    place: int | None
    # What is put aside for the chair that is kept.
    hold_id: int | None = None


def waiting_for(*, table_id: int, user_id: int | None) -> Waiting:
    queue = QueuePlace.objects.filter(table_id=table_id).order_by("joined_at", "pk")
    places = list(queue.values_list("user_id", "hold_id"))
    for number, (waiting, hold_id) in enumerate(places, 1):
        if waiting == user_id:
            return Waiting(len(places), number, hold_id)
    return Waiting(len(places), None)


def purse_of(user_id: int, currency: Currency, waiting: Waiting) -> int:
    """Return the amount a player can bring to a table, with what is held for their chair there."""
    return spendable(user_id, currency, hold_id=waiting.hold_id)


def tables_of(user_id: int) -> list[int]:
    """Return the tables at which this player sits."""
    held = Seat.objects.filter(user_id=user_id, left_at__isnull=True)
    return list(held.order_by("pk").values_list("table_id", flat=True))


@dataclass(frozen=True, slots=True)
class TableSeen:
    """A table with who sits there, by seat, and their stacks by sitting."""

    table: Table
    chairs: Sequence[Seat]
    stacks: Mapping[int, int]


def table_seen_by(user_id: int, *, table_id: int, invite: str = "") -> TableSeen | None:
    """Return the table as this person may see it, or None where `may_see` refuses."""
    table = Table.objects.defer("state", "next_seed").filter(pk=table_id).first()
    if table is None or not _may_see(table, user_id, invite):
        return None
    sittings = Seat.objects.filter(table_id=table_id, left_at__isnull=True)
    chairs = list(sittings.select_related("user").order_by("number"))
    stacks = seat_balances([chair.pk for chair in chairs], currency=Currency(table.currency))
    return TableSeen(table, chairs, stacks)


def may_see(*, table_id: int, user_id: int | None, invite: str = "") -> bool:
    """Return whether this table exists for this person, who may be signed out.

    A private table exists for the player who opened it, for its players and queue, and for
    everybody with its code; one of a private event for the people of the event and with its code.
    For everybody else it does not exist. Its number tells nothing, as numbers can be counted
    through.
    """
    table = Table.objects.only("invite_code", "opened_by", "event_url").filter(pk=table_id).first()
    return table is not None and _may_see(table, user_id, invite)


def _may_see(table: Table, user_id: int | None, invite: str) -> bool:
    if not table.is_private or has_code(table, invite):
        return True
    if user_id is None:
        return False
    if table.is_of_event:
        return is_in_audience(table_id=table.pk, user_id=user_id)
    return (
        table.opened_by_id == user_id
        or table.sittings.filter(user_id=user_id, left_at__isnull=True).exists()
        # Nobody waits who has not shown the code.
        or table.queue.filter(user_id=user_id).exists()
    )


def has_code(table: Table, invite: str) -> bool:
    """Return whether this is the code of a private table. `invite` may be any text."""
    return compare_digest(table.invite_code.encode(), invite.encode(errors="surrogatepass"))


def invite_code(*, table_id: int, user_id: int | None) -> str:
    """The code of a private table, for who opened it, sits there or waits; otherwise empty."""
    code, _host = invitation_to(table_id=table_id, user_id=user_id)
    return code


def invitation_to(*, table_id: int, user_id: int | None, invite: str = "") -> tuple[str, str]:
    """The code of a private table and the name of who opened it, as `may_see` has it; else empty.

    A lesson is nobody else's: its code is not told.
    """
    tables = Table.objects.select_related("opened_by").filter(pk=table_id, is_lesson=False)
    table = tables.only("invite_code", "event_url", "opened_by__player_name").first()
    if table is None or not table.is_private or not _may_see(table, user_id, invite):
        return "", ""
    return table.invite_code, "" if table.opened_by is None else table.opened_by.player_name


def is_anybody_seated() -> bool:
    """Return whether anybody, person or bot, sits at any table."""
    return Seat.objects.filter(left_at=None).exists()
