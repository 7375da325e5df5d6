"""Tax after the end of a financial year. The events happen in the year; the tests settle it afterwards."""

from datetime import date, timedelta

import pytest
from django.utils import timezone

from tests.given import reload
from tests.wallet.cash_players import (
    approve_identity,
    bring_deposit,
    bring_winnings,
    make_player,
    read_cash,
    set_rules,
)
from tests.wallet.rawsql import expect_unchanged, post
from tests.wallet.seats import INR, buy_in, cash_out
from tests.wallet.withdrawals.asking import ask
from wallet import api as wallet
from wallet.ledger.balances import balance
from wallet.ledger.chart import tds_payable
from wallet.ledger.checks import reconcile
from wallet.models import Deposit, LedgerAccount, TaxRule, Withdrawal, YearEndTax
from wallet.money import Buckets
from wallet.refusals import YEAR_NOT_SETTLED
from wallet.rules import YearFigures, compute_financial_year
from wallet.tax import year_end
from wallet.tax.figures import compute_figures, own_cash_at, year_begins
from wallet.tax.year_end import settle_last_year

pytestmark = pytest.mark.django_db

State = YearEndTax.State


@pytest.fixture
def year():
    return compute_financial_year(timezone.localdate())


@pytest.fixture
def after(year):
    """The first day of the following financial year."""
    return date(year + 1, 4, 1)


@pytest.fixture
def asha(asha, boss):
    set_rules()
    approve_identity(asha, boss)
    return asha


def test_winnings_that_stayed_are_taxed_once(asha, after, year, ledger):
    bring_deposit(asha, 100_000)
    bring_winnings(asha, 50_000)
    assert settle_last_year(today=after) == 1
    row = YearEndTax.objects.get()
    assert (row.closing, row.deposited) == (150_000, 100_000)
    assert (row.net_winnings, row.tax) == (50_000, 15_000)
    assert (row.state, row.year) == (State.DEDUCTED, year)
    assert read_cash(asha) == Buckets(0, 100_000, 35_000)
    assert balance(tds_payable()) == 15_000
    before = ledger()
    assert settle_last_year(today=after) == 0
    assert ledger() == before
    assert reconcile().findings == ()
    # What is left is the opening balance of the next year: no second tax on it.
    assert compute_figures(asha.pk, year + 1) == YearFigures(opening=135_000)
    assert ask(asha, 35_000, now=year_begins(year + 1) + timedelta(days=2)).tax == 0


def test_winnings_taxed_with_a_withdrawal_are_not_taxed_again(asha, after):
    bring_winnings(asha, 50_000)
    withdrawal = ask(asha, 20_000)
    assert withdrawal.tax == 6_000
    settle_last_year(today=after)
    row = YearEndTax.objects.get()
    assert (row.withdrawn, row.taxed, row.closing, row.tax) == (20_000, 20_000, 30_000, 9_000)


def test_a_stack_counts_at_year_end_and_is_taxed_when_it_comes_back(asha, after):
    bring_winnings(asha, 50_000)
    post("gift", f"BONUS_EXPENSE,0,BONUS,{asha.pk},INR,10000,BONUS")
    buy_in(asha.pk, 50_000, currency=INR)
    assert read_cash(asha) == Buckets(5_000, 0, 5_000)
    moment = timezone.now() + timedelta(hours=1)
    assert own_cash_at(asha.pk, moment) == 50_000  # without the 5,000 of bonus in the stack
    assert settle_last_year(today=after) == 0
    row = YearEndTax.objects.get()
    assert (row.closing, row.tax, row.state) == (50_000, 15_000, State.DUE)
    assert read_cash(asha).winnings == 5_000
    cash_out(asha.pk, currency=INR)
    assert settle_last_year(today=after) == 1
    assert reload(row).state == State.DEDUCTED
    assert read_cash(asha).winnings == 35_000


def test_no_withdrawal_starts_before_the_year_is_settled(asha, after, year):
    bring_winnings(asha, 50_000)
    later = year_begins(year + 1) + timedelta(hours=1)
    with expect_unchanged(YEAR_NOT_SETTLED):
        ask(asha, 20_000, now=later)
    assert not Withdrawal.objects.exists()
    settle_last_year(today=after)
    assert ask(asha, 20_000, now=later).tax == 0


