"""Figures for the administration's first page: today's money and the state of the ledger."""

from datetime import datetime, timedelta

from django.db.models import Count, Q, Sum
from django.utils import formats, timezone
from django.utils.translation import gettext_lazy as _

from accounts.desk.figures import Figure, build_list_address, get_midnight_before
from wallet.cash import cash_is_on
from wallet.ledger.entries import TRANSFERS, ids_between
from wallet.models import (
    Deposit,
    LedgerCheck,
    LedgerSeal,
    PaymentCase,
    Reason,
    Transfer,
    Withdrawal,
)
from wallet.money import Currency, format_shown_amount

# A check runs every hour, a seal follows every ten seconds while something happens.
CHECK_IS_OLD_AFTER = timedelta(hours=2)
WAITING = (Withdrawal.State.REQUESTED, Withdrawal.State.NEEDS_SECOND)
UNDECIDED = (PaymentCase.State.OPEN, PaymentCase.State.OWED)
ON_THEIR_WAY = (Withdrawal.State.APPROVED, Withdrawal.State.SENT)


def list_rake_figures(now: datetime) -> list[Figure]:
    """Return today's service fees, one figure for each currency."""
    today = get_midnight_before(now)
    ids = ids_between(TRANSFERS, since=today)
    taken = dict(
        Transfer.objects.filter(pk__gte=ids.start, happened_at__gte=today, reason=Reason.RAKE)
        .values_list("currency")
        .annotate(Sum("amount"))
    )
    currencies = list(Currency) if cash_is_on() else [Currency.CHIPS]
    return [
        Figure(
            _("Service fees, cash") if currency is Currency.INR else _("Service fees, chips"),
            format_shown_amount(taken.get(currency, 0), currency),
            build_list_address(
                "wallet_transfer", reason=Reason.RAKE, when="today", currency__exact=currency
            ),
        )
        for currency in currencies
    ]


def list_cash_figures(now: datetime) -> list[Figure]:
    if not cash_is_on():
        return []
    today = get_midnight_before(now)
    paid_in = Deposit.objects.filter(state="PAID", decided_at__gte=today)
    came = paid_in.aggregate(amount=Sum("amount", default=0), number=Count("pk"))
    paid_out = Withdrawal.objects.filter(state=Withdrawal.State.PAID, ended_at__gte=today)
    out = paid_out.aggregate(amount=Sum("net", default=0), number=Count("pk"))
    going = Withdrawal.objects.filter(state__in=ON_THEIR_WAY).count()
    paid = {"state__exact": "PAID"}
    return [
        Figure(
            _("Deposits today"),
            f"{format_shown_amount(came['amount'], Currency.INR)} ({came['number']})",
            build_list_address("wallet_deposit", **paid, decided_at__gte=today),
        ),
        Figure(
            _("Paid out today"),
            f"{format_shown_amount(out['amount'], Currency.INR)} ({out['number']})",
            build_list_address("wallet_withdrawal", **paid, ended_at__gte=today),
        ),
        Figure(
            _("Payouts on their way"),
            str(going),
            build_list_address("wallet_withdrawal", state__in=",".join(ON_THEIR_WAY)),
        ),
    ]


def list_waiting_cash_figures(_now: datetime) -> list[Figure]:
    """Return figures for the cash decisions that wait for staff: withdrawals, disputes, refunds and payment cases."""
    if not cash_is_on():
        return []
    now_open = Withdrawal.objects.exclude(ended_at__isnull=False).aggregate(
        waiting=Count("pk", filter=Q(state__in=WAITING)),
        amount=Sum("amount", filter=Q(state__in=WAITING), default=0),
        disputed=Count("pk", filter=Q(state=Withdrawal.State.IN_DISPUTE)),
    )
    refused = Deposit.objects.filter(state="REFUND_REFUSED").count()
    cases = PaymentCase.objects.filter(state__in=UNDECIDED).count()
    return [
        Figure(
            _("Withdrawals waiting"),
            f"{now_open['waiting']} ({format_shown_amount(now_open['amount'], Currency.INR)})",
            build_list_address("wallet_withdrawal", state__in=",".join(WAITING)),
        ),
        Figure(
            _("Payouts in dispute"),
            str(now_open["disputed"]),
            build_list_address("wallet_withdrawal", state__exact="IN_DISPUTE"),
            is_alarm=now_open["disputed"] > 0,
        ),
        Figure(
            _("Refunds refused"),
            str(refused),
            build_list_address("wallet_deposit", state__exact="REFUND_REFUSED"),
            is_alarm=refused > 0,
        ),
        Figure(
            _("Payment cases"),
            str(cases),
            build_list_address("wallet_paymentcase", state__in=",".join(UNDECIDED)),
            is_alarm=cases > 0,
        ),
    ]


def list_ledger_figures(now: datetime) -> list[Figure]:
    check = LedgerCheck.objects.order_by("-checked_at", "-pk").first()
    seal = LedgerSeal.objects.order_by("-number").first()
    transfers = Transfer.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    unsealed = transfers - (seal.last_transfer_id if seal else 0)
    return [
        _show_check(check, now),
        _list_finding_figures(check),
        _show_seal(seal),
        _show_unsealed(unsealed),
    ]


def _show_check(check: LedgerCheck | None, now: datetime) -> Figure:
    return Figure(
        _("Ledger checked"),
        _format_moment(check.checked_at) if check else "-",
        build_list_address("wallet_ledgercheck"),
        is_alarm=check is not None and now - check.checked_at > CHECK_IS_OLD_AFTER,
    )


def _list_finding_figures(check: LedgerCheck | None) -> Figure:
    number = check.found if check else 0
    address = build_list_address("wallet_ledgercheck")
    return Figure(_("Findings"), str(number), address, is_alarm=number > 0)


def _show_seal(seal: LedgerSeal | None) -> Figure:
    words = f"{seal.number} ({_format_moment(seal.sealed_at)})" if seal else "-"
    return Figure(_("Last seal"), words, build_list_address("wallet_ledgerseal"))


def _show_unsealed(number: int) -> Figure:
    return Figure(_("Transfers not yet sealed"), str(number), build_list_address("wallet_transfer"))


def _format_moment(moment: datetime) -> str:
    return formats.date_format(timezone.localtime(moment), "DATETIME_FORMAT")
