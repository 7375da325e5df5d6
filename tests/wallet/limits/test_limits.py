"""The limits that players set for themselves, which all services respect."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from tests.given import require
from tests.refusals import refused
from tests.wallet.cash_players import make_player
from tests.wallet.seats import buy_in, cash_out
from wallet import api as wallet
from wallet.deposits.services import start_deposit
from wallet.ledger.balances import get_player_balances
from wallet.limits.selectors import deposit_limits, find_exclusion
from wallet.limits.services import exclude_oneself, set_deposit_limit, set_loss_limit
from wallet.models import Deposit, DepositLimit, LossLimit, SelfExclusion
from wallet.refusals import (
    DEPOSIT_LIMIT_REACHED,
    MALFORMED_POSTING,
    SELF_EXCLUDED,
    ExclusionTooShort,
)

pytestmark = pytest.mark.django_db

Period = DepositLimit.Period
HOUR = timedelta(hours=1)


@pytest.fixture
def asha(asha):
    return asha.pk


def bring(user_id, amount, state=Deposit.State.PAID, ago=timedelta(0)):
    deposit = start_deposit(user_id=user_id, amount=amount)
    then = timezone.now() - ago
    decided_at = None if state == Deposit.State.WAITING else then
    rows = Deposit.objects.filter(pk=deposit.pk)
    rows.update(state=state, started_at=then, decided_at=decided_at)


def limit(user_id, amount, period=Period.DAY):
    return set_deposit_limit(user_id=user_id, period=period, amount=amount)


def time_passes(by):
    for row in DepositLimit.objects.all():
        DepositLimit.objects.filter(pk=row.pk).update(effective_from=row.effective_from - by)


def expect_refusal(user_id, amount):
    count = Deposit.objects.count()
    with refused(DEPOSIT_LIMIT_REACHED) as refusal:
        start_deposit(user_id=user_id, amount=amount)
    assert refusal.value.code == "deposit_limit_reached"
    assert Deposit.objects.count() == count


class TestDepositLimits:
    @pytest.mark.parametrize(
        ("period", "length"),
        [
            (Period.DAY, timedelta(days=1)),
            (Period.WEEK, timedelta(days=7)),
            (Period.MONTH, timedelta(days=30)),
        ],
    )
    def test_deposits_within_the_period_count(self, asha, period, length):
        bring(asha, 40_000, ago=length + HOUR)
        bring(asha, 30_000, ago=length - HOUR)
        limit(asha, 50_000, period)
        expect_refusal(asha, 20_001)
        bring(asha, 20_000)
        expect_refusal(asha, 5_000)

    def test_failed_and_abandoned_deposits_do_not_count(self, asha):
        limit(asha, 50_000)
        bring(asha, 50_000, Deposit.State.FAILED)
        bring(asha, 50_000, Deposit.State.WAITING, ago=timedelta(minutes=61))
        bring(asha, 30_000, Deposit.State.WAITING)
        expect_refusal(asha, 20_001)

    def test_a_lower_limit_counts_at_once_and_a_higher_one_after_three_days(self, asha):
        limit(asha, 50_000)
        limit(asha, 20_000)
        assert deposit_limits(asha) == {Period.DAY: 20_000}
        limit(asha, 90_000)
        assert deposit_limits(asha) == {Period.DAY: 20_000}
        expect_refusal(asha, 20_001)
        time_passes(71 * HOUR)
        assert deposit_limits(asha) == {Period.DAY: 20_000}
        time_passes(HOUR)
        assert deposit_limits(asha) == {Period.DAY: 90_000}

    def test_a_limit_is_removed_after_three_days(self, asha):
        limit(asha, 20_000)
        limit(asha, None)
        expect_refusal(asha, 20_001)
        time_passes(72 * HOUR)
        assert deposit_limits(asha) == {Period.DAY: None}
        bring(asha, 20_001)
        limit(asha, 20_000)  # from none to one is lower
        assert deposit_limits(asha) == {Period.DAY: 20_000}

    def test_a_later_limit_replaces_a_pending_raise(self, asha):
        limit(asha, 20_000)
        limit(asha, 90_000)
        limit(asha, 10_000)
        time_passes(100 * HOUR)
        assert deposit_limits(asha) == {Period.DAY: 10_000}

    @pytest.mark.parametrize("set_limit", [set_deposit_limit, set_loss_limit])
    @pytest.mark.parametrize("amount", [0, -1, 10**15 + 1])
    def test_senseless_limits_are_refused(self, asha, set_limit, amount):
        with refused(MALFORMED_POSTING):
            set_limit(user_id=asha, period=Period.DAY, amount=amount)
        assert not DepositLimit.objects.exists()
        assert not LossLimit.objects.exists()

    def test_the_limit_of_one_player_does_not_bind_another(self, asha):
        limit(asha, 5_000)
        bring(make_player("Bela").pk, 90_000)


class TestSelfExclusion:
    def test_an_excluded_player_neither_deposits_nor_buys_in(self, asha, settings, ledger):
        settings.WELCOME_CHIPS = 1_000
        wallet.grant_welcome_chips(user_id=asha)
        exclude_oneself(user_id=asha, until=timezone.now() + timedelta(days=1, hours=1))
        before = ledger()
        with refused(SELF_EXCLUDED) as refusal:
            start_deposit(user_id=asha, amount=5_000)
        assert str(refusal.value) == "You have excluded yourself from playing for now."
        for is_top_up in (False, True):
            with refused(SELF_EXCLUDED):
                buy_in(asha, 100, is_top_up=is_top_up)
        assert ledger() == before
        assert not Deposit.objects.exists()

    def test_an_excluded_player_gets_a_stack_back(self, asha, settings):
        settings.WELCOME_CHIPS = 1_000
        wallet.grant_welcome_chips(user_id=asha)
        buy_in(asha, 400)
        exclude_oneself(user_id=asha, until=None)
        assert cash_out(asha) == 400
        assert get_player_balances(asha).chips == 1_000

    def test_an_exclusion_ends_automatically(self, asha):
        exclude_oneself(user_id=asha, until=timezone.now() + timedelta(days=2))
        SelfExclusion.objects.update(until=timezone.now())
        assert find_exclusion(asha) is None
        bring(asha, 5_000)

    @pytest.mark.parametrize("length", [timedelta(0), timedelta(hours=23, minutes=59)])
    def test_an_exclusion_lasts_at_least_a_day(self, asha, length):
        with pytest.raises(ExclusionTooShort) as refusal:
            exclude_oneself(user_id=asha, until=timezone.now() + length)
        assert refusal.value.code == "exclusion_too_short"
        assert find_exclusion(asha) is None

    def test_an_exclusion_cannot_be_shortened(self, asha):
        week = timezone.now() + timedelta(days=7)
        exclude_oneself(user_id=asha, until=week)
        with pytest.raises(ExclusionTooShort):
            exclude_oneself(user_id=asha, until=week - HOUR)
        assert require(find_exclusion(asha)).until == week
        exclude_oneself(user_id=asha, until=week + HOUR)
        assert require(find_exclusion(asha)).until == week + HOUR
        exclude_oneself(user_id=asha, until=None)
        with pytest.raises(ExclusionTooShort):
            exclude_oneself(user_id=asha, until=week + timedelta(days=3_650))
        assert require(find_exclusion(asha)).until is None


class TestPage:
    @pytest.fixture(autouse=True)
    def _signed_in(self, asha, client):
        client.force_login(User.objects.get(pk=asha))

    def post(self, client, path, **fields):
        return client.post(f"/wallet/limits/{path}/", fields, follow=True).text

    def test_a_limit_is_set_and_raised(self, asha, client):
        page = self.post(client, "deposits", period="DAY", amount="500")
        assert "The new limit applies from now on." in page
        assert "₹500.00" in page
        page = self.post(client, "deposits", period="DAY", amount="")
        assert "The new limit takes effect in 72 hours" in page
        assert "₹500.00" in page
        assert deposit_limits(asha) == {Period.DAY: 50_000}

    @pytest.mark.parametrize("path", ["deposits", "losses"])
    @pytest.mark.parametrize(
        ("fields", "sentence"),
        [
            ({"amount": "-1"}, "Enter an amount in digits"),
            ({"amount": "५0"}, "Enter an amount in digits"),
            ({"amount": "0"}, "more than zero"),
            ({"amount": "1.234"}, "two digits after the decimal point"),
            ({"period": "YEAR"}, "valid choice"),
        ],
    )
    def test_a_bad_limit_is_refused_with_a_sentence(self, client, path, fields, sentence):
        assert sentence in self.post(client, path, **{"period": "DAY", "amount": "5", **fields})
        assert not DepositLimit.objects.exists()
        assert not LossLimit.objects.exists()

    def test_self_exclusion_asks_twice(self, asha, client):
        assert "required" in self.post(client, "exclusion", days="7")
        assert find_exclusion(asha) is None
        page = self.post(client, "exclusion", days="7", sure="on")
        assert "You have excluded yourself until" in page
        assert "at least 24 hours" in self.post(client, "exclusion", days="1", sure="on")
        page = self.post(client, "exclusion", days="0", sure="on")
        assert "You have excluded yourself for good." in page
