import pytest

from tests.wallet.cash_players import bring_deposit


@pytest.fixture
def asha(asha, settings):
    settings.CASH_BONUS_BPS = 0
    bring_deposit(asha, 1_000_000)
    return asha
