from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

import pytest

from accounts.desk.staff_roles import Role
from tests.accounts.staff import member, office
from tests.wallet import rawsql
from tests.wallet.cash_players import make_player, make_staff


@pytest.fixture
def as_owner() -> Callable[[], AbstractContextManager[None]]:
    return rawsql.as_owner


@pytest.fixture
def ledger() -> Callable[[], rawsql.Snapshot]:
    """Return a function that reads every row of the ledger, for comparison before and after."""
    return partial(rawsql.snapshot, *rawsql.LEDGER)


@pytest.fixture
def boss(db):
    return make_staff("Boss")


@pytest.fixture
def desk(db):
    """A browser in which a staff member of the Finance role is signed in."""
    return office(member(Role.FINANCE))


@pytest.fixture
def asha(db):
    return make_player()


@pytest.fixture
def site(live_site: str, settings: Any, transactional_db: None) -> str:
    """The address of the running site. Its payment sandbox is reached over real HTTP."""
    settings.PAYMENT_OPTIONS = {"SANDBOX_URL": live_site}
    return live_site
