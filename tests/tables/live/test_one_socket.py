"""A player's own news (balance, tables), sent over the socket of a table."""

from accounts.api_tokens.services import make_token
from accounts.models import Scope
from core import threads
from core.page_notices import notify_pages
from core.threads import in_thread
from players import services as people
from tables.models import Table
from tests.tables.driving import befriend, seat_all
from wallet import api as wallet
from wallet.money import Currency


def move_chips(user):
    wallet.buy_in(user_id=user.pk, seat_id=7_000, amount=1, currency=Currency.CHIPS, key="in:7")


async def test_a_page_that_asks_hears_its_players_news(scene):
    player = scene.people[0]
    async with scene.connect(0) as (page,):
        await page.send(type="me")
        first = await page.receive_until("balance")
        await in_thread(move_chips, player)
        assert (await page.receive_until("balance"))["chips"] == first["chips"] - 1
        await notify_pages(player.pk, {"type": "withdrawal"})
        assert await page.receive_until("withdrawal") == {"type": "withdrawal"}
        chair = {"type": "chair", "table": 9, "name": "Neem", "until": 1, "url": "/tables/9/"}
        await notify_pages(player.pk, chair)
        assert await page.receive_until("chair") == chair
        # A repeated question gets the current state, and each hint comes once.
        await page.send(type="me")
        await notify_pages(player.pk, {"type": "identity"})
        await notify_pages(player.pk, chair)
        await page.receive_until("chair")
        assert [one["type"] for one in page.received].count("identity") == 1


async def test_a_friends_invitation_is_heard(scene, make_table):
    player, friend = scene.people[0], scene.people[1]

    def befriend_and_open():
        befriend(player, friend)
        other = make_table(name="Fig Room")
        seat_all(other, friend)
        return other

    other = await in_thread(befriend_and_open)
    async with scene.connect(0) as (page,):
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


async def test_a_page_hears_no_news_unasked_or_of_another_player(scene):
    async with scene.connect(0, 1) as (first, second):
        await second.send(type="me")
        await second.receive_until("balance")
        await notify_pages(scene.people[0].pk, {"type": "identity"})
        for socket in (first, second):
            await socket.ping()
            assert "identity" not in [one["type"] for one in socket.received]
        assert "balance" not in [one["type"] for one in first.received]


async def test_visitors_and_programs_cannot_ask_for_news(scene):
    def make_bot_token():
        Table.objects.filter(pk=scene.table.pk).update(allows_api_players=True)
        return make_token(user_id=scene.people[0].pk, name="bot", scopes=[Scope.PLAY])

    _token, text = await in_thread(make_bot_token)
    async with scene.socket(None) as nobody, scene.socket(None, token=text) as program:
        for socket in (nobody, program):
            await socket.hello()
            await socket.send(type="me")
            assert (await socket.receive_until("error", "balance"))["code"] == "unknown_type"


async def test_a_page_keeps_its_table_when_its_news_must_wait(scene, monkeypatch):
    """The threads that read news are busy, as after a failover, when thousands of pages ask for missed news."""
    async with scene.connect(0) as (page,):
        monkeypatch.setattr(threads._aside, "_most", 0)
        await page.send(type="me")
        await in_thread(move_chips, scene.people[0])  # a hint of the balance
        await page.ping()
        monkeypatch.undo()
        assert not [one for one in page.received if one["type"] in ("balance", "bye")]
        await page.send(type="me")
        assert (await page.receive_until("balance"))["chips"] > 0
