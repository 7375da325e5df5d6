"""Requests that give a player chips: opening an account, confirming its address, asking for practice chips."""

from typing import Any

from allauth.account.models import EmailAddress
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.models.users import PlayerRequest
from accounts.origins import read_origin
from core.refusals import Refusal
from wallet.chips.services import grant_welcome_chips
from wallet.chips.services import reload_chips as reload_chips_now
from wallet.money import Currency, format_amount


def greet(user_id: int, request: HttpRequest | None, **_signal: Any) -> None:
    """Grant a new account's welcome chips in the transaction that opens it.

    Chips are only for play, so the account needs no confirmed address. An account opened by staff has no
    request, so no browser or address is recorded for it.
    """
    if request is None:
        grant_welcome_chips(user_id=user_id)
    else:
        _grant(user_id, request, is_confirmed=False)


def greet_confirmed(request: HttpRequest, email_address: EmailAddress, **_signal: Any) -> None:
    """Grant the welcome chips when an address is confirmed, unless the account has already had them."""
    _grant(email_address.user_id, request, is_confirmed=True)


def _grant(user_id: int, request: HttpRequest, *, is_confirmed: bool) -> None:
    try:
        grant_welcome_chips(user_id=user_id, origin=read_origin(request), is_confirmed=is_confirmed)
    except Refusal as refusal:
        messages.warning(request, str(refusal))


@login_required
@require_POST
def reload_chips(request: PlayerRequest) -> HttpResponse:
    """Give the day's practice chips."""
    try:
        amount = reload_chips_now(
            user_id=request.user.pk, today=timezone.localdate(), origin=read_origin(request)
        )
    except Refusal as refusal:
        messages.error(request, str(refusal))
    else:
        chips = format_amount(amount, Currency.CHIPS)
        messages.success(request, _("You got %(chips)s practice chips.") % {"chips": chips})
    return redirect("wallet:statement")
