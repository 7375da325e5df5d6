"""A player who left a table elsewhere sees no card on an open socket."""

from typing import Any

from core.threads import in_thread
from games.cards import CARD_TEXT
from tests.given import reload
from tests.tables.driving import drop, game_view, leave, let_time_pass, play_a_turn, seat_all
from tests.tables.shown_cards import CARD, list_cards


async def test_a_player_who_left_elsewhere_gets_no_hand_in_later_frames(open_scene, make_player):
    """While the others play the deal to its end, and the next match with somebody on the chair."""
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
    """Return the parts of a frame that are for this person only."""
    yours = [frame["state"]["you"]] if frame["type"] == "snap" else []
    yours += [change["you"] for change in frame.get("changes", ()) if "you" in change]
    nothing: list[dict[str, Any]] = [{"seat": None, "hand": [], "groups": []}, {"legal": []}]
    private = {"answer", "drafted"}
    return [you for you in yours if you not in nothing] + [frame] * (frame["type"] in private)


def test_the_pattern_of_cards_finds_every_card():
    assert all(CARD.fullmatch(text) for text in CARD_TEXT)
