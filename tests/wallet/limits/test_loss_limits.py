"""Players' own loss limits, checked wherever cash goes into play."""

from datetime import timedelta
from functools import partial

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.given import require
from tests.together import names_of, run_at_once
from tests.wallet.cash_players import bring_deposit, bring_winnings, make_player, read_cash
from tests.wallet.rawsql import expect_unchanged, post
from tests.wallet.seats import INR, buy_in, cash_out
from wallet import api as wallet
from wallet.limits.selectors import (
    compute_net_losses,
    deposit_limits,
    get_loss_limits,
    limit_states,
)
from wallet.limits.services import exclude_oneself, set_loss_limit
from wallet.models import LimitPeriod, LossLimit
from wallet.refusals import LOSS_LIMIT_REACHED, SELF_EXCLUDED

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


@pytest.fixture
def asha(asha):
    bring_deposit(asha, 500_000)
    return asha


def limit(user, amount, period=LimitPeriod.DAY):
    return set_loss_limit(user_id=user.pk, period=period, amount=amount)


def sit(user, seat, amount):
    buy_in(user.pk, amount, seat, currency=INR)


def leave(user, seat):
    cash_out(user.pk, seat, currency=INR)


def rejoin(user, amount):
    facts = {"user_id": user.pk, "currency": INR, "key": "match:4:r"}
    wallet.take_rejoin_fee(match_id=4, amount=amount, **facts)


def lose(seat, amount):
    """Move the amount to another player's seat as a lost stake."""
    post(f"lost:{seat}:{amount}", f"SEAT,{seat},SEAT,999,INR,{amount},STAKE")


def win(seat, amount):
    post(f"won:{seat}:{amount}", f"SUSPENSE,0,SEAT,{seat},INR,{amount},WINNINGS")


def day_losses(user, at=None):
    return compute_net_losses(user.pk, at=at or timezone.now())[LimitPeriod.DAY]


def expect_refusal(bring):
    with expect_unchanged(LOSS_LIMIT_REACHED):
        bring()


