import pytest

from tests.wallet.cash_players import make_player, make_staff, may_withdraw


@pytest.fixture
def boss(db):
    return make_staff("Boss")


@pytest.fixture
def chief(db):
    return make_staff("Chief")


@pytest.fixture
def asha(boss):
    """A known player who has won 2,000 rupees. One administrator approves up to 10,000."""
    return may_withdraw(make_player(), boss)
