"""The three buckets of cash: which one pays first, and into which one money returns."""

import random
from contextlib import nullcontext

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from hypothesis import given
from hypothesis import strategies as st

from tests.refusals import refused
from tests.wallet import seats
from tests.wallet.rawsql import expect_unchanged, line, post, refusal, run
from tests.wallet.seats import INR
from wallet import api as wallet
from wallet.ledger.balances import balance, get_player_balances, get_seat_balances
from wallet.ledger.chart import pot, seat
from wallet.ledger.checks import reconcile
from wallet.ledger.posting import Posting
from wallet.models import Transfer
from wallet.money import Buckets, compute_most_to_spend, give_back, spend
from wallet.refusals import CASH_IS_OFF, IdempotencyConflict, InsufficientFunds

AMOUNTS = st.integers(0, 10**9)
BUCKETS = st.builds(Buckets, AMOUNTS, AMOUNTS, AMOUNTS)


class TestPure:
    @pytest.mark.parametrize(
        ("amount", "have", "paid"),
        [
            (10_000, Buckets(5_000, 20_000, 3_000), Buckets(1_000, 9_000, 0)),
            (10_000, Buckets(400, 6_000, 9_000), Buckets(400, 6_000, 3_600)),
            (10_000, Buckets(9_000, 0, 9_000), Buckets(1_000, 0, 9_000)),
            (10_000, Buckets(9_000, 500, 8_499), None),
            (9, Buckets(9, 9, 0), Buckets(0, 9, 0)),  # a tenth of 9 is less than a paisa
        ],
    )
    def test_bonus_up_to_its_cap_then_deposit_then_winnings(self, amount, have, paid):
        assert spend(amount, of=have, bonus_bps=1_000) == paid

    @given(st.integers(1, 10**9), BUCKETS, st.integers(0, 10_000))
    def test_the_parts_are_the_amount_and_no_more_than_there_is(self, amount, have, bps):
        paid = spend(amount, of=have, bonus_bps=bps)
        if paid is None:
            assert min(have.bonus, amount * bps // 10_000) + have.deposit + have.winnings < amount
        else:
            assert paid.total == amount
            assert 0 <= paid.bonus <= min(have.bonus, amount * bps // 10_000)
            assert 0 <= paid.deposit <= have.deposit
            assert 0 <= paid.winnings <= have.winnings
            assert paid.winnings == 0 or paid.deposit == have.deposit

    @given(BUCKETS, st.integers(0, 10_000))
    def test_not_a_paisa_more_than_the_most(self, have, bps):
        most = compute_most_to_spend(have, bonus_bps=bps)
        assert most == 0 or spend(most, of=have, bonus_bps=bps) is not None
        assert spend(most + 1, of=have, bonus_bps=bps) is None

    @given(BUCKETS, st.data())
    def test_a_refund_is_in_proportion_to_the_paisa(self, paid, data):
        amount = data.draw(st.integers(0, paid.total))
        back = give_back(amount, paid=paid)
        assert back.total == amount
        for part, whole in zip(
            (back.bonus, back.deposit, back.winnings),
            (paid.bonus, paid.deposit, paid.winnings),
            strict=True,
        ):
            assert 0 <= part <= whole
            assert abs(part * paid.total - amount * whole) < max(paid.total, 1)
        assert give_back(paid.total, paid=paid) == paid

    def test_senseless_amounts_are_refused(self):
        with pytest.raises(ValueError, match="at least 1"):
            spend(0, of=Buckets(1, 1, 1), bonus_bps=0)
        with pytest.raises(ValueError, match="no more goes back"):
            give_back(4, paid=Buckets(1, 1, 1))


def fund(user_id=5, bonus=0, deposit=0, winnings=0):
    for amount, text in (
        (bonus, f"BONUS_EXPENSE,0,BONUS,{user_id},INR,{bonus},BONUS"),
        (deposit, f"DEPOSITS,0,PLAYER,{user_id},INR,{deposit},ADJUSTMENT"),
        (winnings, f"DEPOSITS,0,WINNINGS,{user_id},INR,{winnings},ADJUSTMENT"),
    ):
        if amount:
            post("fund:" + text.replace(",", ":"), text)


def buy_in(amount, **more):
    return seats.buy_in(5, amount, currency=INR, **more)


def cash_out(key=""):
    return seats.cash_out(5, currency=INR, key=key)


def cash():
    return get_player_balances(5).cash


@pytest.mark.django_db
class TestSpending:
    @pytest.fixture(autouse=True)
    def _bonus_pays_a_tenth(self, settings):
        settings.CASH_BONUS_BPS = 1_000
        yield
        assert reconcile().findings == ()

    def test_the_stored_lines_name_the_buckets(self):
        fund(bonus=5_000, deposit=6_000, winnings=9_000)
        posting = buy_in(10_000)
        assert cash() == Buckets(4_000, 0, 6_000)
        assert get_seat_balances([7], currency=INR) == {7: 10_000}
        lines = Transfer.objects.filter(journal_id=posting.journal_id, reason="BUY_IN")
        assert list(lines.order_by("line").values_list("source__kind", "amount")) == [
            ("BONUS", 1_000),
            ("PLAYER", 6_000),
            ("WINNINGS", 3_000),
        ]

    def test_the_ledger_decides_as_the_rule_says(self, settings):
        chance = random.Random(4)
        for case in range(40):
            user_id = 100 + case
            have = Buckets(*(chance.randrange(0, 50) for _ in range(3)))
            amount = chance.randrange(1, 120)
            settings.CASH_BONUS_BPS = chance.choice([0, 333, 1_000, 10_000])
            fund(user_id, have.bonus, have.deposit, have.winnings)
            paid = spend(amount, of=have, bonus_bps=settings.CASH_BONUS_BPS)
            with nullcontext() if paid else pytest.raises(InsufficientFunds):
                seats.buy_in(user_id, amount, user_id, currency=INR)
            paid = paid or Buckets(0, 0, 0)
            left = get_player_balances(user_id).cash
            assert left == Buckets(
                have.bonus - paid.bonus, have.deposit - paid.deposit, have.winnings - paid.winnings
            )

    def test_a_repeated_payment_ignores_later_changes_of_the_buckets(self, ledger, settings):
        fund(deposit=6_000, winnings=9_000)
        first = buy_in(5_000)
        fund(bonus=400)
        settings.CASH_BONUS_BPS = 2_000
        before = ledger()
        assert buy_in(5_000) == Posting(first.journal_id, replayed=True)
        with pytest.raises(IdempotencyConflict):
            buy_in(5_001)
        assert ledger() == before

    def test_held_cash_pays_nothing(self):
        fund(deposit=1_000)
        run(
            """SELECT ledger_hold('hold:1', '{"(PLAYER,5,0,WITHDRAWALS,0,0,INR,400,WITHDRAWAL)"}',
                                  clock_timestamp() + interval '1 minute')"""
        )
        with expect_unchanged(InsufficientFunds):
            buy_in(601)
        buy_in(600)
        assert cash() == Buckets(0, 0, 0)

    @pytest.mark.parametrize(
        ("text", "bps", "reason"),
        [
            ("PLAYER,5,SEAT,7,CHIPS,5,BUY_IN", 0, "LG003"),
            ("WINNINGS,5,SEAT,7,INR,5,BUY_IN", 0, "LG003"),
            ("PLAYER,5,WINNINGS,5,INR,5,BUY_IN", 0, "LG003"),
            ("PLAYER,5,PLAYER,6,INR,5,BUY_IN", 0, "LG003"),
            ("PLAYER,5,SEAT,7,INR,0,BUY_IN", 0, "LG003"),
            ("PLAYER,5,SEAT,7,INR,-5,BUY_IN", 0, "LG003"),
            ("PLAYER,5,SEAT,7,INR,5,BUY_IN", 10_001, "LG003"),
            ("PLAYER,5,SEAT,7,INR,5,BUY_IN", None, "LG003"),
            (
                "PLAYER,5,SEAT,7,INR,9000000000000000000,BUY_IN",
                10,
                "wallet_account_is_never_overdrawn",
            ),
        ],
    )
    def test_nothing_else_is_spent(self, text, bps, reason):
        fund(bonus=100, deposit=100, winnings=100)
        assert (
            refusal("SELECT ledger_spend('try:1', %s::wallet_line, %s)", line(text), bps) == reason
        )

    def test_a_rejoin_spends_the_buckets_and_a_cancelled_match_gives_them_back(self):
        fund(bonus=5_000, deposit=6_000)
        wallet.take_rejoin_fee(
            match_id=42, user_id=5, amount=2_000, currency=INR, key="match:42:entry:0:2"
        )
        assert cash() == Buckets(4_800, 4_200, 0)
        wallet.refund_match(match_id=42, currency=INR, key="match:42:refund")
        assert cash() == Buckets(5_000, 6_000, 0)
        assert balance(pot(42, INR)) == 0


@pytest.mark.django_db
class TestCashOut:
    @pytest.fixture(autouse=True)
    def _seated(self):
        fund(bonus=1_000, deposit=6_000, winnings=3_000)
        buy_in(10_000)
        assert cash() == Buckets(0, 0, 0)
        yield
        assert reconcile().findings == ()

    def test_cash_won_at_a_table_is_winnings(self):
        fund(user_id=6, deposit=500)
        post("match:1", "PLAYER,6,SEAT,7,INR,500,WINNINGS")
        assert cash_out() == 10_500
        assert cash() == Buckets(1_000, 6_000, 3_500)
        assert balance(seat(7, INR)) == 0

    def test_the_rest_of_a_stack_goes_back_in_proportion(self):
        post("match:1", "SEAT,7,POT,1,INR,6667,STAKE")
        assert cash_out() == 3_333
        assert cash() == Buckets(333, 2_000, 1_000)

    def test_a_repeated_cash_out_moves_nothing(self, ledger):
        assert cash_out() == 10_000
        before = ledger()
        assert cash_out() == 10_000
        assert cash_out("seat:7:out:again") == 0
        assert ledger() == before

    def test_a_top_up_counts_as_brought(self):
        fund(deposit=500)
        buy_in(500, is_top_up=True, key="seat:7:top:1")
        post("match:1", "SEAT,7,POT,1,INR,5250,STAKE")
        assert cash_out() == 5_250
        assert cash() == Buckets(500, 3_250, 1_500)

    def test_cash_comes_back_while_cash_is_off(self, settings):
        settings.CASH_PLAY = "off"
        assert cash_out() == 10_000


@pytest.mark.django_db
def test_cash_is_refused_where_it_is_off(settings, ledger):
    fund(deposit=1_000)
    settings.CASH_PLAY = "off"
    before = ledger()
    with refused(CASH_IS_OFF) as refusal:
        buy_in(100)
    assert refusal.value.code == "cash_is_off"
    assert str(refusal.value) == "This site has no games for cash. You can play for chips."
    assert ledger() == before


def test_an_unknown_mode_of_cash_keeps_the_site_from_starting(settings):
    settings.CASH_PLAY = "on"
    with pytest.raises(SystemCheckError, match=r"wallet\.E001"):
        call_command("check")
