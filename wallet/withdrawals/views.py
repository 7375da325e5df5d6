"""The pages on which players withdraw their winnings."""

import re
import uuid
from dataclasses import asdict
from typing import Any

from allauth.account.decorators import reauthentication_required
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core import signing
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from accounts.identity.services import get_latest_identity_check
from accounts.models.users import PlayerRequest
from core.refusals import Refusal
from wallet.cash import hide_without_cash
from wallet.desk.units import CashField
from wallet.ledger.balances import get_player_balances
from wallet.ledger.checks import refuse_while_frozen
from wallet.models import Withdrawal
from wallet.refusals import WithdrawalsFrozen, WithdrawalsNotOpen
from wallet.withdrawals.emails import EXPLANATIONS
from wallet.withdrawals.requesting import (
    WithdrawalQuote,
    WithdrawalRequest,
    cancel_withdrawal,
    compute_amount_left_today,
    find_withdrawal,
    get_withdrawal_policy,
    list_withdrawals,
    quote_withdrawal,
    request_withdrawal,
)

_SALT = "wallet.withdrawal"
_SHOWN_FOR = 3_600  # seconds
_UPI = re.compile(r"[A-Za-z0-9._-]{1,64}@[A-Za-z0-9.]{2,32}")


class WithdrawalForm(forms.Form):
    amount = CashField(label=gettext_lazy("Amount in rupees"), max_length=30)
    pay_to = forms.CharField(
        label=gettext_lazy("Your UPI address"),
        max_length=100,
        help_text=gettext_lazy("Where the money goes, such as name@bank."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "email"}),
    )

    def clean_pay_to(self) -> str:
        address: str = self.cleaned_data["pay_to"].strip()
        if not _UPI.fullmatch(address):
            raise forms.ValidationError(
                gettext_lazy("Enter a UPI address such as name@bank."), code="no_upi_address"
            )
        return address


def withdrawal_token(user_id: int, values: dict[str, Any], quote: WithdrawalQuote) -> str:
    """Return a signed token of the quoted withdrawal, for the next page to confirm."""
    wanted = WithdrawalRequest(
        reference=uuid.uuid4().hex,
        amount=values["amount"],
        net=quote.taxed.net,
        pay_to=values["pay_to"],
    )
    return signing.dumps({"user": user_id, **asdict(wanted)}, salt=_SALT, compress=True)


def read_withdrawal_token(user_id: int, token: str) -> WithdrawalRequest:
    """Read a token of this player. Raises signing.BadSignature, also if it is another player's or has expired."""
    values = signing.loads(token, salt=_SALT, max_age=_SHOWN_FOR)
    if values.pop("user") != user_id:
        raise signing.BadSignature("somebody else's")
    return WithdrawalRequest(**values)


_SHOWN = 50


@hide_without_cash
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def withdrawals(request: PlayerRequest) -> HttpResponse:
    """Show past withdrawals and the form for a new one. The next page shows the tax."""
    form = WithdrawalForm(request.POST or None)
    if form.is_valid():
        try:
            quote = quote_withdrawal(
                user_id=request.user.pk, amount=form.cleaned_data["amount"], now=timezone.now()
            )
        except Refusal as refusal:
            form.add_error("amount", str(refusal))
        else:
            token = withdrawal_token(request.user.pk, form.cleaned_data, quote)
            return redirect("wallet:withdrawal_review", token=token)
    return _page(request, form)


@hide_without_cash
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required  # type: ignore[untyped-decorator] # allauth has no types
def review(request: PlayerRequest, token: str) -> HttpResponse:
    """Show amount, tax and net, and accept the request. The player has just re-authenticated."""
    try:
        wanted = read_withdrawal_token(request.user.pk, token)
    except signing.SignatureExpired:
        messages.error(request, _("These amounts are no longer current; check them again."))
        return redirect("wallet:withdrawals")
    except signing.BadSignature as error:
        raise Http404 from error
    now = timezone.now()
    try:
        if request.method == "POST":
            begun = request_withdrawal(user_id=request.user.pk, wanted=wanted, now=now)
            messages.success(request, _("We have your request. The amount is set aside."))
            return redirect("wallet:withdrawal", reference=begun.reference)
        quote = quote_withdrawal(user_id=request.user.pk, amount=wanted.amount, now=now)
    except Refusal as refusal:
        messages.error(request, str(refusal))
        return redirect("wallet:withdrawals")
    if quote.taxed.net != wanted.net:
        values = {"amount": wanted.amount, "pay_to": wanted.pay_to}
        return redirect(
            "wallet:withdrawal_review", token=withdrawal_token(request.user.pk, values, quote)
        )
    return render(request, "wallet/withdrawal_review.html", {"quote": quote, "wanted": wanted})


@hide_without_cash
@login_required
def withdrawal(request: PlayerRequest, reference: str) -> HttpResponse:
    row = find_withdrawal(request.user.pk, reference=reference)
    if row is None:
        raise Http404
    explanation = EXPLANATIONS[Withdrawal.State(row.state)]
    return render(
        request, "wallet/withdrawal.html", {"withdrawal": row, "explanation": explanation}
    )


@hide_without_cash
@login_required
@require_POST
def cancel(request: PlayerRequest, reference: str) -> HttpResponse:
    try:
        cancel_withdrawal(user_id=request.user.pk, reference=reference)
    except Withdrawal.DoesNotExist as error:
        raise Http404 from error
    except Refusal as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("Cancelled. The amount is back in your winnings."))
    return redirect("wallet:withdrawal", reference=reference)


def _page(request: PlayerRequest, form: WithdrawalForm) -> HttpResponse:
    now = timezone.now()
    user_id = request.user.pk
    policy, left, closed = None, 0, ""
    try:
        refuse_while_frozen()
        policy = get_withdrawal_policy(now)
        left = compute_amount_left_today(user_id, policy, at=now)
    except (WithdrawalsFrozen, WithdrawalsNotOpen) as refusal:
        closed = str(refusal)
    return render(
        request,
        "wallet/withdrawals.html",
        {
            "form": form,
            "policy": policy,
            "left": left,
            "closed": closed,
            "winnings": get_player_balances(user_id).cash.winnings,
            "check": get_latest_identity_check(user_id),
            "withdrawals": list_withdrawals(user_id)[:_SHOWN],
        },
    )
