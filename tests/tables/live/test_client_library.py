"""The client library at a live site."""

import asyncio
import json
import random
from typing import Any

import pytest
import websockets
from openrummy_client import (
    Api,
    BlockingApi,
    Closed,
    MoveRefused,
    Refused,
    Table,
    Unreachable,
    __version__,
)
from openrummy_client import table as table_module

from accounts.api_tokens.services import make_token, revoke_token
from accounts.models import Scope
from core.threads import in_thread
from games.registry import get_game
from tables.models import Change, Match
from tests.given import require
from tests.tables.driving import end_match, leave, player_at, seat_all, start_match
from tests.tables.live.programs import SECONDS, await_state, connect, is_own_turn, make_tokens
from tests.tables.live.scene import read_record
from tests.wallet.seats import buy_in
from wallet.ledger.entries import PAGE_LENGTH

INDIAN = get_game("indian")
# Refusals after the clock or another player's declaration came first.
QUICKER = frozenset({"not_your_turn", "wrong_step", "stale_version", "too_late"})


@pytest.fixture
def scene(live_site, transactional_db, make_player, make_table):
    """The site's address, a table in a match, and a token row with its text for each seat."""
    table = start_match(make_table(allows_api_players=True), make_player(), make_player())
    return live_site, table, make_tokens(table)


def connection(scene: Any, seat: int) -> Table:
    address, row, tokens = scene
    return connect(address, row, tokens[seat])


def may_act(state: dict[str, Any]) -> bool:
    kinds = {move["kind"] for move in state["you"].get("legal", [])}
    return bool(kinds & {"draw", "discard", "declare", "show"}) and bool(state["you"]["hand"])


async def play(table: Table, seed: int, cuts: random.Random | None = None) -> dict[str, Any]:
    """Play a match with the site's bot. `cuts` drops the connection now and then, sometimes during a move."""
    rng = random.Random(seed)
    has_begun = False
    async for state in table.changes():
        is_played = state["table"]["status"] == "playing"
        if has_begun and not is_played:
            return state
        has_begun |= is_played
        if not is_played or not may_act(state):
            continue
        view = {"public": state["game"], "you": state["you"], "rules": state["rules"]}
        move = INDIAN.bots(view, state["you"]["seat"], strength="hard", rng=rng)
        acting = asyncio.create_task(table.act(move))
        if cuts is not None and cuts.random() < 0.3:
            await asyncio.sleep(cuts.random() / 50)
            if table._socket is not None:
                table._socket.transport.abort()
        try:
            await acting
        except MoveRefused as refused:
            if refused.code not in QUICKER:
                raise
    raise AssertionError("unreachable")


async def test_two_programs_finish_a_match_over_lost_connections(scene):
    _address, row, _tokens = scene
    async with connection(scene, 0) as one, connection(scene, 1) as other, asyncio.timeout(240):
        ends = await asyncio.gather(
            play(one, seed=1, cuts=random.Random(3)), play(other, seed=2, cuts=random.Random(4))
        )
    amounts = {frozenset(end["table"]["settlement"]["amounts"].items()) for end in ends}
    assert len(amounts) == 1
    match = await in_thread(Match.objects.get, table=row.pk)
    assert require(match.settlement)["amounts"] == dict(amounts.pop())


async def test_a_move_on_a_lost_connection_is_played_once(scene):
    _address, row, _tokens = scene
    async with connection(scene, 0) as one, connection(scene, 1) as other:
        first, second = [await await_state(table) for table in (one, other)]
        mover = one if is_own_turn(first) else other
        assert is_own_turn(second) == (mover is other)
        before = await in_thread(Change.objects.filter(table=row.pk).count)
        acting = asyncio.create_task(mover.act({"kind": "draw", "source": "closed"}))
        await asyncio.sleep(0)
        assert mover._socket is not None
        mover._socket.transport.abort()
        async with asyncio.timeout(SECONDS):
            await acting
        assert len(mover.state["you"]["hand"]) == 14
        assert await in_thread(Change.objects.filter(table=row.pk).count) == before + 1


