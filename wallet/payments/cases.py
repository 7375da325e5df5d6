"""Cases of payment providers: disputes, refunds that we did not order, and unknown or unexpected events.

A report only ever holds money back. Staff decide a case: either the money goes back to the player, or the
provider has kept it. Money that the player has already spent is collected later, while the case is open.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet, Sum
from django.utils import timezone

from core.database.each import act_on_each
from core.refusals import Refusal
from wallet.cash import cash_is_on
from wallet.ledger.balances import get_player_balances
from wallet.ledger.chart import PostingLine, deposits, disputed, player
from wallet.ledger.posting import post_transfers, reverse, spend_cash, translate_refusals
from wallet.limits.services import lock_player
from wallet.models import (
    Deposit,
    Journal,
    PaymentCase,
    PaymentWebhook,
    ProviderReport,
    Reason,
    Transfer,
    Withdrawal,
)
from wallet.money import Currency
from wallet.payments.base import SignedReport, SignedWebhook
from wallet.payments.emails import write_held, write_settled
from wallet.refusals import CASE_DECIDED, PAYMENT_DISPUTED, InsufficientFunds

log = logging.getLogger(__name__)

Kind, Stage, State = PaymentCase.Kind, PaymentCase.Stage, PaymentCase.State
UNDECIDED = (State.OPEN, State.OWED)
_COLLECTED_AT_ONCE = 200
_TRIES = 3


def take_report(report: SignedReport) -> str:
    """Store a report in its case and hold the money back. Return "HELD", "NOTED" or "REPEATED".

    A repeated report does nothing. Reports may come in any order: an earlier stage does not undo a final one.
    A case that staff have ended opens again if another final stage is reported. A case of an unknown event opens
    again at every new report.
    """
    deposit_id = _find_deposit_id(report.provider, report.payment_id)
    with _lock_payer(deposit_id):
        case = _lock_or_open(
            Kind(report.concern),
            report.provider,
            report.subject_id,
            payment_id=report.payment_id,
            deposit_id=deposit_id,
            amount=report.amount if report.currency is Currency.INR else 0,
        )
        known = ProviderReport.objects.filter(provider=report.provider, event_id=report.event_id)
        if known.exists():
            return "REPEATED"
        ProviderReport.objects.create(
            case=case,
            provider=report.provider,
            event_id=report.event_id,
            event=report.event,
            amount=report.amount,
            facts=dict(report.facts),
        )
        is_news = _advance(case, Stage(report.stage))
        if not case.taken and report.currency is Currency.INR:
            case.amount = max(case.amount, report.amount)
        if case.deposit_id is None:
            case.deposit_id = deposit_id
        if case.state not in UNDECIDED and (is_news or case.kind == Kind.UNKNOWN):
            case.state, case.ended_at = State.OPEN, None
        case.save()
        was_held = case.held
        _hold_back(case)
    log.warning("%s of %s: %s, see payment case %s", report.event, report.provider, case, case.pk)
    return "HELD" if case.held > was_held else "NOTED"


def open_mismatch(
    webhook: SignedWebhook, *, deposit: Deposit | None = None, withdrawal: Withdrawal | None = None
) -> None:
    """Open a case for a reported outcome of a payment or payout that does not fit our order.

    The money in question is not in the ledger.
    """
    case = _lock_or_open(
        Kind.MISMATCH,
        webhook.provider,
        webhook.payment_id,
        payment_id=webhook.payment_id,
        deposit_id=None if deposit is None else deposit.pk,
        amount=webhook.amount if webhook.currency is Currency.INR else 0,
    )
    case.withdrawal, case.state, case.ended_at = withdrawal, State.OPEN, None
    case.save()


def hold_back_for(deposit: Deposit) -> None:
    """Hold back money for cases that were reported before this deposit was credited.

    The caller has locked the player.
    """
    reported = PaymentCase.objects.filter(
        provider=deposit.provider, payment_id=deposit.payment_id, state__in=UNDECIDED
    ).exclude(kind=Kind.MISMATCH)
    for case in reported.select_for_update(no_key=True).order_by("pk"):
        case.deposit = deposit
        case.save()
        _hold_back(case)


def collect_due(*, now: datetime) -> int:
    """For undecided cases that hold less than the provider claims, hold back money that players have by now.

    Return the number of cases that now hold more.
    """
    if not cash_is_on():
        return 0
    due = (
        PaymentCase.objects.filter(state__in=UNDECIDED, kind__in=[Kind.DISPUTE, Kind.REFUND])
        .filter(opened_at__lte=now, held__lt=F("amount"))
        .exclude(stage=Stage.KEPT)
        .order_by("opened_at")
    )
    ids = list(due.values_list("pk", flat=True)[:_COLLECTED_AT_ONCE])
    return act_on_each(ids, _collect, doing="collecting for a payment case")


def _collect(case_id: int) -> bool:
    with _lock_case(case_id) as case:
        was_held = case.held
        _hold_back(case)
        if case.state == State.OWED and case.held >= case.taken:
            _end(case, State.TAKEN)
            write_settled(case)
        return case.held > was_held


def refuse_while_owing(user_id: int) -> None:
    """Raise PAYMENT_DISPUTED while the site holds back less than a provider may take from this player."""
    if PaymentCase.objects.filter(_OWING, deposit__user_id=user_id).exists():
        raise Refusal(PAYMENT_DISPUTED)


def list_owing_players() -> QuerySet[PaymentCase, int]:
    """Return the ids of players from whom the site holds back less than a provider may take."""
    return PaymentCase.objects.filter(_OWING).values_list("deposit__user_id", flat=True)


def compute_held(deposit: Deposit) -> int:
    """Return how much of a deposit is held back in undecided cases, in paise."""
    undecided = deposit.cases.filter(state__in=UNDECIDED)
    return int(undecided.aggregate(total=Sum("held", default=0))["total"])


_OWING = (
    Q(state__in=UNDECIDED, kind__in=[Kind.DISPUTE, Kind.REFUND], held__lt=F("amount"))
    & Q(deposit__state=Deposit.State.PAID, deposit__payment_id=F("payment_id"))
    & ~Q(stage=Stage.KEPT)
)


def give_back(*, case_id: int) -> None:
    """End a case in the player's favour: give back the money held for it. Raises CASE_DECIDED.

    If staff had booked its amount as taken by the provider, that booking is cancelled.
    """
    with _lock_case(case_id) as case:
        if case.state not in UNDECIDED:
            raise Refusal(CASE_DECIDED)
        for journal in _list_postings(case):
            reverse(
                key=_next_key(case, "back"), journal_id=journal.pk, subject=_format_subject(case)
            )
        given_back, was_taken = case.held, case.taken
        case.held = case.taken = 0
        case.taken_at = None
        _end(case, State.GIVEN_BACK)
        if given_back or was_taken:
            write_settled(case, given_back=given_back)


def book_taken(*, case_id: int) -> None:
    """Book the case's amount as taken by the provider.

    Raises CASE_DECIDED, also for a case that is not about a credited payment.

    If less is held, the case stays open until the rest has been collected from the player.
    """
    with _lock_case(case_id) as case:
        if case.state != State.OPEN or not is_of_credited(case):
            raise Refusal(CASE_DECIDED)
        if not case.taken:
            line = PostingLine(disputed(case.pk), deposits(), case.amount, Reason.CHARGEBACK)
            post_transfers(
                key=_next_key(case, "taken"), lines=[line], subject=_format_subject(case)
            )
            case.taken, case.taken_at = case.amount, timezone.now()
        if case.held < case.taken:
            case.state = State.OWED
            case.save()
        else:
            _end(case, State.TAKEN)
        write_settled(case)


def bear_rest(*, case_id: int) -> None:
    """End a case whose missing part cannot be collected: the house bears it. Raises CASE_DECIDED."""
    with _lock_case(case_id) as case:
        if case.state != State.OWED:
            raise Refusal(CASE_DECIDED)
        _end(case, State.BORNE)
        write_settled(case)


def record_done(*, case_id: int) -> None:
    """End a case that moved no money. Raises CASE_DECIDED."""
    with _lock_case(case_id) as case:
        if case.state != State.OPEN or case.held or case.taken:
            raise Refusal(CASE_DECIDED)
        _end(case, State.DONE)


def _find_deposit_id(provider: str, payment_id: str) -> int | None:
    """Return the id of the deposit for which a payment was made, credited or not, or None."""
    if not payment_id:
        return None
    known = Deposit.objects.filter(provider=provider, payment_id=payment_id)
    found = known.values_list("pk", flat=True).first()
    if found is None:
        told = PaymentWebhook.objects.filter(provider=provider, payment_id=payment_id)
        found = told.values_list("deposit_id", flat=True).first()
    return found


@contextmanager
def _lock_payer(deposit_id: int | None) -> Iterator[None]:
    """Lock the deposit's player in a transaction, as every decision about their money does."""
    with transaction.atomic():
        if deposit_id is not None:
            lock_player(Deposit.objects.values_list("user_id", flat=True).get(pk=deposit_id))
        yield


