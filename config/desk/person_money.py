"""A player's money on their staff page and in the list of players: balances, deposits, withdrawals, limits."""

import uuid
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import partial
from typing import Any, Final

from django import forms
from django.contrib import admin, messages
from django.contrib.admin import AdminSite
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.desk.figures import Figure, build_list_address
from accounts.desk.person_page import Panel, PlayerColumn, render_tool
from accounts.models import User
from core.administration.audit import build_staff, write_entry
from core.administration.cells import Cell
from core.administration.lists import format_moment
from core.administration.pages import LONGEST_REASON
from core.refusals import Refusal
from wallet import api as wallet
from wallet.api import MOST_CHIPS, cash_is_on, get_own_limits, get_player_balances
from wallet.desk.units import AmountField
from wallet.models import (
    AccountKind,
    Bonus,
    Deposit,
    LedgerAccount,
    Withdrawal,
)
from wallet.money import Currency, format_shown_amount, to_decimal, to_smallest

_CASH: Final = (AccountKind.BONUS, AccountKind.PLAYER, AccountKind.WINNINGS)
_WAITING: Final = (Withdrawal.State.REQUESTED, Withdrawal.State.NEEDS_SECOND)


def _format_rupees(paise: int) -> str:
    return format_shown_amount(paise, Currency.INR)


def panels_of_money(user: User) -> Sequence[Panel]:
    balances = get_player_balances(user.pk)
    figures = [Figure(_("Chips"), format_shown_amount(balances.chips, Currency.CHIPS))]
    if not cash_is_on():
        return [Panel("money", _("Money"), figures), _build_limits_panel(user)]
    cash = balances.cash
    figures += [
        Figure(_("Total cash"), _format_rupees(cash.total)),
        Figure(_("of which deposited"), _format_rupees(cash.deposit)),
        Figure(_("of which winnings"), _format_rupees(cash.winnings)),
        Figure(_("of which bonus"), _format_rupees(cash.bonus)),
        *_list_payments(user),
    ]
    return [Panel("money", _("Money"), figures), _build_limits_panel(user)]


def _list_payments(user: User) -> list[Figure]:
    came = Deposit.objects.filter(user=user, state=Deposit.State.PAID).aggregate(
        amount=Sum("amount", default=0), number=Count("pk")
    )
    paid, waits = Q(state=Withdrawal.State.PAID), Q(state__in=_WAITING)
    went = Withdrawal.objects.filter(user=user).aggregate(
        paid_out=Sum("amount", filter=paid, default=0),
        withheld=Sum("tax", filter=paid, default=0),
        number=Count("pk", filter=paid),
        waiting=Sum("amount", filter=waits, default=0),
        waiting_number=Count("pk", filter=waits),
    )
    given = Bonus.objects.filter(user=user).aggregate(amount=Sum("amount", default=0))
    own = {"user__id__exact": user.pk}
    return [
        Figure(
            _("Deposits"),
            f"{_format_rupees(came['amount'])} ({came['number']})",
            build_list_address("wallet_deposit", **own),
        ),
        Figure(
            _("Withdrawals paid"),
            f"{_format_rupees(went['paid_out'])} ({went['number']})",
            build_list_address("wallet_withdrawal", **own),
        ),
        Figure(
            _("Withdrawals waiting"),
            f"{_format_rupees(went['waiting'])} ({went['waiting_number']})",
            build_list_address("wallet_withdrawal", **own, state__in=",".join(_WAITING)),
            is_alarm=went["waiting_number"] > 0,
        ),
        Figure(_("Tax withheld"), _format_rupees(went["withheld"])),
        Figure(_("Bonuses given"), _format_rupees(given["amount"])),
    ]


def _build_limits_panel(user: User) -> Panel:
    limits = get_own_limits(user.pk, at=timezone.now())
    away = "-"
    if limits.exclusion is not None:
        until = limits.exclusion.until
        away = _("until %(time)s") % {"time": format_moment(until)} if until else _("for good")
    figures = [Figure(_("Self-exclusion"), away, is_alarm=limits.exclusion is not None)]
    for label, states in (
        (_("Deposit limit"), limits.deposits),
        (_("Loss limit"), limits.losses),
    ):
        figures += [
            Figure(f"{label}, {state.period.label}", _format_rupees(state.amount))
            for state in states
            if state.amount is not None
        ]
    figures += [
        Figure(
            _("Lost %(period)s") % {"period": period.label}
            if amount >= 0
            else _("Won %(period)s") % {"period": period.label},
            _format_rupees(abs(amount)),
        )
        for period, amount in limits.lost.items()
    ]
    return Panel("limits", _("Limits"), figures)


# --- The list of players --------------------------------------------------------------------------


def _list_chips(ids: Sequence[int]) -> Mapping[int, Cell]:
    return _list_balances(ids, [AccountKind.PLAYER], Currency.CHIPS)


def _list_cash(ids: Sequence[int]) -> Mapping[int, Cell]:
    return _list_balances(ids, _CASH, Currency.INR) if cash_is_on() else {}


