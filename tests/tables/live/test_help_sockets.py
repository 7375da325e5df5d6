"""Help over real sockets: what is asked, what comes back, who is refused."""

import pytest

from core.threads import in_thread
from tables.models import Change, Table
from tests.given import require
from tests.tables.driving import player_at, start_match
from tests.tables.socket_client import TableSocket, session_of

MOVE_ID = "3f0c8f8e-5b1c-4a52-9d5b-0d8f3f1f5a10"


class Scene:
    """A table of two in its first turn that offers help, or not."""

    def __init__(self, address, table, watcher):
        self.address = address
        self.table = table
        self.sessions: dict[int | None, str] = {None: session_of(watcher)}
        self.sessions |= {seat: session_of(player_at(table, seat)) for seat in (0, 1)}

    def socket(self, seat):
        return TableSocket(self.address, self.table.pk, self.sessions[seat])


@pytest.fixture
def scene(live_site, transactional_db, make_player, make_table):
    table = start_match(make_table(), make_player(), make_player())
    return Scene(live_site, table, make_player())


async def record_of(table):
    return await in_thread(_record_of, table)


def _record_of(table):
    row = Table.objects.values("version", "state").get(pk=table.pk)
    return row["version"], bytes(require(row["state"])), Change.objects.filter(table=table).count()


async def test_one_press_lays_the_hand_out(scene):
    await in_thread(let_the_table_help, scene.table)
    async with scene.socket(0) as player:
        await player.hello()
        before = player.state["you"]["hand"]
        await player.send(type="ask", id=MOVE_ID, question={"kind": "arrange"})
        answered = await player.receive_until("answer", "rej")
        assert (answered["type"], answered["id"]) == ("answer", MOVE_ID)
        groups = answered["answer"]["groups"]
        assert sorted(card for group in groups for card in group) == sorted(before)
        await player.send(type="draft", rev=3, draft=groups)
        assert await player.receive_until("drafted", "error") == {"type": "drafted", "rev": 3}
        player.version = 0  # as a browser that has been opened anew
        player.epoch = ""
        await player.hello()
        assert player.state["you"]["groups"] == groups
        assert player.state["you"]["rev"] == 3


async def test_the_verdict_comes_before_the_declaration(scene):
    await in_thread(let_the_table_help, scene.table)
    async with scene.socket(0) as player:
        await player.hello()
        assert player.state["table"]["help"] == {"arrangement": True, "verdict": True}
        before = await record_of(scene.table)
        question = {"kind": "judge", "groups": player.state["you"]["groups"]}
        await player.send(type="ask", id=MOVE_ID, question=question)
        answered = await player.receive_until("answer", "rej")
        assert answered["type"] == "answer"
        assert answered["id"] == MOVE_ID
        assert answered["answer"]["valid"] is False
        assert answered["answer"]["points"] == 80
        assert await record_of(scene.table) == before


@pytest.mark.parametrize(
    "question",
    [{"kind": "arrange"}, {"kind": "judge", "groups": []}],
    ids=["arrange", "judge"],
)
@pytest.mark.parametrize(
    ("seat", "code"), [(0, "help_not_offered"), (None, "not_seated")], ids=["seated", "watching"]
)
async def test_help_that_is_not_offered_is_refused(scene, seat, code, question):
    before = await record_of(scene.table)
    async with scene.socket(seat) as player:
        await player.hello()
        await player.send(type="ask", id=MOVE_ID, question=question)
        refused = await player.receive_until("rej", "answer")
    assert (refused["type"], refused["id"], refused["code"]) == ("rej", MOVE_ID, code)
    assert await record_of(scene.table) == before


def let_the_table_help(table):
    Table.objects.filter(pk=table.pk).update(offers_arrangement=True, offers_verdict=True)