class TestEnforcement:
    def test_a_stack_at_a_table_counts_as_lost(self, asha, ledger):
        limit(asha, 100_000)
        sit(asha, 1, 60_000)
        assert day_losses(asha) == 60_000
        expect_refusal(lambda: sit(asha, 2, 40_001))
        sit(asha, 2, 40_000)
        expect_refusal(lambda: sit(asha, 3, 1))

    def test_a_stack_that_comes_back_is_no_loss(self, asha, ledger):
        limit(asha, 100_000)
        sit(asha, 1, 100_000)
        leave(asha, 1)
        assert day_losses(asha) == 0
        sit(asha, 2, 100_000)
        lose(2, 30_000)
        leave(asha, 2)
        assert day_losses(asha) == 30_000
        expect_refusal(lambda: sit(asha, 3, 70_001))
        sit(asha, 3, 70_000)

    def test_winnings_count_against_losses(self, asha, ledger):
        limit(asha, 100_000)
        sit(asha, 1, 50_000)
        lose(1, 50_000)
        sit(asha, 2, 50_000)
        win(2, 20_000)
        assert day_losses(asha) == 100_000  # the stack may still be lost
        leave(asha, 2)
        assert day_losses(asha) == 30_000
        expect_refusal(lambda: sit(asha, 3, 70_001))

    @pytest.mark.parametrize(
        ("period", "length"),
        [
            (LimitPeriod.DAY, timedelta(days=1)),
            (LimitPeriod.WEEK, timedelta(days=7)),
            (LimitPeriod.MONTH, timedelta(days=30)),
        ],
    )
    def test_a_loss_counts_for_its_period(self, asha, period, length):
        sit(asha, 1, 50_000)
        lose(1, 50_000)
        now = timezone.now()
        assert compute_net_losses(asha.pk, at=now + length - HOUR)[period] == 50_000
        assert compute_net_losses(asha.pk, at=now + length + HOUR)[period] == 0

    def test_a_seat_from_yesterday_counts_while_it_is_open(self, asha):
        sit(asha, 1, 50_000)
        assert day_losses(asha, at=timezone.now() + timedelta(days=20)) == 50_000

    def test_a_top_up_and_a_rejoin_count_too(self, asha, ledger):
        limit(asha, 100_000)
        sit(asha, 1, 90_000)

        def top_up(amount):
            buy_in(asha.pk, amount, 1, currency=INR, key="seat:1:top:1", is_top_up=True)

        expect_refusal(lambda: top_up(10_001))
        expect_refusal(lambda: rejoin(asha, 10_001))
        top_up(4_000)
        rejoin(asha, 6_000)
        assert day_losses(asha) == 100_000

    def test_a_tournament_fee_counts_and_its_refund_too(self, asha, ledger):
        limit(asha, 100_000)
        facts = {"user_id": asha.pk, "currency": INR, "key": "tournament:3:e:1"}
        enter = partial(wallet.pay_tournament_fee, tournament_id=3, **facts)
        expect_refusal(lambda: enter(amount=100_001))
        enter(amount=100_000)
        expect_refusal(lambda: sit(asha, 1, 1))
        wallet.refund_tournament_fee(tournament_id=3, paid_key="tournament:3:e:1")
        assert day_losses(asha) == 0
        sit(asha, 1, 100_000)

    def test_the_same_payment_again_is_not_refused(self, asha, ledger):
        limit(asha, 100_000)
        sit(asha, 1, 100_000)
        before = ledger()
        sit(asha, 1, 100_000)
        assert ledger() == before

    def test_lost_bonus_is_no_loss(self, asha, settings):
        settings.CASH_BONUS_BPS = 1_000
        post("gift", f"BONUS_EXPENSE,0,BONUS,{asha.pk},INR,50000,BONUS")
        sit(asha, 1, 100_000)
        assert day_losses(asha) == 90_000

    def test_chips_and_other_players_are_free(self, asha, settings):
        settings.WELCOME_CHIPS = 1_000
        limit(asha, 1)
        wallet.grant_welcome_chips(user_id=asha.pk)
        buy_in(asha.pk, 500, 9)
        other = make_player("Bela")
        bring_winnings(other, 10_000)
        sit(other, 5, 10_000)

    def test_a_raise_waits_for_three_days(self, asha):
        limit(asha, 20_000)
        limit(asha, 90_000)
        assert get_loss_limits(asha.pk) == {LimitPeriod.DAY: 20_000}
        assert deposit_limits(asha.pk) == {}
        state = limit_states(LossLimit, asha.pk)[0]
        assert (state.amount, state.coming) == (20_000, 90_000)
        assert timezone.now() + 71 * HOUR < require(state.coming_from) < timezone.now() + 73 * HOUR
        LossLimit.objects.filter(amount=90_000).update(effective_from=timezone.now())
        assert get_loss_limits(asha.pk) == {LimitPeriod.DAY: 90_000}

    def test_losses_are_not_counted_without_a_limit(self, asha):
        with CaptureQueriesContext(connection) as queries:
            sit(asha, 1, 1_000)
        assert not any("flow" in query["sql"] for query in queries)

    def test_an_excluded_player_does_not_rejoin(self, asha):
        exclude_oneself(user_id=asha.pk, until=None)
        with expect_unchanged(SELF_EXCLUDED):
            rejoin(asha, 100)


@pytest.mark.django_db(transaction=True)
def test_two_at_one_moment_do_not_pass_the_limit_together(asha):
    limit(asha, 100_000)
    outcomes = run_at_once(*(lambda seat=seat: sit(asha, seat, 60_000) for seat in (1, 2)))
    assert names_of(outcomes) == ["NoneType", "loss_limit_reached"]
    assert read_cash(asha).deposit == 440_000


class TestPage:
    @pytest.fixture(autouse=True)
    def _signed_in(self, asha, client):
        client.force_login(asha)

    def set(self, client, period="WEEK", amount="500"):
        answer = client.post(
            "/wallet/limits/losses/", {"period": period, "amount": amount}, follow=True
        )
        return " ".join(answer.text.split())

    def test_a_limit_is_set_and_raised(self, client, asha):
        assert "The new limit applies from now on." in self.set(client)
        page = self.set(client, amount="700")
        assert "The new limit takes effect in 72 hours" in page
        assert "₹700.00 from" in page
        assert "no limit from" in self.set(client, amount="")
        assert get_loss_limits(asha.pk) == {LimitPeriod.WEEK: 50_000}
        sit(asha, 1, 12_300)
        assert "within 7 days: ₹123.00 lost or at stake" in client.get("/wallet/limits/").text
