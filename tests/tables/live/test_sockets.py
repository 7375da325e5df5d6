"""Real sockets against a real server: who gets what, and what rubbish does."""

import json
import re
from dataclasses import dataclass
from uuid import uuid4

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from core.threads import in_thread
from tables.live.sockets import FRAMES_OF_A_PLAYER, HELLOS, OPENINGS
from tables.models import Change, Table
from tables.play.reading import LONGEST_CATCH_UP, snapshot
from tables.seating.sitting import leave_table, take_seat
from tests.given import require
from tests.tables.driving import hand_of, let_time_pass, play_a_turn, player_at, start_match
from tests.tables.socket_client import TableSocket, session_of

MOVE_ID = "3f0c8f8e-5b1c-4a52-9d5b-0d8f3f1f5a10"
CARD = re.compile(r"\b(?:[A23456789TJQK][SHDC]|PJ)\.[0-9]\b")


@dataclass
class Scene:
    """A table of two in its first turn, with the cookies of its players and of a third person."""

    address: str
    table: Table
    sessions: dict[int, str]
    spectator: str

    def socket(self, seat, *, invite=""):
        session = self.spectator if seat is None else self.sessions[seat]
        return TableSocket(self.address, self.table.pk, session, invite=invite)


@pytest.fixture
def scene(live_site, transactional_db, make_player, make_table):
    table = start_match(make_table(), make_player(), make_player())
    return Scene(
        address=live_site,
        table=table,
        sessions={seat: session_of(player_at(table, seat)) for seat in (0, 1)},
        spectator=session_of(make_player()),
    )


async def record_of(table):
    return await in_thread(_record_of, table)


def _record_of(table):
    row = Table.objects.values("version", "state").get(pk=table.pk)
    return row["version"], bytes(require(row["state"])), Change.objects.filter(table=table).count()


@pytest.mark.parametrize(("seat", "delay"), [(0, 0), (None, 0), (None, 1)])
async def test_a_client_that_says_no_version_of_names_reads_the_old_ones(
    scene, settings, seat, delay
):
    settings.SPECTATOR_DELAY_SECONDS = delay
    async with scene.socket(seat) as new, scene.socket(seat) as old:
        await new.hello()
        await old.send_text('{"type": "hello", "epoch": "", "v": 0}')
        while (frame := await old.receive_any_version())["type"] != "snap":
            pass
    told, renamed = frame["state"]["table"], new.state["table"]
    assert (told["variant"], told["programs"]) == ("POINTS", False)
    assert (renamed["format"], renamed["api_players"]) == ("POINTS", False)
    assert told.keys() - renamed.keys() == {"variant", "programs"}
    assert renamed.keys() - told.keys() == {"format", "api_players"}


async def test_hello_is_answered_with_the_whole_view(scene):
    async with scene.socket(0) as player, scene.socket(None) as spectator:
        mine = await player.hello()
        theirs = await spectator.hello()
    assert mine["type"] == theirs["type"] == "snap"
    assert len(mine["state"]["you"]["hand"]) == 13
    assert theirs["state"]["you"] == {"seat": None, "hand": [], "groups": []}
    assert mine["state"]["game"] == theirs["state"]["game"]


async def test_nobody_receives_a_card_that_is_not_theirs(scene):
    """Two players and a spectator over twelve turns: every card in every frame may be there."""
    async with scene.socket(0) as first, scene.socket(1) as second, scene.socket(None) as watcher:
        sockets = {0: first, 1: second, None: watcher}
        # Every card that a seat has ever held.
        hands: dict[int | None, set[str]] = {seat: set() for seat in sockets}
        for seat, socket in sockets.items():
            await socket.hello()
            hands[seat] |= set(socket.state["you"]["hand"])
        for _turn in range(12):
            seat = first.state["game"]["turn"]
            assert (await sockets[seat].act(kind="draw", source="closed"))["type"] == "ack"
            drawn = sockets[seat].state["you"]["drawn"]
            hands[seat].add(drawn)
            answer = await sockets[seat].act(kind="discard", card=drawn)
            for socket in sockets.values():
                await socket.receive_until_version(answer["v"])
        public = set()
        for socket in sockets.values():
            game = socket.state["game"]
            public |= {game["wild"], *game["open_pile"], *(card for _s, card in game["discards"])}
            public |= {toss["card"] for toss in game["toss"] or []}
        for seat, socket in sockets.items():
            seen = set(CARD.findall(json.dumps(socket.received)))
            assert seen <= hands[seat] | public
            assert len(seen) > 12
        assert first.state["game"] == second.state["game"] == watcher.state["game"]


