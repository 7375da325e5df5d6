import pytest
from django.db import DatabaseError, transaction

from tests.wallet.rawsql import expect_unchanged, run
from tests.wallet.seats import CHIPS, INR, buy_in, cash_out
from wallet import api as wallet
from wallet.ledger.balances import balance, get_seat_balances
from wallet.ledger.chart import PostingLine, mint, player, pot, rake, seat
from wallet.ledger.posting import post_transfers
from wallet.models import Journal, Reason, Transfer
from wallet.money import MAX_AMOUNT
from wallet.refusals import WALLET_CLOSED, IdempotencyConflict, InsufficientFunds

pytestmark = pytest.mark.django_db


@pytest.fixture
def asha(settings):
    settings.WELCOME_CHIPS = 10_000
    assert wallet.grant_welcome_chips(user_id=5) is True
    return 5


class TestWelcome:
    def test_welcome_chips_are_granted_once_per_account(self, asha, settings, ledger):
        before = ledger()
        assert wallet.grant_welcome_chips(user_id=asha) is False
        settings.WELCOME_CHIPS = 20_000
        assert wallet.grant_welcome_chips(user_id=asha) is False
        assert ledger() == before
        assert wallet.grant_welcome_chips(user_id=6) is True
        assert balance(player(6, CHIPS)) == 20_000
        assert (balance(mint(CHIPS, asha)), balance(mint(CHIPS, 6))) == (-10_000, -20_000)


class TestBuyIn:
    def test_a_buy_in_moves_chips_to_the_seat_once(self, asha):
        posting, again = (buy_in(asha, 800, subject="table:3") for _ in range(2))
        assert (posting.replayed, again.replayed) == (False, True)
        assert again.journal_id == posting.journal_id
        assert (balance(player(asha, CHIPS)), balance(seat(7, CHIPS))) == (9_200, 800)
        journal = Journal.objects.get(key="seat:7:in")
        assert (journal.actor_id, journal.subject) == (asha, "table:3")
        assert Transfer.objects.get(journal=journal).reason == Reason.BUY_IN

    def test_a_refused_buy_in_keeps_the_transaction_usable(self, asha, ledger):
        before = ledger()
        with transaction.atomic():
            with pytest.raises(InsufficientFunds) as refusal:
                buy_in(asha, 10_001)
            assert ledger() == before
            buy_in(asha, 10_000)
        assert refusal.value.code == "insufficient_funds"
        assert str(refusal.value) == "There is not enough in your wallet for this."
        assert balance(seat(7, CHIPS)) == 10_000

    @pytest.mark.parametrize("amount", [0, -1, MAX_AMOUNT + 1])
    def test_a_buy_in_of_a_senseless_amount_is_refused(self, asha, amount):
        with expect_unchanged(ValueError, match="an amount is between 1 and"):
            buy_in(asha, amount)


class TestCashOut:
    def test_a_cash_out_returns_the_whole_seat_once(self, asha):
        buy_in(asha, 800)
        for _ in range(2):
            assert cash_out(asha) == 800
        assert (balance(player(asha, CHIPS)), balance(seat(7, CHIPS))) == (10_000, 0)

    def test_a_bots_chips_go_back_to_the_mint(self):
        buy_in(None, 500, 8)
        assert balance(mint(CHIPS, 8)) == -500
        assert cash_out(None, 8) == 500
        assert (balance(mint(CHIPS, 8)), balance(seat(8, CHIPS))) == (0, 0)

    def test_bots_get_no_cash(self):
        with expect_unchanged(ValueError, match="MINT holds no INR"):
            buy_in(None, 5, 8, currency=INR)


def settle(**changes):
    facts = {
        "match_id": 42,
        "table_id": 3,
        "currency": CHIPS,
        "winner_seat_ids": [1],
        "losses": {2: 180, 3: 312, 4: 92, 5: 160, 6: 80},
        "rake_bps": 1_000,
        "rake_cap": None,
        "key": "match:42:settle",
    }
    return wallet.settle_points(**{**facts, **changes})


