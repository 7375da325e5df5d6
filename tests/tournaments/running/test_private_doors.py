"""Pages and calls that reach a private tournament: open to entrants, its code and staff, closed to others."""

import asyncio
import json

import pytest
from django.contrib.auth.models import Permission
from websockets.exceptions import ConnectionClosed

from core.threads import in_thread
from tables.models import Match, Table
from tests.api_program import Program
from tests.tables.socket_client import TableSocket, session_of
from tests.tournaments.browsing import read_page, sign_in
from tests.tournaments.driving import open_tables, play_table
from tests.tournaments.friends import open_cup, start_cup
from tests.tournaments.live.test_sockets import socket_to
from tournaments.models import Tournament

pytestmark = pytest.mark.usefixtures("starting_fees")


def play_half_a_cup(make_player):
    """Start a heads-up of four, finish its first table, and leave the second one running."""
    people = [make_player() for _ in range(4)]
    cup = start_cup(open_cup(*people, format="heads-up"))
    first, second = open_tables(cup)
    play_table(first)
    return cup, people, first, second


def deal_of(table):
    return Match.objects.get(table=table).pk


def staff_of(make_player):
    user = make_player()
    user.is_staff = True
    user.save()
    wanted = ["view_match", "view_tournament"]
    user.user_permissions.set(Permission.objects.filter(codename__in=wanted))
    return user


def pages_of(cup, table, running):
    match = deal_of(table)
    return [
        f"/tournaments/{cup.pk}/",
        f"/tables/{running.pk}/",
        f"/tables/{running.pk}/rules/",
        f"/tables/{running.pk}/players/0/",
        f"/matches/{match}/",
        f"/matches/{match}/deals/1.json",
        f"/matches/{match}/deals/1/verify/",
    ]


def api_of(cup, table, running):
    match = deal_of(table)
    return [
        f"tournaments/{cup.pk}/",
        f"tables/{running.pk}/",
        f"matches/{match}/",
        f"matches/{match}/deals/1/",
    ]


def assert_answers(client, paths, *wanted):
    found = {path: client.get(path).status_code for path in paths}
    assert set(found.values()) <= set(wanted), found


@pytest.mark.django_db
class TestPages:
    def test_a_stranger_finds_no_page_of_a_private_tournament(self, client, make_player):
        cup, _people, *tables = play_half_a_cup(make_player)
        # All pages of matches require signing in, whoever played.
        assert_answers(client, pages_of(cup, *tables), 404, 302)
        stranger = make_player()
        sign_in(client, stranger)
        assert_answers(client, pages_of(cup, *tables), 404)
        assert_answers(Program(stranger), api_of(cup, *tables), 404)

    def test_unknown_and_private_tournaments_answer_alike(self, client, make_player):
        cup, people, *_tables = play_half_a_cup(make_player)
        sign_in(client, make_player())
        for act in ("withdraw", "rebuy", "register", "begin", "call-off"):
            answers = [client.post(f"/tournaments/{pk}/{act}/") for pk in (cup.pk, 999_999)]
            assert [answer.status_code for answer in answers] == [404, 404], act
        assert cup.entrants.count() == len(people)

    def test_entrants_and_staff_see_every_page_of_a_private_tournament(self, client, make_player):
        cup, people, table, running = play_half_a_cup(make_player)
        seated = set(running.sittings.values_list("user_id", flat=True))
        away = next(user for user in people if user.pk not in seated)
        for user in (away, staff_of(make_player)):
            sign_in(client, user)
            assert_answers(client, pages_of(cup, table, running), 200)
        assert_answers(Program(away), api_of(cup, table, running), 200)

    def test_the_link_opens_every_page_of_a_private_tournament(self, client, make_player):
        cup, _people, table, running = play_half_a_cup(make_player)
        sign_in(client, make_player())
        body = read_page(client, cup.invite_url)
        watched = f"/tables/{running.pk}/?invite={cup.invite_code}"
        assert watched in body
        assert f"/ws/tournaments/{cup.pk}/?invite={cup.invite_code}" in body
        text = read_page(client, watched)
        assert f"/ws/tables/{running.pk}/?invite={cup.invite_code}" in text
        assert "invite your friends" not in text  # nobody can sit down here
        match = deal_of(table)
        assert f'href="/matches/{match}/"' in body
        assert_answers(client, [f"/matches/{match}/", f"/matches/{match}/deals/1/verify/"], 200)
        assert_answers(client, [f"/tables/{running.pk}/?invite=wrong"], 404)

    def test_the_code_gives_no_seat_and_no_place_in_the_queue(self, client, make_player):
        cup, _people, _table, running = play_half_a_cup(make_player)
        sign_in(client, make_player())
        before = set(running.sittings.values_list("user_id", flat=True))
        for act in ("sit", "queue"):
            client.post(f"/tables/{running.pk}/{act}/", {"invite": cup.invite_code, "amount": "1"})
        assert set(running.sittings.values_list("user_id", flat=True)) == before
        assert not running.queue.exists()

    def test_a_public_tournament_stays_public(self, client, make_player):
        cup, _people, table, running = play_half_a_cup(make_player)
        for row in (table, running):
            Table.objects.filter(pk=row.pk).update(invite_code="")
        Tournament.objects.filter(pk=cup.pk).update(invite_code="")
        sign_in(client, make_player())
        assert_answers(client, pages_of(cup, table, running), 200)


async def await_close_code(address, live_site, session=None):
    async with socket_to(live_site, address, session) as socket:
        try:
            await socket.send(json.dumps({"type": "ping"}))
            while True:
                if json.loads(await asyncio.wait_for(socket.recv(), 20))["type"] == "pong":
                    return None
        except ConnectionClosed:
            return socket.close_code


async def test_sockets_answer_as_the_pages_do(live_site, transactional_db, make_player):
    cup, people, _table, running = await in_thread(play_half_a_cup, make_player)
    stranger = await in_thread(lambda: session_of(make_player()))
    friend = await in_thread(lambda: session_of(people[0]))
    own, none = f"/ws/tournaments/{cup.pk}/", "/ws/tournaments/999999/"
    with_code = f"{own}?invite={cup.invite_code}"
    for session in (None, stranger):
        answers = [
            await await_close_code(path, live_site, session) for path in (own, none, with_code)
        ]
        assert answers == [4404, 4404, None]
    assert await await_close_code(own, live_site, friend) is None
    async with TableSocket(live_site, running.pk, stranger) as socket:
        assert (await socket.receive_until("bye"))["code"] == "table_not_found"
    async with TableSocket(live_site, running.pk, friend) as socket:
        assert (await socket.hello())["type"] == "snap"