async def test_patches_lead_to_the_same_view_as_a_snapshot(scene):
    async with scene.socket(0) as first, scene.socket(1) as second:
        for socket in (first, second):
            await socket.hello()
        for _turn in range(4):
            mover = (first, second)[first.state["game"]["turn"]]
            await mover.act(kind="draw", source="closed")
            answer = await mover.act(kind="discard", card=mover.state["you"]["drawn"])
            await first.receive_until_version(answer["v"])
            await second.receive_until_version(answer["v"])
        for seat, socket in enumerate((first, second)):
            user = await in_thread(player_at, scene.table, seat)
            whole = await in_thread(snapshot, table_id=scene.table.pk, user_id=user.pk)
            assert socket.state == json.loads(json.dumps(require(whole).state))


BAD_FRAMES = [
    ("{", "not_json"),
    ("[" * 5000, "not_json"),
    ("[]", "malformed_message"),
    ('{"type":"fly"}', "unknown_type"),
    ('{"type":{}}', "malformed_message"),
    ('{"type":"ping"}', "malformed_message"),
    ('{"type":"ping","c":"x"}', "malformed_message"),
    ('{"type":"ping","c":1,"more":1}', "malformed_message"),
    ('{"type":"hello","epoch":"e","v":-1}', "malformed_message"),
    ('{"type":"hello","epoch":7,"v":1}', "malformed_message"),
    ('{"type":"act","id":"7","v":1,"move":{}}', "malformed_message"),
    (f'{{"type":"act","id":"{MOVE_ID}","v":1,"move":[]}}', "malformed_message"),
    (f'{{"type":"act","id":"{MOVE_ID}","v":1e400,"move":{{}}}}', "malformed_message"),
    ('{"type":"draft","rev":1,"draft":"no"}', "malformed_move"),
    ('{"type":"ping","c":-Infinity}', "not_json"),
    ('{"type":"ping","c":NaN}', "not_json"),
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


async def test_a_bad_frame_is_refused_to_its_sender_alone(scene):
    before = await record_of(scene.table)
    async with scene.socket(1) as other:
        await other.hello()
        for frame, code in BAD_FRAMES:
            async with scene.socket(0) as sender:
                await sender.hello()
                await sender.send_text(frame)
                error = await sender.answer()
                assert (error["type"], error["code"]) == ("error", code), frame
                assert error["message"].endswith(".")
                # Both sockets live, and the other one has heard nothing.
                for socket in (sender, other):
                    await socket.send(type="ping", c=1)
                    assert (await socket.answer())["type"] == "pong", frame
            for budget in (FRAMES_OF_A_PLAYER, HELLOS, OPENINGS):
                budget.forget()
            assert await record_of(scene.table) == before, frame


async def test_moves_that_the_table_refuses(scene):
    async with scene.socket(0) as first, scene.socket(1) as second, scene.socket(None) as watcher:
        sockets = {0: first, 1: second, None: watcher}
        for socket in sockets.values():
            await socket.hello()
        turn = first.state["game"]["turn"]
        mover, other = sockets[turn], sockets[1 - turn]
        before = await record_of(scene.table)
        foreign = (await in_thread(hand_of, scene.table, 1 - turn))["hand"][0]
        tries = [
            (other, {"kind": "draw", "source": "closed"}, "not_your_turn"),
            (watcher, {"kind": "draw", "source": "closed"}, "not_seated"),
            (mover, {"kind": "discard", "card": foreign}, "wrong_step"),
        ]
        for socket, move, code in tries:
            await socket.send(type="act", id=str(uuid4()), v=socket.version, move=move)
            answer = await socket.receive_until("ack", "rej")
            assert (answer["type"], answer["code"]) == ("rej", code)
        assert await record_of(scene.table) == before
        await mover.act(kind="draw", source="closed")
        answer = await mover.act(kind="discard", card=foreign)
        assert answer["code"] == "card_not_held"


async def test_a_repeated_id_is_acknowledged_and_played_once(scene):
    async with scene.socket(0) as first, scene.socket(1) as second:
        await first.hello()
        await second.hello()
        mover = (first, second)[first.state["game"]["turn"]]
        move_id = str(uuid4())
        answer = await mover.act(move_id, kind="draw", source="closed")
        before = await record_of(scene.table)
        assert await mover.act(move_id, kind="draw", source="closed") == answer
        assert await record_of(scene.table) == before


async def test_a_stale_version_is_refused(scene):
    async with scene.socket(0) as first, scene.socket(1) as second:
        await first.hello()
        await second.hello()
        seen = first.version
        sockets = (first, second)
        for _turn in range(2):
            mover = sockets[first.state["game"]["turn"]]
            await mover.act(kind="draw", source="closed")
            answer = await mover.act(kind="discard", card=mover.state["you"]["drawn"])
            await first.receive_until_version(answer["v"])
            await second.receive_until_version(answer["v"])
        mover = sockets[first.state["game"]["turn"]]
        move = {"kind": "draw", "source": "closed"}
        await mover.send(type="act", id=str(uuid4()), v=seen, move=move)
        assert (await mover.receive_until("ack", "rej"))["code"] == "stale_version"


async def test_a_private_table_is_not_there_for_who_guesses_its_number(scene):
    def make_private():
        Table.objects.filter(pk=scene.table.pk).update(invite_code="open-sesame")

    await in_thread(make_private)
    async with scene.socket(None) as stranger:
        with pytest.raises(ConnectionClosed) as closed:
            await stranger.hello()
        assert require(closed.value.rcvd).code == 4404
        assert stranger.state == {}
    async with scene.socket(0) as player:
        assert (await player.hello())["type"] == "snap"
    async with scene.socket(None, invite="open-sesame") as guest:
        assert (await guest.hello())["type"] == "snap"
    for wrong in ("open-barley", "%00%ff", "x&" * 1_500):
        async with scene.socket(None, invite=wrong) as stranger:
            with pytest.raises(ConnectionClosed) as closed:
                await stranger.hello()
            assert require(closed.value.rcvd).code == 4404


async def test_another_site_may_not_open_a_socket(scene):
    socket = scene.socket(0)
    socket._origin = "https://elsewhere.example"
    with pytest.raises(InvalidStatus) as refused:
        await socket.__aenter__()
    assert refused.value.response.status_code == 403


async def test_who_comes_back_gets_what_happened_since(scene):
    async with scene.socket(0) as first, scene.socket(1) as second:
        await first.hello()
        await second.hello()
        mover = (first, second)[first.state["game"]["turn"]]
        other = second if mover is first else first
        epoch, version, state = other.epoch, other.version, other.state
        await mover.act(kind="draw", source="closed")
        answer = await mover.act(kind="discard", card=mover.state["you"]["drawn"])
        await other.receive_until_version(answer["v"])
        seat = other.state["you"]["seat"]
        async with scene.socket(seat) as returned:
            returned.epoch, returned.version, returned.state = epoch, version, state
            message = await returned.hello()
            assert message["type"] == "ev"
            assert [change["v"] for change in message["changes"]] == [version + 1, version + 2]
            assert returned.state == other.state


async def test_who_missed_too_much_gets_a_snapshot(scene):
    """It is shorter than more than fifty changes."""
    async with scene.socket(0) as player:
        await player.hello()
    for _turn in range(26):
        await in_thread(play_a_turn, scene.table)
    newest = await in_thread(lambda: Table.objects.get(pk=scene.table.pk).version)
    for missed, answer in ((LONGEST_CATCH_UP, "ev"), (51, "snap")):
        async with scene.socket(0) as returned:
            returned.epoch, returned.version = player.epoch, newest - missed
            returned.state = {"you": {}}
            message = await returned.hello()
            assert message["type"] == answer
            assert len(message.get("changes", ())) == (missed if answer == "ev" else 0)
            assert returned.version == newest


async def test_who_floods_is_warned_and_then_closed(scene):
    async with scene.socket(0) as socket:
        await socket.hello()
        for _ in range(120):
            await socket.send(type="ping", c=1)
        with pytest.raises(ConnectionClosed) as closed:
            await socket.receive_until("never")
        assert require(closed.value.rcvd).code == 4408
        assert "too_many_messages" in [message.get("code") for message in socket.received]


async def test_whose_sitting_ended_with_the_match_sees_no_cards_of_the_next_one_there(
    scene, make_player
):
    """The end of a match lets people go without an event that names them."""

    def leave():
        user = player_at(scene.table, 0)
        return leave_table(table_id=scene.table.pk, user_id=user.pk)

    def begin_again():
        newcomer = make_player()
        take_seat(table_id=scene.table.pk, user_id=newcomer.pk, amount=800, number=0)
        let_time_pass(scene.table)
        return set(hand_of(scene.table, 0)["hand"])

    async with scene.socket(0) as player:
        await player.hello()
        await in_thread(leave)
        while player.version < 4:
            await player.receive()
        seen = len(player.received)
        cards = await in_thread(begin_again)
        while player.state["table"]["status"] != "playing":
            await player.receive()
        found = set(CARD.findall(json.dumps(player.received[seen:])))
        public = set(CARD.findall(json.dumps(player.state["game"])))
        assert len(cards) == 13
        assert found - public == set()
        assert player.state["you"] == {"seat": None, "hand": [], "groups": []}