class TestSettlePoints:
    @pytest.fixture(autouse=True)
    def _seated(self):
        for seat_id in range(1, 7):
            buy_in(None, 1_000, seat_id)

    def test_the_published_example(self):
        """R6.5: 45 + 78 + 23 + 40 + 20 points at 4 chips a point make 824, here with a rake of 10 %."""
        settled = settle()
        assert (settled.gross, settled.rake, settled.net) == (824, 82, 742)
        assert settled.shares == {1: 742}
        assert get_seat_balances(range(1, 8)) == {
            1: 1_742, 2: 820, 3: 688, 4: 908, 5: 840, 6: 920, 7: 0
        }  # fmt: skip
        assert (balance(pot(42, CHIPS)), balance(rake(3, CHIPS))) == (0, 82)
        assert Journal.objects.get(key="match:42:settle").subject == "match:42"

    def test_a_repeated_settlement_changes_nothing(self, ledger):
        first = settle()
        before = ledger()
        assert settle() == first
        assert ledger() == before
        with pytest.raises(IdempotencyConflict), transaction.atomic():
            settle(losses={2: 181})
        assert ledger() == before

    def test_the_cap_limits_the_rake(self):
        settled = settle(rake_cap=50)
        assert (settled.rake, settled.net) == (50, 774)

    def test_several_winners_share_and_the_first_gets_the_odd_chip(self):
        settled = settle(winner_seat_ids=[5, 1, 3], losses={2: 100}, rake_bps=0)
        assert settled.shares == {5: 34, 1: 33, 3: 33}
        assert get_seat_balances([1, 2, 3, 5]) == {1: 1_033, 2: 900, 3: 1_033, 5: 1_034}

    @pytest.mark.parametrize("losses", [{}, {2: 0, 3: 0}])
    def test_nothing_lost_posts_nothing(self, losses, ledger):
        before = ledger()
        settled = settle(losses=losses)
        assert (settled.gross, settled.rake, settled.net) == (0, 0, 0)
        assert ledger() == before

    @pytest.mark.parametrize(
        "changes", [{"winner_seat_ids": []}, {"winner_seat_ids": [2]}, {"losses": {2: -1}}]
    )
    def test_senseless_facts_are_refused(self, changes):
        with expect_unchanged(ValueError, match="only losers pay"):
            settle(**changes)

    def test_a_seat_that_cannot_pay_ends_the_transaction(self):
        with expect_unchanged(InsufficientFunds), transaction.atomic():
            settle(losses={2: 1_001, 3: 5})


class TestPostTransfers:
    def test_other_database_errors_are_not_translated(self):
        line = PostingLine(mint(CHIPS, 1), seat(1, CHIPS), 5, Reason.PRACTICE_CHIPS)
        with pytest.raises(DatabaseError, match="wallet_key_is_plain_text"), transaction.atomic():
            post_transfers(key="not plain", lines=[line])

    def test_one_posting_is_one_call_and_a_savepoint(self, django_assert_num_queries):
        line = PostingLine(mint(CHIPS, 1), seat(1, CHIPS), 5, Reason.PRACTICE_CHIPS)
        # Django counts setting and releasing the savepoint. core.database.prepared does not use its cursors.
        with django_assert_num_queries(2):
            post_transfers(key="any:1", lines=[line])
        with django_assert_num_queries(2):
            post_transfers(key="any:2", lines=[line, line])
        assert balance(seat(1, CHIPS)) == 15

    def test_a_closed_account_refuses_a_posting(self, asha):
        buy_in(asha, 1)
        cash_out(asha)
        run("SELECT ledger_close_account('SEAT', 7, 'CHIPS')")
        with expect_unchanged(WALLET_CLOSED):
            buy_in(asha, 1, key="seat:7:again")

    def test_impossible_lines_are_refused(self):
        with pytest.raises(ValueError, match="never mix"):
            PostingLine(player(1, CHIPS), player(1, INR), 5, Reason.REFUND)
        with pytest.raises(ValueError, match="same account"):
            PostingLine(player(1, CHIPS), player(1, CHIPS), 5, Reason.REFUND)
