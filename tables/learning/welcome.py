"""The welcome of a guest who has registered: what the new account keeps, and the redirect to the welcome page."""

from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpRequest
from django.urls import reverse

from accounts.people.adapter import get_remembered_path, remember_path
from accounts.people.closing import account_opened
from accounts.people.guests import has_been_guest
from tables.catalog import amount_text
from tables.models import Seat, TableStatus
from wallet.api import get_player_balances, get_seat_balances
from wallet.money import Currency

CHIPS: Final = Currency.CHIPS


@dataclass(frozen=True)
class Kept:
    """The table and the chips that a new account keeps from its time as a guest."""

    table_name: str
    is_lesson: bool
    deal_runs: bool
    chips: str  # with the stacks at tables, as a text with its unit

    @property
    def others_go_on(self) -> bool:
        """Whether other players at the table wait for this player's move. At a lesson there are none."""
        return self.deal_runs and not self.is_lesson


def connect() -> None:
    account_opened.connect(lead_to_welcome, dispatch_uid="tables.welcome")


def lead_to_welcome(*, user_id: int, request: HttpRequest | None, **_signal: Any) -> None:
    """Send a guest who has just registered to the welcome page of their table.

    If the session already remembers a page to show next, that page is kept.
    """
    if request is None or not has_been_guest(request.session, user_id):
        return
    seat = Seat.objects.filter(user=user_id, left_at=None).order_by("-pk").first()
    if seat is not None and not get_remembered_path(request.session):
        remember_path(request.session, reverse("tables:welcome", args=[seat.table_id]))


def find_kept(*, user_id: int, table_id: int) -> Kept | None:
    """Return the table and the chips that the player keeps, or None if they have no seat at this table."""
    seats = Seat.objects.filter(user=user_id, left_at=None)
    own = seats.select_related("table").filter(table=table_id).first()
    if own is None:
        return None
    of_chips = seats.filter(table__currency=CHIPS).values_list("pk", flat=True)
    stacks = get_seat_balances(list(of_chips), currency=CHIPS)
    return Kept(
        table_name=own.table.name,
        is_lesson=own.table.is_lesson,
        deal_runs=own.table.status in {TableStatus.STARTING, TableStatus.PLAYING},
        chips=amount_text(get_player_balances(user_id).chips + sum(stacks.values()), CHIPS),
    )