def test_a_withdrawal_over_the_turn_of_the_year(asha, after, year):
    """It is requested in March and refused in April, when the part that was not winnings counts as deposited again."""
    bring_deposit(asha, 20_000)
    bring_winnings(asha, 50_000)
    withdrawal = ask(asha, 30_000)
    assert (withdrawal.net_winnings, withdrawal.tax) == (10_000, 3_000)
    settle_last_year(today=after)
    row = YearEndTax.objects.get()
    # 30,000 are withdrawn and 40,000 are left. Of these, 20,000 were deposited and 10,000 are already taxed.
    assert (row.withdrawn, row.closing, row.net_winnings) == (30_000, 40_000, 40_000)
    Withdrawal.objects.update(
        state="REFUSED", reason="x", ended_at=year_begins(year + 1) + timedelta(days=3)
    )
    assert compute_figures(asha.pk, year + 1).deposited == 20_000
    assert compute_figures(asha.pk, year).withdrawn == 30_000


def test_deposits_count_in_the_year_in_which_they_were_paid(asha, year):
    bring_deposit(asha, 20_000)
    Deposit.objects.update(decided_at=year_begins(year) - timedelta(seconds=1))
    assert compute_figures(asha.pk, year).deposited == 0
    assert compute_figures(asha.pk, year - 1).deposited == 20_000


def test_a_failing_player_does_not_block_the_settlement_of_others(asha, after, caplog, monkeypatch):
    bring_winnings(asha, 50_000)
    other = make_player("Bela")
    bring_winnings(other, 50_000)
    # An account whose user does not exist, which the ledger cannot know.
    post("ghost", "SUSPENSE,0,WINNINGS,999999,INR,500,PRIZE")
    assert LedgerAccount.objects.filter(owner_id=999_999).exists()
    assert settle_last_year(today=after) == 2
    assert "999999 could not be settled" in caplog.text
    assert read_cash(other).winnings == 35_000


def test_no_year_is_settled_without_a_rule_or_with_cash_off(asha, after, settings, caplog):
    bring_winnings(asha, 50_000)
    settings.CASH_PLAY = "off"
    assert settle_last_year(today=after) == 0
    settings.CASH_PLAY = "sandbox"
    TaxRule.objects.all().delete()
    assert settle_last_year(today=after) == 0
    assert "no tax rule" in caplog.text
    assert not YearEndTax.objects.exists()


def test_a_year_is_taxed_by_the_rule_of_its_last_day(asha, after):
    bring_winnings(asha, 50_000)
    TaxRule.objects.create(code="NEW", rate_bps=100, valid_from=after)
    settle_last_year(today=after)
    assert YearEndTax.objects.get().tax == 15_000


def test_the_rules_that_a_new_installation_begins_with(db):
    for _time in range(2):
        wallet.set_starting_rules(valid_from=timezone.now())
    rule = TaxRule.objects.get()
    assert (rule.code, rule.rate_bps, rule.valid_from) == ("IN-194BA", 3_000, date(2023, 4, 1))


def test_one_run_settles_all_in_any_number_of_batches(asha, after, year, monkeypatch):
    monkeypatch.setattr(year_end, "SETTLED_TOGETHER", 2)
    others = [make_player(f"player{number}") for number in range(4)]
    for user in (asha, *others):
        bring_deposit(user, 10_000)
    assert settle_last_year(today=after) == 5
    assert YearEndTax.objects.filter(year=year, state=State.NOTHING).count() == 5
    assert settle_last_year(today=after) == 0


def test_players_who_cannot_pay_do_not_block_others(asha, after, monkeypatch):
    """Two players owe tax, but have all their money at a seat. The third wins again and can pay."""
    monkeypatch.setattr(year_end, "SETTLED_TOGETHER", 2)
    broke = [make_player(f"player{number}") for number in range(2)]
    for user in (*broke, asha):
        bring_winnings(user, 50_000)
        buy_in(user.pk, 50_000, user.pk, currency=INR)
    assert settle_last_year(today=after) == 0
    assert YearEndTax.objects.filter(state=State.DUE).count() == 3
    bring_winnings(asha, 20_000, key="won-again")
    assert settle_last_year(today=after) == 1
    assert YearEndTax.objects.get(user=asha).state == State.DEDUCTED
    assert YearEndTax.objects.filter(state=State.DUE).count() == 2


def test_a_run_ends_in_time_and_the_next_one_goes_on(asha, after, monkeypatch):
    for user in (asha, make_player("player1")):
        bring_deposit(user, 10_000)
    with monkeypatch.context() as patch:
        patch.setattr(year_end, "SECONDS_A_RUN", 0)
        assert settle_last_year(today=after) == 0
    assert settle_last_year(today=after) == 2
