"""Sockets at a private table: nobody watches where its host wants that, and a player sent away is parted from."""

import pytest
from websockets.exceptions import ConnectionClosed

from core.threads import in_thread
from tables.live.sockets import NOT_FOUND
from tables.seating.hosting.private_tables import HostTerms, open_hosted_table
from tables.seating.hosting.services import send_away, start_table
from tables.seating.sitting import take_seat
from tests.given import require
from tests.tables.driving import let_time_pass, play_a_turn
from tests.tables.socket_client import TableSocket, session_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def people(make_player):
    return [make_player() for _ in range(3)]


@pytest.fixture
def sessions(people):
    return [session_of(person) for person in people]


@pytest.fixture
def table(live_site, people, make_table):
    """A free table of three with two players, at which nobody watches and nobody talks."""
    make_table()
    terms = HostTerms(
        game="indian", preset="points", seats=3, allows_watchers=False, allows_chat=False
    )
    opened = open_hosted_table(terms, user_id=people[0].pk)
    take_seat(table_id=opened.pk, user_id=people[1].pk, amount=0, invite=opened.invite_code)
    return opened


@pytest.mark.parametrize("seconds", [0, 15])
async def test_without_a_seat_no_card_and_no_move_comes(
    live_site, people, sessions, table, settings, seconds
):
    settings.SPECTATOR_DELAY_SECONDS = seconds
    await in_thread(start_table, table_id=table.pk, user_id=people[0].pk)
    await in_thread(let_time_pass, table)
    watcher = TableSocket(live_site, table.pk, sessions[2], invite=table.invite_code)
    player = TableSocket(live_site, table.pk, sessions[1])
    async with watcher, player:
        await watcher.hello()
        await player.hello()
        assert watcher.state["game"] is None
        assert watcher.state["table"]["watchers"] is False
        assert player.state["game"] is not None
        await in_thread(play_a_turn, table)
        await player.receive_until("ev")
        # What comes next to the watcher is an answer to its own ping, or the table without a game.
        await watcher.send(type="ping", c=1)
        await watcher.receive_until("pong")
        assert watcher.state["game"] is None
        assert not [m for m in watcher.received if m["type"] == "ev"]


async def test_chat_is_refused_over_the_socket_too(live_site, sessions, table):
    async with TableSocket(live_site, table.pk, sessions[1]) as player:
        await player.hello()
        await player.send(type="say", phrase="hello", text="")
        assert (await player.answer())["code"] == "chat_off"


async def test_who_is_sent_away_is_told_and_parted_from(live_site, people, sessions, table):
    async with TableSocket(live_site, table.pk, sessions[1]) as player:
        await player.hello()
        await in_thread(send_away, table_id=table.pk, user_id=people[0].pk, other_id=people[1].pk)
        assert (await player.receive_until("bye"))["code"] == "sent_away"
        with pytest.raises(ConnectionClosed) as closed:
            await player.receive_until("snap", "ev")
        assert require(closed.value.rcvd).code == NOT_FOUND
    # With the link they do not come back to watch either.
    again = TableSocket(live_site, table.pk, sessions[1], invite=table.invite_code)
    async with again:
        with pytest.raises(ConnectionClosed) as closed:
            await again.hello()
    assert require(closed.value.rcvd).code == NOT_FOUND
    assert await in_thread(table.sittings.filter(left_at=None).count) == 1
