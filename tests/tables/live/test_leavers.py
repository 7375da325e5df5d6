"""A player who left a table elsewhere sees no card on an open socket."""

import json
from typing import Any

import pytest

from core.threads import in_thread
from games.cards import CARD_TEXT
from tables.models import Table
from tables.seating.sitting import leave_table, take_seat
from tests.tables.driving import act, game_view, let_time_pass, play_a_turn, player_at, start_match
from tests.tables.live.test_sockets import CARD
from tests.tables.socket_client import TableSocket, session_of


@pytest.fixture
def three(live_site, transactional_db, make_player, make_table):
    """A table of three who play, and the socket of one whose turn it is not."""
    table = start_match(make_table(max_seats=3), *(make_player() for _ in range(3)))
    seat = next(seat for seat in range(3) if seat != game_view(table)["turn"])
    leaver = player_at(table, seat)
    return table, leaver, seat, TableSocket(live_site, table.pk, session_of(leaver))


async def test_who_left_elsewhere_gets_no_hand_in_any_later_frame(three, make_player):
    """While the others play the deal to its end, and the next match with somebody on the chair."""
    table, leaver, seat, socket = three
    newcomer = await in_thread(make_player)
    chair: dict[str, Any] = {"table_id": table.pk, "number": seat, "amount": 800}
    async with socket as player:
        await player.hello()
        assert len(player.state["you"]["hand"]) == 13
        begun = len(player.received)
        await in_thread(leave_table, table_id=table.pk, user_id=leaver.pk)
        for _turn in range(4):
            await in_thread(play_a_turn, table)
        await in_thread(drop, table)
        await in_thread(take_seat, user_id=newcomer.pk, **chair)
        await player.receive_until_version(await in_thread(version_of, table))
        next_match = len(player.received)
        await in_thread(let_time_pass, table)
        for _turn in range(3):
            await in_thread(play_a_turn, table)
        await player.receive_until_version(await in_thread(version_of, table))

    assert sum(len(frame.get("changes", ())) for frame in player.received[begun:]) > 12
    for frame in player.received[begun:]:
        assert private_parts(frame) == [], frame
    game = player.state["game"]
    public = {game["wild"], *game["open_pile"], *(card for _seat, card in game["discards"])}
    public |= {toss["card"] for toss in game["toss"] or []}
    assert set(CARD.findall(json.dumps(player.received[next_match:]))) <= public


def version_of(table):
    return Table.objects.values_list("version", flat=True).get(pk=table.pk)


def drop(table: Table) -> None:
    assert act(table, game_view(table)["turn"], kind="drop").refusal is None


def private_parts(frame):
    """Return the parts of a frame that are for this person only."""
    yours = [frame["state"]["you"]] if frame["type"] == "snap" else []
    yours += [change["you"] for change in frame.get("changes", ()) if "you" in change]
    nothing: list[dict[str, Any]] = [{"seat": None, "hand": [], "groups": []}, {"legal": []}]
    private = {"answer", "drafted"}
    return [you for you in yours if you not in nothing] + [frame] * (frame["type"] in private)


def test_the_pattern_of_cards_finds_every_card():
    assert all(CARD.fullmatch(text) for text in CARD_TEXT)
