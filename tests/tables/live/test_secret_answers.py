"""C20: secret answers to the offer of an upcard, shown at once on all sockets of the player who answered."""

import pytest

from core.threads import in_thread
from tables.models import Table
from tests.tables.driving import act, game_view


@pytest.fixture
def asked(open_scene):
    """A match of Contract Rummy in which the upcard is for sale, and the seats asked to buy it."""
    scene = open_scene(players=3, game="contract", preset="single", point_value=2, max_seats=3)
    turn = game_view(scene.table)["turn"]
    assert act(scene.table, turn, kind="draw", source="closed").refusal is None
    return scene, game_view(scene.table)["buying"]["seats"]


def kinds(socket) -> set[str]:
    return {entry["kind"] for entry in socket.state["you"]["legal"]}


async def test_an_answer_is_shown_to_its_player_and_to_nobody_else(asked):
    scene, (first, second) = asked
    async with scene.connect(first, second) as (own, other):
        version, seen = own.version, other.state
        assert {"buy", "pass"} <= kinds(own)
        answer = await own.act(kind="pass")
        assert (answer["type"], answer["v"], own.version) == ("ack", version, version)
        assert (own.state["you"]["asked"], own.state["you"]["answer"]) == (False, "pass")
        assert not {"buy", "pass"} & kinds(own)
        await other.ping()
        assert (other.version, other.state) == (version, seen)
        assert [frame["type"] for frame in other.received if frame["type"] in {"snap", "ev"}] == [
            "snap"
        ]


async def test_an_answer_whose_frames_were_lost_is_shown_after_the_hello(asked):
    scene, (first, _second) = asked
    async with scene.connect(first) as [own]:
        pass
    assert (await in_thread(lambda: act(scene.table, first, kind="pass"))).refusal is None
    async with scene.socket(first) as again:
        again.resume(own)
        assert (await again.hello())["type"] == "snap"
        assert (again.version, again.state["you"]["answer"]) == (own.version, "pass")
    # Later versions show it too.
    await in_thread(lambda: act(scene.table, first, kind="never_buy", on=True))
    await in_thread(_let_somebody_leave, scene.table, first)
    async with scene.socket(first) as later:
        later.resume(own)
        await later.hello()
        assert later.version > own.version
        assert later.state["you"]["never_buy"] is True


def _let_somebody_leave(table: Table, staying: int) -> None:
    other = next(seat for seat in range(3) if seat not in {staying, game_view(table)["turn"]})
    assert act(table, other, kind="leave").refusal is None


async def test_without_an_answer_the_hello_brings_nothing(asked):
    scene, (first, second) = asked
    async with scene.connect(second) as [own]:
        pass
    assert (await in_thread(lambda: act(scene.table, first, kind="pass"))).refusal is None
    async with scene.socket(second) as again:
        again.resume(own)
        hello = await again.hello()
    assert (hello["type"], hello["changes"]) == ("ev", [])


async def test_an_answer_by_another_way_is_shown_at_once(asked):
    """The answer does not come over this socket: pre-actions and stand-ins are played in another process."""
    scene, (_first, second) = asked
    async with scene.connect(second) as [own]:
        assert (await in_thread(lambda: act(scene.table, second, kind="buy"))).refusal is None
        await own.receive_until("snap")
        assert own.state["you"]["answer"] == "buy"