@contextmanager
def _lock_case(case_id: int) -> Iterator[PaymentCase]:
    found = PaymentCase.objects.values_list("provider", "payment_id", "deposit_id").get(pk=case_id)
    deposit_id = found[2] or _find_deposit_id(*found[:2])
    with _lock_payer(deposit_id):
        case = PaymentCase.objects.select_for_update(no_key=True).get(pk=case_id)
        if case.deposit_id is None and deposit_id is not None and case.payment_id:
            case.deposit_id = deposit_id  # the payment was credited at the same time
            case.save()
        yield case


def _lock_or_open(
    kind: PaymentCase.Kind, provider: str, subject_id: str, **facts: Any
) -> PaymentCase:
    PaymentCase.objects.get_or_create(
        kind=kind, provider=provider, subject_id=subject_id, defaults=facts
    )
    return PaymentCase.objects.select_for_update(no_key=True).get(
        kind=kind, provider=provider, subject_id=subject_id
    )


def _advance(case: PaymentCase, to: PaymentCase.Stage) -> bool:
    """Store the reported stage if it is a new final one. Return whether the stage has changed."""
    if to in {Stage.OPEN, case.stage}:
        return False
    case.stage = to
    return True


def is_of_credited(case: PaymentCase) -> bool:
    """Return whether the case is a dispute or refund of exactly the payment that was credited."""
    deposit = case.deposit
    return (
        case.kind in {Kind.DISPUTE, Kind.REFUND}
        and case.amount > 0
        and deposit is not None
        and deposit.state == Deposit.State.PAID
        and deposit.payment_id == case.payment_id
    )


