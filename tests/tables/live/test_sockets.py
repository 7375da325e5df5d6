"""Sockets at a live site: views, patches, refusals and reconnects."""

import json
from uuid import uuid4

from config.sockets import websocket
from core.threads import in_thread
from tables.live.frames import find_id
from tables.live.sockets import FRAMES_OF_A_PLAYER, HELLOS, OPENINGS
from tables.models import Table
from tables.play.reading import LONGEST_CATCH_UP, snapshot
from tests.given import reload, require
from tests.tables.driving import hand_of, play_a_turn
from tests.tables.live.scene import play_turn, read_record
from tests.tables.shown_cards import list_cards

MOVE_ID = "3f0c8f8e-5b1c-4a52-9d5b-0d8f3f1f5a10"


async def test_hello_is_answered_with_the_whole_view(scene):
    async with scene.socket(0) as player, scene.socket("watcher") as watcher:
        mine = await player.hello()
        theirs = await watcher.hello()
    assert mine["type"] == theirs["type"] == "snap"
    assert len(mine["state"]["you"]["hand"]) == 13
    assert theirs["state"]["you"] == {"seat": None, "hand": [], "groups": []}
    assert mine["state"]["game"] == theirs["state"]["game"]


async def test_nobody_receives_a_card_that_is_not_theirs(scene):
    """Collect the frames of two players and a watcher during twelve turns."""
    async with scene.connect(0, 1, "watcher") as sockets:
        first, second, watcher = sockets
        # Every card that the seat has held.
        held = [set(socket.state["you"]["hand"]) for socket in sockets]
        for _turn in range(12):
            seat = first.state["game"]["turn"]
            await play_turn(sockets[seat], *sockets)
            held[seat].add(first.state["game"]["discards"][-1][1])
        public = set()
        for socket in sockets:
            game = socket.state["game"]
            public |= {game["wild"], *game["open_pile"], *(card for _s, card in game["discards"])}
            public |= {toss["card"] for toss in game["toss"] or []}
        for socket, own in zip(sockets, held, strict=True):
            seen = list_cards(socket.received)
            assert seen <= own | public
            assert len(seen) > 12
        assert first.state["game"] == second.state["game"] == watcher.state["game"]


async def test_patches_lead_to_the_same_view_as_a_snapshot(scene):
    async with scene.connect(0, 1) as sockets:
        for _turn in range(4):
            await play_turn(sockets[sockets[0].state["game"]["turn"]], *sockets)
        for seat, socket in enumerate(sockets):
            user_id = scene.people[seat].pk
            whole = await in_thread(snapshot, table_id=scene.table.pk, user_id=user_id)
            assert socket.state == json.loads(json.dumps(require(whole).state))


BAD_FRAMES = [
    ("{", "not_json"),
    ("[" * 5000, "not_json"),
    ("[]", "malformed_message"),
    ('{"type":"fly"}', "unknown_type"),
    ('{"type":{}}', "malformed_message"),
    ('{"type":"hello","epoch":"e","v":-1}', "malformed_message"),
    ('{"type":"act","id":"7","v":1,"move":{}}', "malformed_message"),
    (f'{{"type":"act","id":"{MOVE_ID}","v":1,"move":[]}}', "malformed_message"),
    (f'{{"type":"act","id":"{MOVE_ID}","v":1e400,"move":{{}}}}', "malformed_message"),
    ('{"type":"draft","rev":1,"draft":"no"}', "malformed_move"),
    ('{"type":"ping","c":-Infinity}', "not_json"),
    ('{"type":"ping","c":1e400}', "malformed_message"),
    ('{"type":"ping","c":1' + "0" * 4_000 + "}", "malformed_message"),
    ('{"type":"say","phrase":"","text":"a \\ud800 b"}', "malformed_message"),
    ('{"type":"say","phrase":"","text":"a \\u0000 b"}', "malformed_message"),
    ('{"type":"say","phrase":"\\udfff","text":""}', "malformed_message"),
    ('{"type":"hello","epoch":"\\u0000","v":1}', "malformed_message"),
    ('{"type":"draft","rev":1,"draft":[[{"\\ud800":1}]]}', "malformed_message"),
    ('{"type":"draft","rev":1,"draft":[["7H.0"]]}', "groups_not_your_hand"),
    ('{"type":"draft","rev":1,"draft":[[7]]}', "malformed_move"),
]


def test_the_id_of_a_bad_frame_is_found_where_it_has_one():
    found = [find_id(frame) is not None for frame, _code in BAD_FRAMES]
    assert found == [MOVE_ID in frame and code != "not_json" for frame, code in BAD_FRAMES]


async def test_a_bad_frame_is_refused_to_its_sender_alone(scene):
    before = await in_thread(read_record, scene.table)
    async with scene.connect(1) as (other,):
        for frame, code in BAD_FRAMES:
            async with scene.connect(0) as (sender,):
                await sender.send_text(frame)
                error = await sender.answer()
                kind = "error" if (frame_id := find_id(frame)) is None else "rej"
                assert (error["type"], error["code"]) == (kind, code), frame
                assert error.get("id") == (frame_id and str(frame_id)), frame
                assert error["message"].endswith(".")
                # Both sockets are open, and the other received nothing.
                for socket in (sender, other):
                    await socket.send(type="ping", c=1)
                    assert (await socket.answer())["type"] == "pong", frame
            for budget in (FRAMES_OF_A_PLAYER, HELLOS, OPENINGS):
                budget.forget()
            assert await in_thread(read_record, scene.table) == before, frame


