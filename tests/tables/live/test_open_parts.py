"""Legal moves travel with the public change if they are no secret; a hand never does."""

import json

import pytest
from channels.layers import get_channel_layer

from core.threads import in_thread
from tables.play.change import group_of
from tests.given import require
from tests.tables.driving import act, game_view, hand_of, start_match
from tests.tables.shown_cards import list_cards


@pytest.mark.parametrize("game", ["indian", "gin"])
async def test_messages_carry_public_legal_moves_and_no_hand(
    transactional_db, make_table, make_player, game
):
    opened = await in_thread(lambda: make_table(game=game))
    table = await in_thread(lambda: start_match(opened, make_player(), make_player()))
    layer = require(get_channel_layer())
    heard = await layer.new_channel()
    await layer.group_add(group_of(table.pk), heard)

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
