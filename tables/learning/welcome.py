"""The words with which a guest who has registered comes back to the table of the first deal."""

from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.people.closing import account_opened
from accounts.people.guests import has_been_guest
from tables.catalog import amount_text
from tables.models import Seat
from wallet.api import get_player_balances, get_seat_balances
from wallet.money import Currency

CHIPS: Final = Currency.CHIPS


def connect() -> None:
    account_opened.connect(welcome, dispatch_uid="tables.welcome")


def welcome(*, user_id: int, request: HttpRequest | None, **_signal: Any) -> None:
    """Tell a new account that has been a guest what it has kept, the stack at the table included."""
    if request is None or not has_been_guest(request.session, user_id):
        return
    seats = Seat.objects.filter(user=user_id, left_at=None, table__currency=CHIPS)
    at_tables = get_seat_balances(list(seats.values_list("pk", flat=True)), currency=CHIPS)
    chips = get_player_balances(user_id).chips + sum(at_tables.values())
    told = {"name": User.objects.get(pk=user_id).player_name, "chips": amount_text(chips, CHIPS)}
    sentence = (
        _(
            "Welcome, %(name)s. Your %(chips)s are kept, and so is your seat. Nothing goes on until you do."
        )
        if seats.filter(table__is_lesson=True).exists()
        else _("Welcome, %(name)s. Your %(chips)s are kept.")
    )
    messages.success(request, sentence % told)