def _list_balances(
    ids: Sequence[int], kinds: Sequence[AccountKind], currency: Currency
) -> Mapping[int, Cell]:
    accounts = LedgerAccount.objects.filter(
        kind__in=kinds, owner_id__in=ids, currency=currency, shard=0
    )
    sums = accounts.order_by().values_list("owner_id").annotate(Sum(F("balance")))
    return {owner: to_decimal(amount, currency) for owner, amount in sums}


def _sum_deposits(ids: Sequence[int]) -> Mapping[int, Cell]:
    if not cash_is_on():
        return {}
    paid = Deposit.objects.filter(user__in=ids, state=Deposit.State.PAID).order_by()
    return {
        user: to_decimal(amount, Currency.INR)
        for user, amount in paid.values_list("user").annotate(Sum("amount"))
    }


def _show_chips(amount: Decimal) -> str:
    return format_shown_amount(to_smallest(amount, Currency.CHIPS), Currency.CHIPS)


def _show_cash(amount: Decimal) -> str:
    return format_shown_amount(to_smallest(amount, Currency.INR), Currency.INR)


_INR = Currency.INR.value
COLUMNS: Final = (
    PlayerColumn("chips", gettext_lazy("chips"), "wallet.view_deposit", _list_chips, _show_chips),
    PlayerColumn("cash", gettext_lazy("cash"), "wallet.view_deposit", _list_cash, _show_cash, _INR),
    PlayerColumn(
        "deposited",
        gettext_lazy("deposited"),
        "wallet.view_deposit",
        _sum_deposits,
        _show_cash,
        _INR,
    ),
)


class DepositedFilter(admin.SimpleListFilter):
    """Filters players by whether they have ever made a deposit."""

    title = gettext_lazy("paid in")
    parameter_name = "deposited"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("yes", gettext_lazy("yes")), ("no", gettext_lazy("no"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> QuerySet[User]:
        paid = Exists(Deposit.objects.filter(user=OuterRef("pk"), state=Deposit.State.PAID))
        if self.value() == "yes":
            return queryset.filter(paid)
        return queryset.filter(~paid) if self.value() == "no" else queryset


MAY_ADJUST_CHIPS: Final = "wallet.adjust_chips"


class ChipsForm(forms.Form):
    reference = forms.CharField(widget=forms.HiddenInput, max_length=40)
    act = forms.ChoiceField(
        label=gettext_lazy("What to do"),
        choices=[("give", gettext_lazy("Give")), ("take", gettext_lazy("Take"))],
    )
    amount = AmountField(label=gettext_lazy("Chips"), least=1, most=MOST_CHIPS)
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=LONGEST_REASON,
        help_text=gettext_lazy("Why you are doing this. It is kept in the audit log."),
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        amount = self.fields["amount"]
        assert isinstance(amount, AmountField)  # noqa: S101 - it stands above
        amount.currency = Currency.CHIPS


def chips_urls(site: AdminSite) -> list[URLPattern]:
    page = site.admin_view(partial(chips_page, site=site))
    return [path("accounts/user/<int:user_id>/chips/", page, name="player_chips")]


def chips_page(request: HttpRequest, user_id: int, *, site: AdminSite) -> HttpResponse:
    if not request.user.has_perm(MAY_ADJUST_CHIPS):
        raise PermissionDenied
    player = get_object_or_404(User, pk=user_id, is_bot=False)
    form = ChipsForm(request.POST or None, initial={"reference": uuid.uuid4().hex})
    if form.is_valid():
        try:
            _adjust(request, player, form.cleaned_data)
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            return redirect("admin:accounts_user_change", player.pk)
    free = format_shown_amount(get_player_balances(player.pk).chips, Currency.CHIPS)
    context = {"title": _("Give or take chips"), "free": free}
    template = "admin/accounts/user/chips.html"
    return render_tool(request, site, player, form=form, context=context, template=template)


@transaction.atomic
def _adjust(request: HttpRequest, player: User, asked: dict[str, Any]) -> None:
    """Move the chips and write the audit log, both or neither; then show the staff member a message."""
    staff, is_gift, number = build_staff(request), asked["act"] == "give", asked["amount"]
    moved = number if is_gift else -number
    posting = wallet.adjust_chips(
        user_id=player.pk, amount=moved, reference=asked["reference"], staff_id=staff.user_id
    )
    if not posting.replayed:
        after = get_player_balances(player.pk).chips
        write_entry(
            by=staff,
            obj=player,
            action="give_chips" if is_gift else "take_chips",
            before={"chips": after - moved},
            after={"chips": after},
            reason=asked["reason"],
        )
    said = (
        ngettext("%(player)s gets %(n)s chip.", "%(player)s gets %(n)s chips.", number)
        if is_gift
        else ngettext(
            "%(n)s chip is taken from %(player)s.", "%(n)s chips are taken from %(player)s.", number
        )
    )
    messages.success(request, said % {"player": player.player_name, "n": f"{number:,}"})
