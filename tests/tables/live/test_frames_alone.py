"""Clients that know only the frames: every move offered to them is accepted, and their state is correct.

They play matches of every game and format over real sockets. After every move, the state that each client has built
from its frames equals the state that the server would send now. TableSocket validates all frames against the schema.
"""

import random
from contextlib import AsyncExitStack
from typing import Any

import pytest

from core.threads import in_thread
from games.registry import GAMES
from tables.live import consumers
from tables.live.sockets import Budget, SocketRate
from tables.models import Table, TableStatus
from tables.play.reading import snapshot
from tests.effort import share_of
from tests.given import reload
from tests.tables.driving import expire_turn, player_at, start_match
from tests.tables.live.frames_player import choose
from tests.tables.socket_client import TableSocket, session_of

STAKES: dict[str, dict[str, Any]] = {
    "per_point": {"point_value": 1},
    "entry_fee": {"entry_fee": 100},
}
CASES = [(game.code, format.code) for game in GAMES.values() for format in game.formats]
MOVES = share_of(120)


@pytest.fixture(autouse=True)
def no_limits(monkeypatch):
    """Lift the rate limits, because these clients play without pauses."""
    monkeypatch.setattr(consumers, "OF_A_PLAYERS_SOCKET", SocketRate(a_second=1e6, at_once=10**6))
    monkeypatch.setattr(consumers, "FRAMES_OF_A_PLAYER", Budget(a_second=1e6, at_once=10**6))


def expected_state(table: Table, user_id: int) -> dict[str, Any]:
    current = snapshot(table_id=table.pk, user_id=user_id)
    assert current is not None
    return current.state


async def check_states(
    table: Table, sockets: dict[int, TableSocket], users: dict[int, int]
) -> None:
    for seat, socket in sockets.items():
        expected = await in_thread(expected_state, table, users[seat])
        for part, value in expected.items():
            assert socket.state[part] == value, (seat, part)


@pytest.mark.parametrize(("game", "format"), CASES)
async def test_whatever_is_offered_is_accepted_and_whatever_is_known_is_true(
    live_site, transactional_db, make_table, make_player, game, format
):
    rng = random.Random(f"{game} {format}")
    kind = next(one for one in GAMES[game].formats if one.code == format)
    seats = min(3, kind.seats.stop - 1)

    def begin() -> tuple[Table, dict[int, int], dict[int, str]]:
        table = make_table(game=game, preset=kind.presets[0], max_seats=seats, **STAKES[kind.stake])
        start_match(table, *(make_player() for _ in range(seats)))
        players = {seat: player_at(table, seat) for seat in range(seats)}
        return (
            table,
            {seat: player.pk for seat, player in players.items()},
            {seat: session_of(player) for seat, player in players.items()},
        )

    table, users, sessions = await in_thread(begin)
    played: dict[str, int] = {}
    async with AsyncExitStack() as stack:
        sockets = {
            seat: await stack.enter_async_context(TableSocket(live_site, table.pk, session))
            for seat, session in sessions.items()
        }
        for socket in sockets.values():
            await socket.hello()
        for _ in range(MOVES):
            choices = [
                (socket, move)
                for socket in sockets.values()
                if (move := choose(socket.state, rng)) is not None
            ]
            if choices:
                socket, move = rng.choice(choices)
                answer = await socket.act(**move)
                assert answer["type"] == "ack", (move, answer)
                played[move["kind"]] = played.get(move["kind"], 0) + 1
                version = answer["v"]
            elif (await in_thread(reload, table)).status == TableStatus.PLAYING:
                change = await in_thread(expire_turn, table)  # between two deals
                version = 0 if change is None else change.version or 0
            else:
                break
            for socket in sockets.values():
                await socket.receive_until_version(version)
            await check_states(table, sockets, users)
    assert sum(played.values()) > 5, played
