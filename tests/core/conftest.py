import pytest

from tests.wallet.cash_players import make_player, make_staff


@pytest.fixture
def asha(db):
    return make_player()


@pytest.fixture
def boss(db):
    return make_staff("Boss")
