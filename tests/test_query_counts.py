"""For each person in tests/e2e/site_map.py, a page takes the same number of queries for many rows as for few."""

import pytest
from django.test import Client
from django.utils import timezone

from tests.accounts.staff import office
from tests.api_program import Program
from tests.counted_pages import Visitors, queries_of, rows_of_lists
from tests.e2e.world import make_player, make_world
from tests.more_rows import add_rows
from tests.points_tables import open_points_table
from tests.tables.driving import drop, get_match, make_cup, start_match
from tests.tournaments.driving import begin, enter
from tests.wallet.cash_players import make_staff
from tournaments.models import Entrant
from tournaments.running.tick import tick
from wallet import api as wallet

# The ledger is sealed only up to transactions that have ended, so the test has to commit.
pytestmark = pytest.mark.django_db(transaction=True)
MORE = 3
# More than any page needs. Most pages take less than half of it.
MOST = 60


def test_every_page_answers_head_and_takes_the_same_queries_for_more_rows() -> None:
    world = make_world()
    add_rows(world, 1)
    visitors = Visitors(world)
    some, rows = visitors.count_queries(), rows_of_lists()
    for number in range(MORE):
        add_rows(world, 2 + number)
    more = visitors.count_queries()
    grown = {name: number - rows[name] for name, number in rows_of_lists().items()}
    assert len(grown) > 30
    assert {name for name, number in grown.items() if number < MORE} == set()
    assert len(some) > 150
    assert {
        name: (some[name], counts) for name, counts in more.items() if counts != some[name]
    } == {}
    assert {name: counts for name, counts in some.items() if most_of(counts) > MOST} == {}


def most_of(counts: int | tuple[int, ...]) -> int:
    return counts if isinstance(counts, int) else max(counts)


def test_a_tournament_takes_the_same_queries_for_more_players() -> None:
    wallet.set_starting_fees(valid_from=timezone.now())
    staff, nila = make_staff("Boss"), make_player("Nila")
    counted, players = [], []
    for bots in (6, 18):
        cup = make_cup(minutes=20, name=f"Cup of {bots}", entry_fee=100, bots_to=bots)
        tick()
        enter(cup, nila)
        assert begin(cup).is_running
        players.append(Entrant.objects.filter(tournament=cup).count())
        of_staff = f"/admin/tournaments/tournament/{cup.pk}"
        counted.append(
            [
                *queries_of_each(office(nila), [f"/tournaments/{cup.pk}/"]),
                *queries_of_each(Program(nila).client, [f"/api/v1/tournaments/{cup.pk}/"]),
                *queries_of_each(office(staff), [f"{of_staff}/change/", f"{of_staff}/money/"]),
            ]
        )
    assert players == [6, 18]
    assert counted[0] == counted[1]


def test_a_table_and_its_match_take_the_same_queries_for_more_players() -> None:
    wallet.set_starting_fees(valid_from=timezone.now())
    staff = make_staff("Boss")
    counted = []
    for seats in (2, 6):
        players = [make_player(f"Player{seats}{number}") for number in range(seats)]
        table = open_points_table(seats=6)
        start_match(table, *players)
        paths = [f"/tables/{table.pk}/", "/"]
        of_the_table = queries_of_each(office(players[0]), paths)
        for _ in range(seats - 1):
            drop(table)
        match = get_match(table)
        assert match.ended_at is not None
        paths = [f"/matches/{match.pk}/{part}" for part in ("", "deals/1/", "deals/1/verify/")]
        counted.append(
            [
                *of_the_table,
                *queries_of_each(office(players[0]), paths),
                *queries_of_each(Program(players[0]).client, [f"/api/v1/tables/{table.pk}/"]),
                *queries_of_each(office(staff), [f"/admin/tables/match/{match.pk}/change/"]),
            ]
        )
    assert counted[0] == counted[1]


def queries_of_each(client: Client, paths: list[str]) -> list[int]:
    """Open each page twice, and return the number of queries of the second time."""
    for path in paths:
        assert client.get(path).status_code == 200, path
    return [queries_of(client, path) for path in paths]
