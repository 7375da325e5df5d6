import pytest

from tests.wallet.cash_players import bring_deposit, make_player, make_staff


@pytest.fixture
def boss(db):
    return make_staff("Boss")


@pytest.fixture
def asha(db, settings):
    settings.CASH_BONUS_BPS = 0
    user = make_player()
    bring_deposit(user, 1_000_000)
    return user
