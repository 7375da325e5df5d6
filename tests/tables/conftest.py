"""Fixtures: players with chips, and tables, made by the services that production uses."""

import itertools
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from django.utils import timezone

from accounts.models import User
from tables.models import Table
from tables.seating.opening import TableTerms, open_table
from tests.separate_processes import Processes, separate_processes
from tests.tables.driving import FREE, player_at, start_match
from tests.tables.socket_client import session_of
from wallet import api as wallet

MakePlayer = Callable[..., User]
MakeTable = Callable[..., Table]


@pytest.fixture
def make_player() -> MakePlayer:
    numbers = itertools.count(1)

    def make(*, chips: bool = True) -> User:
        number = next(numbers)
        user = User.objects.create_user(
            f"player{number}@example.com", None, player_name=f"Player {number}"
        )
        if chips:
            wallet.grant_welcome_chips(user_id=user.pk)
        return user

    return make


@pytest.fixture
def players(make_player: MakePlayer) -> list[User]:
    return [make_player() for _ in range(4)]


@pytest.fixture
def fees(db: None) -> None:
    """Set the service fees of a new site. Without them no table can be opened."""
    wallet.set_starting_fees(valid_from=timezone.now())


@pytest.fixture
def make_table() -> MakeTable:
    def make(**terms: object) -> Table:
        wallet.set_starting_fees(valid_from=timezone.now())
        stake = {} if "entry_fee" in terms else {"point_value": 1}
        settings = {
            "game": "indian",
            "preset": "points",
            "name": "Peepal Room",
            "max_seats": 2,
            **stake,
            **terms,
        }
        return open_table(TableTerms(**settings))  # type: ignore[arg-type]

    return make


@pytest.fixture
def make_free(make_table: MakeTable) -> MakeTable:
    """Make free tables, which are private and at which nothing is at stake."""
    return partial(make_table, **FREE)


@pytest.fixture
def table(make_player: MakePlayer, make_table: MakeTable) -> Table:
    """A table of two in its first turn. A point is worth one chip, and each player brought 800 chips."""
    return start_match(make_table(), make_player(), make_player())


@pytest.fixture
def processes(transactional_db: None) -> Iterator[Processes]:
    with separate_processes() as started:
        yield started


@pytest.fixture
def table_and_sessions(transactional_db: None, table: Table) -> tuple[Table, list[str]]:
    """A table of two in a match, and the session cookies of its players by seat."""
    return table, [session_of(player_at(table, seat)) for seat in (0, 1)]
