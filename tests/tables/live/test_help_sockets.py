"""Requests over sockets for help with the player's own hand."""

import pytest

from core.threads import in_thread
from tables.models import Table
from tests.tables.live.scene import read_record

MOVE_ID = "3f0c8f8e-5b1c-4a52-9d5b-0d8f3f1f5a10"


async def test_the_hand_is_arranged_on_request(scene):
    await in_thread(let_the_table_help, scene.table)
    async with scene.connect(0) as (player,):
        before = player.state["you"]["hand"]
        await player.send(type="ask", id=MOVE_ID, question={"kind": "arrange"})
        answered = await player.receive_until("answer", "rej")
        assert (answered["type"], answered["id"]) == ("answer", MOVE_ID)
        groups = answered["answer"]["groups"]
        assert sorted(card for group in groups for card in group) == sorted(before)
        await player.send(type="draft", rev=3, draft=groups)
        assert await player.receive_until("drafted", "error") == {"type": "drafted", "rev": 3}
        player.version, player.epoch = 0, ""  # like a reopened browser
        await player.hello()
        assert (player.state["you"]["groups"], player.state["you"]["rev"]) == (groups, 3)


async def test_a_declaration_is_judged_beforehand(scene):
    await in_thread(let_the_table_help, scene.table)
    async with scene.connect(0) as (player,):
        assert player.state["table"]["help"] == {"arrangement": True, "verdict": True}
        before = await in_thread(read_record, scene.table)
        question = {"kind": "judge", "groups": player.state["you"]["groups"]}
        await player.send(type="ask", id=MOVE_ID, question=question)
        answered = await player.receive_until("answer", "rej")
        assert (answered["type"], answered["id"]) == ("answer", MOVE_ID)
        assert (answered["answer"]["valid"], answered["answer"]["points"]) == (False, 80)
        assert await in_thread(read_record, scene.table) == before


@pytest.mark.parametrize("question", [{"kind": "arrange"}, {"kind": "judge", "groups": []}])
async def test_help_that_is_not_offered_is_refused(scene, question):
    before = await in_thread(read_record, scene.table)
    async with scene.connect(0) as (player,):
        await player.send(type="ask", id=MOVE_ID, question=question)
        refused = await player.receive_until("rej", "answer")
    assert (refused["id"], refused["code"]) == (MOVE_ID, "help_not_offered")
    assert await in_thread(read_record, scene.table) == before


def let_the_table_help(table):
    Table.objects.filter(pk=table.pk).update(offers_arrangement=True, offers_verdict=True)
