"""Pages on which players withdraw their winnings."""

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core import signing
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.identity.selectors import latest_identity_check
from accounts.requests import PlayerRequest
from wallet.desk.cash_pages import where_cash_is_on
from wallet.ledger.balances import player_balances
from wallet.ledger.health import refuse_while_frozen
from wallet.models import Withdrawal
from wallet.refusals import WalletRefusal, WithdrawalsFrozen, WithdrawalsNotOpen
from wallet.withdrawals.forms import WithdrawalForm, read_withdrawal_token, withdrawal_token
from wallet.withdrawals.requesting import cancel_withdrawal, quote_withdrawal, request_withdrawal
from wallet.withdrawals.selectors import (
    left_today,
    withdrawal_of,
    withdrawal_policy,
    withdrawals_of,
)
from wallet.withdrawals.texts import EXPLANATIONS

_SHOWN = 50


@where_cash_is_on
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def withdrawals(request: PlayerRequest) -> HttpResponse:
    """Show past withdrawals and the form for more. The next page shows the tax."""
    form = WithdrawalForm(request.POST or None)
    if form.is_valid():
        try:
            quote = quote_withdrawal(
                user_id=request.user.pk, amount=form.cleaned_data["amount"], now=timezone.now()
            )
        except WalletRefusal as refusal:
            form.add_error("amount", str(refusal))
        else:
            token = withdrawal_token(request.user.pk, form.cleaned_data, quote)
            return redirect("wallet:withdrawal_review", token=token)
    return _page(request, form)


@where_cash_is_on
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required  # type: ignore[untyped-decorator] # allauth has no types
def review(request: PlayerRequest, token: str) -> HttpResponse:
    """Amount, tax and net before anything is committed, and the commitment. The player has
    proved a moment ago who they are."""
    try:
        wanted = read_withdrawal_token(request.user.pk, token)
    except signing.SignatureExpired:
        messages.error(request, _("This was too long ago; look at the amounts again."))
        return redirect("wallet:withdrawals")
    except signing.BadSignature as error:
        raise Http404 from error
    now = timezone.now()
    try:
        if request.method == "POST":
            begun = request_withdrawal(user_id=request.user.pk, wanted=wanted, now=now)
            messages.success(request, _("We have your request. The amount is put aside."))
            return redirect("wallet:withdrawal", reference=begun.reference)
        quote = quote_withdrawal(user_id=request.user.pk, amount=wanted.amount, now=now)
    except WalletRefusal as refusal:
        messages.error(request, str(refusal))
        return redirect("wallet:withdrawals")
    if quote.taxed.net != wanted.net:
        values = {"amount": wanted.amount, "pay_to": wanted.pay_to}
        return redirect(
            "wallet:withdrawal_review", token=withdrawal_token(request.user.pk, values, quote)
        )
    return render(request, "wallet/withdrawal_review.html", {"quote": quote, "wanted": wanted})


@where_cash_is_on
@login_required
def withdrawal(request: PlayerRequest, reference: str) -> HttpResponse:
    row = withdrawal_of(request.user.pk, reference=reference)
    if row is None:
        raise Http404
    explanation = EXPLANATIONS[Withdrawal.State(row.state)]
    return render(
        request, "wallet/withdrawal.html", {"withdrawal": row, "explanation": explanation}
    )


@where_cash_is_on
@login_required
@require_POST
def cancel(request: PlayerRequest, reference: str) -> HttpResponse:
    try:
        cancel_withdrawal(user_id=request.user.pk, reference=reference)
    except Withdrawal.DoesNotExist as error:
        raise Http404 from error
    except WalletRefusal as refusal:
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
        policy = withdrawal_policy(now)
        left = left_today(user_id, policy, at=now)
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
            "winnings": player_balances(user_id).cash.winnings,
            "check": latest_identity_check(user_id),
            "withdrawals": withdrawals_of(user_id)[:_SHOWN],
        },
    )
