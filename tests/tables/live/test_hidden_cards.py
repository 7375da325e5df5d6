"""Frames, also over sockets opened earlier, which show a hand only to its player."""

import json
from typing import Any

import pytest
from channels.layers import get_channel_layer

from core.threads import in_thread
from games.cards import CARD_TEXT
from tables.play.change import name_table_group
from tests.given import reload, require
from tests.tables.driving import (
    act,
    drop,
    game_view,
    hand_of,
    leave,
    let_time_pass,
    play_a_turn,
    seat_all,
    start_match,
)
from tests.tables.shown_cards import CARD, list_cards


@pytest.mark.parametrize("game", ["indian", "gin"])
async def test_messages_carry_public_legal_moves_and_no_hand(
    transactional_db, make_table, make_player, game
):
    opened = await in_thread(lambda: make_table(game=game))
    table = await in_thread(lambda: start_match(opened, make_player(), make_player()))
    layer = require(get_channel_layer())
    heard = await layer.new_channel()
    await layer.group_add(name_table_group(table.pk), heard)

    async def play(seat, **move):
        answer = await in_thread(lambda: act(table, seat, **move))
        assert answer.refusal is None
        return await layer.receive(heard)

    view = await in_thread(lambda: game_view(table))
    seat = view["turn"]
    if game == "gin":
        for passing in (seat, 1 - seat):
            message = await play(passing, kind="pass")
            assert set(message["own"]) == {"0", "1"}
    message = await play(seat, kind="draw", source="closed")
    assert (message["private"], message["own"]) == ([str(seat)], {})

    own = await in_thread(lambda: hand_of(table, seat))
    message = await play(seat, kind="discard", card=own["drawn"])
    assert message["private"] == [str(seat)]
    assert set(message["own"]) == {str(1 - seat)}
    told = json.loads(message["own"][str(1 - seat)])
    assert set(told) == {"legal"}
    assert {"kind": "draw", "source": ["closed", "open"]} in told["legal"]
    assert not list_cards(message["own"])


async def test_a_player_who_left_elsewhere_gets_no_hand_in_later_frames(open_scene, make_player):
    """The player leaves in another tab, and a newcomer takes the seat for the next match."""
    scene = await in_thread(lambda: open_scene(players=3, max_seats=3))
    table, newcomer = scene.table, await in_thread(make_player)
    seat = ((await in_thread(game_view, table))["turn"] + 1) % 3

    async def receive_all(socket):
        await socket.receive_until_version((await in_thread(reload, table)).version)

    async with scene.connect(seat) as (player,):
        assert len(player.state["you"]["hand"]) == 13
        begun = len(player.received)
        await in_thread(leave, table, scene.people[seat])
        for _turn in range(4):
            await in_thread(play_a_turn, table)
        await in_thread(drop, table)
        await in_thread(seat_all, table, newcomer, number=seat)
        await receive_all(player)
        next_match = len(player.received)
        await in_thread(let_time_pass, table)
        for _turn in range(3):
            await in_thread(play_a_turn, table)
        await receive_all(player)

    assert sum(len(frame.get("changes", ())) for frame in player.received[begun:]) > 12
    for frame in player.received[begun:]:
        assert private_parts(frame) == [], frame
    game = player.state["game"]
    public = {game["wild"], *game["open_pile"], *(card for _seat, card in game["discards"])}
    public |= {toss["card"] for toss in game["toss"] or []}
    assert list_cards(player.received[next_match:]) <= public


def private_parts(frame):
    """Return the parts of a frame that are meant for this player only."""
    yours = [frame["state"]["you"]] if frame["type"] == "snap" else []
    yours += [change["you"] for change in frame.get("changes", ()) if "you" in change]
    nothing: list[dict[str, Any]] = [{"seat": None, "hand": [], "groups": []}, {"legal": []}]
    private = {"answer", "drafted"}
    return [you for you in yours if you not in nothing] + [frame] * (frame["type"] in private)


def test_the_pattern_of_cards_finds_every_card():
    assert all(CARD.fullmatch(text) for text in CARD_TEXT)
