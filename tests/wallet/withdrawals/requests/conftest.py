import pytest

from tests.wallet.cash_players import (
    approve_identity,
    bring_deposit,
    bring_winnings,
    make_player,
    make_staff,
    set_rules,
)


@pytest.fixture
def boss():
    return make_staff("Boss")


@pytest.fixture
def chief():
    return make_staff("Chief")


@pytest.fixture
def asha(boss):
    """Deposited 1,000 rupees and has won 2,000; the policy wants two approvals above 1,000."""
    set_rules(second_above=100_000)
    user = make_player()
    approve_identity(user, boss)
    bring_deposit(user, 100_000)
    bring_winnings(user, 200_000)
    return user
