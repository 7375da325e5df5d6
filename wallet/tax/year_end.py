"""Tax on winnings that were not withdrawn by the end of a financial year."""

import logging
import time
from collections.abc import Iterator
from datetime import date
from itertools import chain

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from wallet.cash import cash_is_on
from wallet.ledger.balances import get_player_balances
from wallet.ledger.chart import AccountRef, PostingLine, player, tds_payable, winnings
from wallet.ledger.posting import post_transfers
from wallet.limits.services import lock_player
from wallet.models import LedgerAccount, Reason, YearEndTax
from wallet.money import Currency
from wallet.refusals import InsufficientFunds, NoTaxRule
from wallet.rules import compute_financial_year, compute_net_winnings_at_year_end, last_day, tax_on
from wallet.tax.figures import (
    OWN,
    Rule,
    compute_figures,
    filter_cash_before,
    get_tax_rule,
    own_cash_at,
    year_begins,
)

log = logging.getLogger(__name__)

State = YearEndTax.State
SETTLED_TOGETHER = 200
# Well within a job's time limit, and within the interval between two runs.
SECONDS_A_RUN = 60


def settle_last_year(*, today: date) -> int:
    """Compute and deduct the tax of the financial year before the one of `today`.

    Return how many players were settled. The next call continues with the others. Tax on money at a table
    is deducted when the money comes back.
    """
    if not cash_is_on():
        return 0
    year = compute_financial_year(today) - 1
    try:
        rule = get_tax_rule(last_day(year))
    except NoTaxRule:
        log.error("no tax rule: the year %s cannot be settled", year)  # noqa: TRY400 - a row is missing
        return 0
    until = time.monotonic() + SECONDS_A_RUN
    settled = 0
    for user_id in chain(_list_players_owing(year), _list_players_missing(year)):
        if time.monotonic() >= until:
            break
        try:
            settled += _settle(user_id, year, rule)
        except Exception:  # one failure must not block the others
            log.exception("the year %s of player %s could not be settled", year, user_id)
    return settled


def _list_players_owing(year: int) -> Iterator[int]:
    """Yield players who owe tax and have money.

    The order is random, so that players who cannot pay do not block the others.
    """
    own = LedgerAccount.objects.filter(
        owner_id=OuterRef("user_id"), kind__in=OWN, currency=Currency.INR, balance__gt=0
    )
    owing = YearEndTax.objects.filter(Exists(own), year=year, state=State.DUE)
    yield from list(owing.order_by("?").values_list("user_id", flat=True)[:SETTLED_TOGETHER])


def _list_players_missing(year: int) -> Iterator[int]:
    """Yield the players who had an account for cash by the end of the year, and whose tax is not computed yet.

    A player whose computation fails is tried again in the next run.
    """
    there = YearEndTax.objects.filter(year=year, user_id=OuterRef("owner_id"))
    missing = filter_cash_before(year_begins(year + 1)).filter(~Exists(there))
    last = 0
    while True:
        some = missing.filter(owner_id__gt=last).order_by("owner_id").distinct()
        ids = list(some.values_list("owner_id", flat=True)[:SETTLED_TOGETHER])
        if not ids:
            return
        yield from ids
        last = ids[-1]


def _settle(user_id: int, year: int, rule: Rule) -> bool:
    with transaction.atomic():
        lock_player(user_id)
        row = YearEndTax.objects.filter(user_id=user_id, year=year).first()
        if row is None:
            row = _work_out(user_id, year, rule)
        return row.state == State.NOTHING or (row.state == State.DUE and _deduct(row))


def _work_out(user_id: int, year: int, rule: Rule) -> YearEndTax:
    figures = compute_figures(user_id, year)
    closing = own_cash_at(user_id, year_begins(year + 1))
    net_winnings = compute_net_winnings_at_year_end(closing, figures=figures)
    tax = tax_on(net_winnings, rate_bps=rule.terms.rate_bps)
    return YearEndTax.objects.create(
        user_id=user_id,
        year=year,
        withdrawn=figures.withdrawn,
        deposited=figures.deposited,
        opening=figures.opening,
        closing=closing,
        taxed=figures.taxed,
        net_winnings=net_winnings,
        tax=tax,
        rule_id=rule.rule_id,
        state=State.DUE if tax else State.NOTHING,
    )


def _deduct(row: YearEndTax) -> bool:
    """Deduct the tax from the winnings, then from the deposits.

    Return False, and deduct nothing, if winnings and deposits together do not cover the tax.
    """
    cash = get_player_balances(row.user_id).cash
    from_winnings = min(cash.winnings, row.tax)
    parts: list[tuple[AccountRef, int]] = [
        (winnings(row.user_id), from_winnings),
        (player(row.user_id, Currency.INR), row.tax - from_winnings),
    ]
    try:
        post_transfers(
            key=f"tax:{row.year}:{row.user_id}",
            lines=[
                PostingLine(source, tds_payable(), part, Reason.TAX)
                for source, part in parts
                if part
            ],
            subject=f"tax:{row.year}",
        )
    except InsufficientFunds:
        return False
    row.state = State.DEDUCTED
    row.deducted_at = timezone.now()
    row.save(update_fields=["state", "deducted_at"])
    return True
