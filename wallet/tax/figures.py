"""Tax rules, and the figures of rule 133 from stored rows."""

from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import F, OuterRef, Q, QuerySet, Subquery, Sum

from core.values.local_days import compute_day_start
from wallet.models import (
    GIVEN_BACK,
    AccountKind,
    Deposit,
    Entry,
    LedgerAccount,
    PaymentCase,
    Reason,
    TaxRule,
    Transfer,
    Withdrawal,
    WithdrawalPolicy,
    YearEndTax,
)
from wallet.money import Buckets, Currency, give_back
from wallet.refusals import NoTaxRule
from wallet.rules import TaxTerms, YearFigures, first_day


def set_starting_rules(*, valid_from: datetime) -> None:
    """Set the first withdrawal policy and tax rule of a new site. Existing rows stay.

    Withdrawals: at least ₹100, at most ₹1,00,000 a day, two administrators above ₹10,000. Tax: India's 30 %
    on net winnings since 1 April 2023; untaxed net winnings up to ₹100 are taxed later, with further ones.
    """
    if not WithdrawalPolicy.objects.exists():
        WithdrawalPolicy.objects.create(
            least=10_000,
            most_a_day=10_000_000,
            second_approval_above=1_000_000,
            valid_from=valid_from,
        )
    if not TaxRule.objects.exists():
        TaxRule.objects.create(
            code="IN-194BA", rate_bps=3_000, threshold=10_000, valid_from=date(2023, 4, 1)
        )


# Accounts of a player's own money. A bonus is neither a deposit nor winnings before its release.
OWN = (AccountKind.PLAYER, AccountKind.WINNINGS)


@dataclass(frozen=True, slots=True)
class Rule:
    rule_id: int
    terms: TaxTerms


def get_tax_rule(day: date) -> Rule:
    """Return the tax rule in effect on this day. Raises NoTaxRule if the operator has set none."""
    row = TaxRule.objects.filter(valid_from__lte=day).order_by("-valid_from").first()
    if row is None:
        raise NoTaxRule
    return Rule(row.pk, TaxTerms(rate_bps=row.rate_bps, threshold=row.threshold))


def year_begins(year: int) -> datetime:
    """Return the first moment of a financial year in the operator's time zone."""
    return compute_day_start(first_day(year))


def filter_cash_before(moment: datetime) -> QuerySet[LedgerAccount]:
    """Return the accounts of players' own cash that were opened before this moment."""
    return LedgerAccount.objects.filter(
        kind__in=OWN, currency=Currency.INR, shard=0, opened_at__lt=moment
    )


def last_year_is_settled(user_id: int, year: int) -> bool:
    """Return whether the player's tax for the year before `year` is settled.

    Also True if the player had no account for cash by the end of that year.
    """
    before = YearEndTax.objects.filter(user_id=user_id, year=year - 1)
    if before.exclude(state=YearEndTax.State.DUE).exists():
        return True
    return not filter_cash_before(year_begins(year)).filter(owner_id=user_id).exists()


def compute_figures(user_id: int, year: int) -> YearFigures:
    """Return a player's figures for a financial year up to its end, or up to now while it runs."""
    begins, ends = year_begins(year), year_begins(year + 1)
    all_of_them = Withdrawal.objects.filter(user_id=user_id)
    counted = all_of_them.filter(requested_at__gte=begins, requested_at__lt=ends).exclude(
        state__in=GIVEN_BACK, ended_at__lt=ends
    )
    sums = counted.aggregate(withdrawn=Sum("amount"), taxed=Sum("net_winnings"))
    # A withdrawal requested before the year and given back in it is the player's own money again, except for
    # the net winnings in it, from which no tax was deducted.
    came_back = all_of_them.filter(
        requested_at__lt=begins, state__in=GIVEN_BACK, ended_at__gte=begins, ended_at__lt=ends
    ).aggregate(total=Sum(F("amount") - F("net_winnings")))["total"]
    deposited = Deposit.objects.filter(
        user_id=user_id, state=Deposit.State.PAID, decided_at__gte=begins, decided_at__lt=ends
    ).aggregate(total=Sum("amount"))["total"]
    taken = _sum_taken(user_id, taken_at__gte=begins, taken_at__lt=ends)
    return YearFigures(
        withdrawn=sums["withdrawn"] or 0,
        deposited=(deposited or 0) + (came_back or 0) - taken,
        opening=compute_opening(user_id, year),
        taxed=sums["taxed"] or 0,
    )