async def test_the_client_raises_the_code_of_a_refused_move(scene):
    _address, row, _tokens = scene
    async with connection(scene, 0) as one, connection(scene, 1) as other:
        first = await await_state(one)
        await await_state(other)
        waits = other if is_own_turn(first) else one
        before = await in_thread(read_record, row)
        with pytest.raises(MoveRefused) as refused:
            await waits.act({"kind": "draw", "source": "closed"})
        assert refused.value.code == "not_your_turn"
        assert await in_thread(read_record, row) == before


async def test_every_one_of_many_moves_at_once_is_answered(scene):
    """A socket may not send that many. The server refuses the surplus by id, and the client sends it again later."""
    async with connection(scene, 0) as one, connection(scene, 1) as other:
        first = await await_state(one)
        await await_state(other)
        waits = other if is_own_turn(first) else one
        async with asyncio.timeout(SECONDS):
            answers = await asyncio.gather(
                *(waits.act({"kind": "draw", "source": "closed"}) for _ in range(45)),
                return_exceptions=True,
            )
        assert {getattr(answer, "code", answer) for answer in answers} == {"not_your_turn"}


async def test_a_revoked_token_closes_the_client(scene):
    _address, _row, tokens = scene
    async with connection(scene, 0) as table:
        await await_state(table)
        token = tokens[0][0]
        await in_thread(lambda: revoke_token(user_id=token.user_id, token_id=token.pk))
        with pytest.raises(Closed) as closed:
            await await_state(table, lambda _state: False)
        assert closed.value.code == 4401
        with pytest.raises(Closed):
            await table.act({"kind": "draw", "source": "closed"})


@pytest.mark.parametrize(("token", "path", "code"), [("ort_no", "", 401), (None, "9", 4404)])
async def test_a_refused_connection_is_not_retried(scene, token, path, code):
    address, row, tokens = scene
    api = Api(address, token or tokens[0][1])
    async with Table(api, f"/ws/tables/{row.pk}{path}/") as table:
        with pytest.raises(Closed) as closed:
            await await_state(table, lambda _state: False)
    assert closed.value.code == code
    assert closed.value.message


async def test_a_client_that_comes_late_reads_the_farewell(scene, monkeypatch):
    class ConnectLate(websockets.connect):
        async def __aenter__(self):
            socket = await super().__aenter__()
            await socket.wait_closed()
            return socket

    monkeypatch.setattr(table_module, "connect", ConnectLate)
    address, row, tokens = scene
    async with Table(Api(address, tokens[0][1]), f"/ws/tables/{row.pk}9/") as table:
        with pytest.raises(Closed) as closed:
            await await_state(table, lambda _state: False)
    assert (closed.value.code, closed.value.message) == (4404, "There is no such table.")


async def test_the_client_raises_the_codes_of_the_api(scene):
    address, row, tokens = scene
    api = Api(address, tokens[0][1])
    mine = await api.get("tables/mine/")
    assert [table["id"] for table in mine["tables"]] == [row.pk]
    with pytest.raises(Refused) as refused:
        await api.post(f"tables/{row.pk}/sit/", {"amount": 80})
    assert (refused.value.status, refused.value.code) == (409, "already_seated")
    with pytest.raises(Refused) as invalid:
        await api.post(f"tables/{row.pk}/sit/", {"amount": "many"})
    assert (invalid.value.code, set(invalid.value.fields)) == ("invalid", {"amount"})
    with pytest.raises(Refused) as unknown:
        await in_thread(BlockingApi(address, "ort_no").get, "wallet/")
    assert unknown.value.status == 401


async def test_the_client_changes_and_deletes(scene):
    """It changes the account's face, and deletes a queue entry that does not exist."""
    address, row, tokens = scene
    api, blocking = Api(address, tokens[0][1]), BlockingApi(address, tokens[0][1])
    assert (await api.patch("account/", {"face": "cat"}))["face"] == "cat"
    assert (await in_thread(blocking.patch, "account/", {"face": "owl"}))["face"] == "owl"
    assert (await api.get("account/"))["face"] == "owl"
    await api.delete(f"tables/{row.pk}/queue/")
    await in_thread(blocking.delete, f"tables/{row.pk}/queue/")