def _hold_back(case: PaymentCase) -> None:
    """Move as much of the missing money as the player has: first from deposits, then from winnings.

    The caller has locked player and case. Several cases together hold no more than the deposit.
    """
    deposit = case.deposit
    if deposit is None or not is_of_credited(case):
        return
    if case.stage == Stage.KEPT or case.state not in UNDECIDED:
        return
    others = deposit.cases.exclude(pk=case.pk).aggregate(total=Sum("held", default=0))["total"]
    missing = min(case.amount, deposit.amount - others) - case.held
    for _try in range(_TRIES):
        cash = get_player_balances(deposit.user_id).cash
        amount = min(missing, cash.deposit + cash.winnings)
        if amount <= 0:
            return
        line = PostingLine(
            player(deposit.user_id, Currency.INR), disputed(case.pk), amount, Reason.HELD_BACK
        )
        try:
            _spend(line, case)
        except InsufficientFunds:  # spent at a table meanwhile; the next run collects the rest
            continue
        is_first = case.held == 0
        case.held += amount
        case.save()
        if is_first and case.state == State.OPEN:
            write_held(case, missing=missing - amount)
        return


def _spend(line: PostingLine, case: PaymentCase) -> None:
    key = _next_key(case, "held")
    with translate_refusals(savepoint=True):
        spend_cash(key=key, line=line, bonus_bps=0, actor_id=None, subject=_format_subject(case))


def _next_key(case: PaymentCase, what: str) -> str:
    """Return the key of the case's next posting. Like a deposit's own key, it ends with the deposit's reference."""
    reference = "" if case.deposit is None else case.deposit.reference
    case.moves += 1
    return f"case:{case.pk}:{case.moves}:{what}:{reference}"


def _format_subject(case: PaymentCase) -> str:
    return f"deposit:{case.deposit_id}"


def _list_postings(case: PaymentCase) -> list[Journal]:
    """Return the case's events that have not been reversed, the newest first."""
    account = disputed(case.pk)
    moved = Transfer.objects.filter(
        entry__account__kind=account.kind, entry__account__owner_id=account.owner_id
    )
    return list(
        Journal.objects.filter(
            pk__in=moved.values("journal_id"), reverses=None, reversed_by=None
        ).order_by("-pk")
    )


def _end(case: PaymentCase, state: PaymentCase.State) -> None:
    case.state, case.ended_at = state, timezone.now()
    case.save()