def compute_opening(user_id: int, year: int) -> int:
    """Return the balance at the beginning of the year, after the tax of the year before."""
    before = YearEndTax.objects.filter(user_id=user_id, year=year - 1).first()
    if before is not None:
        return before.closing - before.tax
    return own_cash_at(user_id, year_begins(year))


@dataclass(frozen=True, slots=True)
class LifeFigures:
    """The amounts that a player has paid in, taken out and won so far, in paise. `won` is negative after losses."""

    deposited: int
    withdrawn: int  # tax included; pending ones too
    won: int  # released bonuses too


def compute_life_figures(user_id: int, *, now: datetime) -> LifeFigures:
    """Return a player's figures since the account was opened.

    The winnings are the cash now, plus withdrawals, less deposits.
    """
    paid_in = Deposit.objects.filter(user_id=user_id, state=Deposit.State.PAID)
    out = Withdrawal.objects.filter(user_id=user_id).exclude(state__in=GIVEN_BACK)
    deposited = paid_in.aggregate(total=Sum("amount", default=0))["total"]
    withdrawn = out.aggregate(total=Sum("amount", default=0))["total"]
    deposited -= _sum_taken(user_id)
    return LifeFigures(deposited, withdrawn, own_cash_at(user_id, now) + withdrawn - deposited)


def own_cash_at(user_id: int, moment: datetime) -> int:
    """Return a player's deposits and winnings at a given time, less pending withdrawals.

    Cash at tables and held-back cash are included.
    """
    balances = _balances_at(filter_cash_before(moment).filter(owner_id=user_id), moment)
    if not balances:
        return 0
    leaving = Withdrawal.objects.filter(
        Q(ended_at=None) | Q(ended_at__gte=moment), user_id=user_id, requested_at__lt=moment
    ).aggregate(total=Sum("amount"))["total"]
    at_tables, held = _own_at_tables(user_id, moment), _held_back_at(user_id, moment)
    return sum(balances.values()) + at_tables + held - (leaving or 0)


def _sum_taken(user_id: int, **when: datetime) -> int:
    """Return the sum of deposits that a provider has taken back: they no longer count as deposits."""
    cases = PaymentCase.objects.filter(deposit__user_id=user_id, taken__gt=0, **when)
    return int(cases.aggregate(total=Sum("taken", default=0))["total"])


def _held_back_at(user_id: int, moment: datetime) -> int:
    """Return the amount held back at a given time in cases from which nothing had been taken yet."""
    undecided = PaymentCase.objects.filter(deposit__user_id=user_id).exclude(taken_at__lt=moment)
    accounts = LedgerAccount.objects.filter(
        kind=AccountKind.DISPUTED, owner_id__in=undecided.values("pk")
    )
    return sum(_balances_at(accounts, moment).values())


def _own_at_tables(user_id: int, moment: datetime) -> int:
    """Return the player's stacks at tables, less the bonus in them."""
    brought = Transfer.objects.filter(
        entry__account__in=LedgerAccount.objects.filter(
            kind__in=[*OWN, AccountKind.BONUS], owner_id=user_id, currency=Currency.INR, shard=0
        ),
        entry__happened_at__lt=moment,
        reason__in=[Reason.BUY_IN, Reason.TOP_UP],
    )
    paid: dict[int, dict[str, int]] = {}
    for seat_id, kind, amount in brought.values_list("destination_id", "source__kind", "amount"):
        of_seat = paid.setdefault(seat_id, {})
        of_seat[kind] = of_seat.get(kind, 0) + amount
    stacks = _balances_at(LedgerAccount.objects.filter(pk__in=list(paid)), moment)
    return sum(stack - _bonus_in(stack, paid[seat_id]) for seat_id, stack in stacks.items())


def _bonus_in(stack: int, paid: dict[str, int]) -> int:
    parts = Buckets(
        bonus=paid.get(AccountKind.BONUS, 0),
        deposit=paid.get(AccountKind.PLAYER, 0),
        winnings=paid.get(AccountKind.WINNINGS, 0),
    )
    return give_back(min(stack, parts.total), paid=parts).bonus


def _balances_at(accounts: QuerySet[LedgerAccount], moment: datetime) -> dict[int, int]:
    """Return a mapping from account id to balance at `moment`. Accounts without an entry by then are left out."""
    last = Entry.objects.filter(account_id=OuterRef("pk"), happened_at__lt=moment).order_by("-seq")
    rows = accounts.annotate(then=Subquery(last.values("balance_after")[:1]))
    return {pk: then for pk, then in rows.values_list("pk", "then") if then is not None}
