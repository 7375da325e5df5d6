import pytest

from tests.accounts.staff import office
from tests.wallet.cash_players import make_player, make_staff


@pytest.fixture(autouse=True)
def _fresh(fresh_rate_limits):
    """Clear the rate limits before each test: allauth counts attempts in the cache."""


@pytest.fixture
def asha(db):
    return make_player()


@pytest.fixture
def boss(db):
    return make_staff("Boss")


@pytest.fixture
def desk(boss):
    """A browser in which a superuser is signed in."""
    return office(boss)
