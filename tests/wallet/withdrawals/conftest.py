import pytest

from tests.wallet.cash_players import make_staff, may_withdraw


@pytest.fixture
def chief(db):
    return make_staff("Chief")


@pytest.fixture
def asha(asha, boss):
    """An identified player who has won 2,000 rupees. One administrator may approve up to 10,000 rupees."""
    return may_withdraw(asha, boss)