async def test_a_refused_move_changes_nothing(scene):
    async with scene.connect(0, 1, "watcher") as (first, second, watcher):
        turn = first.state["game"]["turn"]
        mover, other = ((first, second), (second, first))[turn]
        before = await in_thread(read_record, scene.table)
        foreign = (await in_thread(hand_of, scene.table, 1 - turn))["hand"][0]
        tries = [
            (other, {"kind": "draw", "source": "closed"}, "not_your_turn"),
            (watcher, {"kind": "draw", "source": "closed"}, "not_seated"),
            (mover, {"kind": "discard", "card": foreign}, "wrong_step"),
        ]
        for socket, move, code in tries:
            answer = await socket.act(**move)
            assert (answer["type"], answer["code"]) == ("rej", code)
        assert await in_thread(read_record, scene.table) == before
        await mover.act(kind="draw", source="closed")
        before = await in_thread(read_record, scene.table)
        answer = await mover.act(kind="discard", card=foreign)
        assert answer["code"] == "card_not_held"
        assert await in_thread(read_record, scene.table) == before


async def test_a_repeated_id_is_acknowledged_and_played_once(scene):
    async with scene.connect(0, 1) as sockets:
        mover = sockets[sockets[0].state["game"]["turn"]]
        move_id = str(uuid4())
        answer = await mover.act(move_id, kind="draw", source="closed")
        before = await in_thread(read_record, scene.table)
        assert await mover.act(move_id, kind="draw", source="closed") == answer
        assert await in_thread(read_record, scene.table) == before


async def test_a_stale_version_is_refused(scene):
    async with scene.connect(0, 1) as sockets:
        seen = sockets[0].version
        for _turn in range(2):
            await play_turn(sockets[sockets[0].state["game"]["turn"]], *sockets)
        mover = sockets[sockets[0].state["game"]["turn"]]
        before = await in_thread(read_record, scene.table)
        move = {"kind": "draw", "source": "closed"}
        await mover.send(type="act", id=str(uuid4()), v=seen, move=move)
        assert (await mover.receive_until("ack", "rej"))["code"] == "stale_version"
        assert await in_thread(read_record, scene.table) == before


async def test_a_private_table_is_not_found_by_its_number(scene):
    code = "open-sesame"
    await in_thread(Table.objects.filter(pk=scene.table.pk).update, invite_code=code)
    for wrong in ("", "open-barley", "%00%ff", "x&" * 1_500):
        async with scene.socket("watcher", invite=wrong) as stranger:
            assert await stranger.read_close_code() == 4404
            assert stranger.state == {}
    for who, invite in ((0, ""), ("watcher", code)):
        async with scene.socket(who, invite=invite) as guest:
            assert (await guest.hello())["type"] == "snap"


async def test_another_site_may_not_open_a_socket(scene):
    socket = scene.socket(0)
    for origin in ("https://elsewhere.example", "https://[", None):
        socket._origin = origin
        problem = await socket.read_problem()
        assert (problem["status"], problem["code"]) == (403, "origin_not_allowed")


async def test_an_origin_with_an_impossible_port_is_refused(scene, monkeypatch):
    """The allowed origins are listed with scheme and host, as in production."""
    monkeypatch.setattr(websocket._by_session, "allowed_origins", ["https://play.example"])
    socket = scene.socket(0)
    for origin in ("https://play.example:99999", "https://play.example:x"):
        socket._origin = origin
        assert (await socket.read_problem())["code"] == "origin_not_allowed"
    socket._origin = "https://play.example"
    async with socket:
        assert (await socket.hello())["type"] == "snap"


async def test_a_returning_player_gets_the_missed_changes(scene):
    async with scene.connect(0, 1) as sockets:
        turn = sockets[0].state["game"]["turn"]
        other = sockets[1 - turn]
        returned = scene.socket(1 - turn)
        returned.resume(other)
        version = other.version
        await play_turn(sockets[turn], other)
        async with returned:
            message = await returned.hello()
            assert message["type"] == "ev"
            assert [change["v"] for change in message["changes"]] == [version + 1, version + 2]
            assert returned.state == other.state


async def test_a_player_who_missed_too_much_gets_a_snapshot(scene):
    """After more than fifty missed changes the server sends a snapshot instead of the changes."""
    async with scene.connect(0) as (player,):
        pass
    for _turn in range(26):
        await in_thread(play_a_turn, scene.table)
    newest = (await in_thread(reload, scene.table)).version
    for missed, answer in ((LONGEST_CATCH_UP, "ev"), (51, "snap")):
        async with scene.socket(0) as returned:
            returned.epoch, returned.version = player.epoch, newest - missed
            returned.state = {"you": {}}
            message = await returned.hello()
            assert message["type"] == answer
            assert len(message.get("changes", ())) == (missed if answer == "ev" else 0)
            assert returned.version == newest
