"""A player's own news comes over the table's socket, if its page asks for it."""

import pytest

from accounts.api_tokens.services import make_token
from accounts.models import Scope
from core import threads
from core.page_notices import tell
from core.threads import in_thread
from tables.models import Table
from tables.players import services as people
from tables.seating.sitting import take_seat
from tests.tables.driving import player_at, start_match
from tests.tables.socket_client import TableSocket, session_of
from wallet import api as wallet
from wallet.money import Currency


@pytest.fixture
def scene(live_site, transactional_db, make_player, make_table):
    table = start_match(make_table(), make_player(), make_player())
    return live_site, table, player_at(table, 0), player_at(table, 1)


def move_chips(user):
    wallet.buy_in(user_id=user.pk, seat_id=7_000, amount=1, currency=Currency.CHIPS, key="in:7")


async def test_who_asks_hears_it_over_the_tables_socket(scene, settings):
    address, table, player, _other = scene
    session = await in_thread(session_of, player)
    async with TableSocket(address, table.pk, session) as page:
        await page.hello()
        await page.send(type="me")
        first = await page.receive_until("balance")
        await in_thread(move_chips, player)
        assert (await page.receive_until("balance"))["chips"] == first["chips"] - 1
        await tell(player.pk, {"type": "withdrawal"})
        assert await page.receive_until("withdrawal") == {"type": "withdrawal"}
        chair = {"type": "chair", "table": 9, "name": "Neem", "until": 1, "url": "/tables/9/"}
        await tell(player.pk, chair)
        assert await page.receive_until("chair") == chair
        # Asked again, it says only what holds, and each hint still comes once.
        await page.send(type="me")
        await tell(player.pk, {"type": "identity"})
        await tell(player.pk, chair)
        await page.receive_until("chair")
        assert [one["type"] for one in page.received].count("identity") == 1


async def test_a_friends_invitation_is_heard(scene, make_table):
    address, table, player, friend = scene
    session = await in_thread(session_of, player)

    def befriend_and_open():
        people.follow(user_id=player.pk, other_id=friend.pk)
        people.follow(user_id=friend.pk, other_id=player.pk)
        other = make_table(name="Fig Room")
        take_seat(table_id=other.pk, user_id=friend.pk, number=0, amount=800)
        return other

    other = await in_thread(befriend_and_open)
    async with TableSocket(address, table.pk, session) as page:
        await page.hello()
        await page.send(type="me")
        await page.receive_until("balance")
        ids = {"user_id": friend.pk, "friend_id": player.pk, "table_id": other.pk}
        await in_thread(lambda: people.invite(**ids))
        assert await page.receive_until("invitation") == {
            "type": "invitation",
            "sender": friend.player_name,
            "name": "Fig Room",
            "url": f"/tables/{other.pk}/",
        }


async def test_nobody_hears_it_unasked_or_of_another(scene):
    address, table, player, other = scene
    session, others = await in_thread(lambda: (session_of(player), session_of(other)))
    first, second = TableSocket(address, table.pk, session), TableSocket(address, table.pk, others)
    async with first, second:
        await first.hello()
        await second.hello()
        await second.send(type="me")
        await second.receive_until("balance")
        await tell(player.pk, {"type": "identity"})
        for socket in (first, second):
            await socket.send(type="ping", c=1)
            await socket.receive_until("pong")
            assert "identity" not in [one["type"] for one in socket.received]
        assert "balance" not in [one["type"] for one in first.received]


async def test_people_without_an_account_and_programs_are_refused(scene):
    address, table, player, _other = scene

    def make_bot_token():
        Table.objects.filter(pk=table.pk).update(allows_api_players=True)
        return make_token(user_id=player.pk, name="bot", scopes=[Scope.PLAY])

    _token, text = await in_thread(make_bot_token)
    nobody = TableSocket(address, table.pk, None)
    program = TableSocket(address, table.pk, None, token=text)
    async with nobody, program:
        for socket in (nobody, program):
            await socket.hello()
            await socket.send(type="me")
            assert (await socket.receive_until("error", "balance"))["code"] == "unknown_type"


async def test_pages_that_all_ask_at_once_keep_their_tables(scene, monkeypatch):
    """After a lost server thousands ask what they missed: who finds no room plays on, and is told
    when the page asks again."""
    address, table, player, _other = scene
    session = await in_thread(session_of, player)
    async with TableSocket(address, table.pk, session) as page:
        await page.hello()
        monkeypatch.setattr(threads._aside, "_most", 0)
        await page.send(type="me")
        await in_thread(move_chips, player)  # and a hint of a balance
        await page.send(type="ping", c=1)
        assert (await page.receive_until("pong"))["c"] == 1
        monkeypatch.undo()
        assert not [one for one in page.received if one["type"] in ("balance", "bye")]
        await page.send(type="me")
        assert (await page.receive_until("balance"))["chips"] > 0
