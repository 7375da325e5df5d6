"""Whole matches of each game, played with the client library by the moves that frames offer."""

import asyncio
import random
from typing import Any

import pytest
from openrummy_client import MoveRefused, Table

from core.threads import in_thread
from games.registry import GAMES
from tables.live import consumers
from tables.live.sockets import Budget, SocketRate
from tables.models import Match, MatchStatus
from tests.given import require
from tests.tables.driving import start_match
from tests.tables.live.frames_player import choose
from tests.tables.live.programs import connect, make_tokens

# The first rule set of each game by which a match is one deal.
PRESETS = {
    code: next(format.presets[0] for format in game.formats if format.stake == "per_point")
    for code, game in GAMES.items()
}
# Moves that may be repeated without being asked for, so a player choosing them would never end.
IDLE = {"never_buy"}
# Refusals after another player's answer came first.
QUICKER = {"not_asked", "not_your_turn", "wrong_step", "stale_version"}


@pytest.fixture(autouse=True)
def no_limits(monkeypatch):
    """Lift the rate limits, because these clients play without pauses."""
    monkeypatch.setattr(consumers, "OF_A_PLAYERS_SOCKET", SocketRate(a_second=1e6, at_once=10**6))
    monkeypatch.setattr(consumers, "FRAMES_OF_A_PLAYER", Budget(a_second=1e6, at_once=10**6))


async def play(table: Table, seed: int) -> tuple[dict[str, Any], int]:
    """Play the match to its end. Return the last state and the number of moves."""
    rng, moves, has_begun = random.Random(seed), 0, False
    async for state in table.changes():
        is_played = state["table"]["status"] == "playing"
        if has_begun and not is_played:
            return state, moves
        has_begun |= is_played
        kinds = {entry["kind"] for entry in state["you"].get("legal", [])}
        if not kinds - IDLE - {"leave", "arrange"}:
            continue
        move = choose(state, rng, of_bot=0.9, ends=0)
        while move is not None and move["kind"] in IDLE:
            move = choose(state, rng, of_bot=0.9, ends=0)
        if move is None:
            continue
        try:
            await table.act(move)
            moves += 1
        except MoveRefused as refused:
            if refused.code not in QUICKER:
                raise
    raise AssertionError("unreachable")


@pytest.mark.parametrize("game", GAMES)
async def test_the_client_plays_a_whole_match(
    live_site, transactional_db, make_table, make_player, game
):
    def begin():
        table = make_table(game=game, preset=PRESETS[game], point_value=1, allows_api_players=True)
        return start_match(table, make_player(), make_player())

    row = await in_thread(begin)
    tokens = await in_thread(make_tokens, row)
    async with (
        connect(live_site, row, tokens[0]) as one,
        connect(live_site, row, tokens[1]) as other,
        asyncio.timeout(240),
    ):
        ends = await asyncio.gather(play(one, seed=1), play(other, seed=2))
    match = await in_thread(Match.objects.get, table=row.pk)
    assert match.status == MatchStatus.FINISHED
    for state, moves in ends:
        assert moves > 3
        assert state["table"]["settlement"]["amounts"] == require(match.settlement)["amounts"]