async def test_the_client_goes_from_page_to_page(scene):
    address, _row, tokens = scene
    for number in range(PAGE_LENGTH + 2):
        await in_thread(buy_in, tokens[0][0].user_id, 1, number + 1, subject="table:3")
    api, blocking = Api(address, tokens[0][1]), BlockingApi(address, tokens[0][1])
    first = await api.get("wallet/statement/")
    assert first["next"] is not None
    lines = [line async for line in api.list_pages("wallet/statement/")]
    assert len(lines) > len(first["results"])
    assert len({json.dumps(line) for line in lines}) == len(lines)
    assert await in_thread(lambda: [*blocking.list_pages("wallet/statement/")]) == lines


async def test_the_client_says_what_it_is_and_waits_without_blocking():
    """It sends its User-Agent. When the site asks for a pause, it retries with the same idempotency key."""
    asked: list[tuple[str, str, str | None]] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        fields = dict(line.split(": ", 1) for line in head.splitlines()[1:] if line)
        asked.append((head.split()[0], fields["User-Agent"], fields.get("Idempotency-Key")))
        status = "429 Too Many Requests" if len(asked) == 1 else "200 OK"
        writer.write(f"HTTP/1.1 {status}\r\nRetry-After: 1\r\nConnection: close\r\n\r\n".encode())
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        api = Api(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", "ort_x", timeout=5)
        posting = asyncio.create_task(api.post("tables/practice/", {"game": "gin"}))
        ticks = 0
        while not posting.done():
            await asyncio.sleep(0.05)
            ticks += 1
    assert posting.result() is None
    assert ticks > 10
    (method, agent, key), again = asked
    assert (method, agent, key) == again
    assert agent == f"openrummy-client/{__version__}"
    assert key is not None


async def test_a_table_gives_up_where_nobody_listens():
    table = Table(Api("http://127.0.0.1:1", "ort_x"), "/ws/tables/1/", give_up_after=0.5)
    async with asyncio.timeout(SECONDS), table:
        with pytest.raises(Unreachable, match=r"ws://127.0.0.1:1/ws/tables/1/: .*Connect"):
            await await_state(table)
        with pytest.raises(Unreachable):
            await table.act({"kind": "draw", "source": "closed"})


async def test_the_client_asks_for_the_next_match(scene):
    _address, row, _tokens = scene
    await in_thread(end_match, row)
    async with connection(scene, 0) as one, connection(scene, 1) as other, asyncio.timeout(SECONDS):
        for table in (one, other):
            await await_state(table)
        with pytest.raises(MoveRefused) as refused:
            await one.take_seat_back()
        assert refused.value.code == "not_seated"
        await one.play_again()
        assert one.state["seats"][0]["again"] is True
        await other.play_again()
        assert all(chair["again"] for chair in other.state["seats"])


@pytest.fixture
def hosted(transactional_db, make_player, make_free):
    """A free table with two players, and the token of its host."""
    row = make_free(allows_api_players=True)
    players = [make_player(), make_player()]
    seat_all(row, *players)
    return row, make_token(user_id=players[0].pk, name="bot", scopes=[*Scope])


async def test_the_client_starts_a_table_as_its_host(live_site, hosted):
    async with asyncio.timeout(SECONDS), connect(live_site, *hosted) as live:
        await await_state(live)
        await live.start()
        assert live.state["table"]["status"] == "starting"


@pytest.fixture
def stood_in_for(transactional_db, make_player, make_free):
    """A free table at which a bot plays for the player at seat 0, and that player's token."""
    opened = make_free(max_seats=3, bots_take_over=True, allows_api_players=True)
    row = start_match(opened, *(make_player() for _ in range(3)))
    player = player_at(row, 0)
    leave(row, player)
    return row, make_token(user_id=player.pk, name="bot", scopes=[*Scope])


async def test_the_client_takes_a_seat_back_from_a_bot(live_site, stood_in_for):
    row, token = stood_in_for
    async with asyncio.timeout(SECONDS), connect(live_site, row, token) as live:
        state = await await_state(live)
        assert state["seats"][0]["stand_in"] is True
        await live.take_seat_back()
        assert "stand_in" not in live.state["seats"][0]
        assert len(live.state["you"]["hand"]) == 13
