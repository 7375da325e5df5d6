"""Programs at the socket of a table, signed in by a token."""

import json

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin, Subprotocol

from accounts.api.access import Counted
from accounts.api_tokens.oauth_grants import revoke_program
from accounts.api_tokens.services import make_token, revoke_token
from accounts.models import ApiToken, Scope
from accounts.people.bot_accounts import become_bot
from accounts.people.closing import freeze
from core import throttling
from core.threads import in_thread
from tables.live.sockets import NOT_ALLOWED, SIGNED_OUT
from tables.models import Table
from tables.seating.bot_accounts import play_among_bots
from tests.oauth_program import enter_program, grant_tokens
from tests.tables.driving import let_time_pass
from tests.tables.live.scene import read_record
from tests.tables.socket_client import TableSocket, session_of


@pytest.fixture
def scene(open_scene):
    return open_scene(allows_api_players=True)


@pytest.fixture
def tokens(scene):
    """A token and its text for each player, by seat."""
    users = [scene.people[seat] for seat in (0, 1)]
    return [make_token(user_id=user.pk, name="bot", scopes=[Scope.PLAY]) for user in users]


async def test_programs_play_with_tokens_and_see_their_own_hand(scene, tokens):
    sockets = [scene.socket(None, token=text) for _token, text in tokens]
    async with sockets[0], sockets[1]:
        for seat, socket in enumerate(sockets):
            await socket.hello()
            assert socket.state["table"]["api_players"] is True
            assert socket.state["you"]["seat"] == seat
            assert len(socket.state["you"]["hand"]) == 13
        mover = sockets[sockets[0].state["game"]["turn"]]
        assert (await mover.act(kind="draw", source="closed"))["type"] == "ack"
        assert len(mover.state["you"]["hand"]) == 14


@pytest.mark.parametrize("end", ["revoked", "expired", "deleted", "frozen"])
async def test_the_socket_closes_with_its_token(scene, tokens, end):
    (token, text), (other, other_text) = tokens

    def change():
        if end == "revoked":
            revoke_token(user_id=token.user_id, token_id=token.pk)
        elif end == "frozen":
            freeze(user_id=token.user_id, staff_id=other.user_id, reason="Stolen.")
        elif end == "expired":  # found by the periodic check
            ApiToken.objects.filter(pk=token.pk).update(expires_at=timezone.now())
        else:
            ApiToken.objects.filter(pk=token.pk).delete()

    async with (
        scene.socket(None, token=text) as socket,
        scene.socket(None, token=other_text) as kept,
    ):
        await socket.hello()
        await kept.hello()
        await in_thread(change)
        assert await socket.read_close_code() == SIGNED_OUT
        await kept.ping()


async def test_a_table_that_does_not_admit_programs_turns_them_away(scene, tokens):
    await in_thread(Table.objects.filter(pk=scene.table.pk).update, allows_api_players=False)
    before = await in_thread(read_record, scene.table)
    async with scene.socket(None, token=tokens[0][1]) as socket:
        assert (await socket.receive())["code"] == "api_players_not_allowed"
        assert await socket.read_close_code() == NOT_ALLOWED
    assert [message["type"] for message in socket.received] == ["bye"]
    assert await in_thread(read_record, scene.table) == before


@pytest.mark.parametrize("case", ["unknown", "empty", "expired", "frozen", "reads only", "page"])
async def test_an_invalid_token_opens_no_socket(scene, tokens, case):
    token, text = tokens[0]
    socket = scene.socket(None, token=text)

    def prepare():
        stored = ApiToken.objects.filter(pk=token.pk)
        if case == "expired":
            stored.update(expires_at=timezone.now())
        elif case == "frozen":
            freeze(user_id=token.user_id, staff_id=tokens[1][0].user_id, reason="Stolen.")
        elif case == "reads only":
            stored.update(scopes=[Scope.READ, Scope.MONEY])

    await in_thread(prepare)
    if case in {"unknown", "empty"}:
        shown = "Bearer ort_wrong" if case == "unknown" else "Basic x"
        socket._headers = {"Authorization": shown}
    if case == "page":
        socket._url = socket._url.replace(f"tables/{scene.table.pk}", "tournaments/1")
    assert await socket.read_refusal() == {"reads only": 403, "page": 404}.get(case, 401)


async def test_wrong_tokens_share_the_rate_limit_of_the_api(scene, tokens, monkeypatch):
    """The limit counts wrong tokens per address. It does not slow valid tokens down."""
    few = {"anon": None, "user": None, "wrong_tokens": "3/min"}
    monkeypatch.setattr(Counted, "THROTTLE_RATES", few)
    await in_thread(throttling.clear, "api:wrong-token:127.0.0.1")

    def call_api():
        return Client(headers={"Authorization": "Bearer ort_guess"}).get("/api/v1/account/")

    try:
        assert (await in_thread(call_api)).status_code == 401
        guesses = [scene.socket(None, token=f"ort_guess{number}") for number in range(4)]
        assert [await guess.read_refusal() for guess in guesses] == [401, 401, 429, 429]
        assert (await in_thread(call_api)).status_code == 429
        async with scene.socket(None, token=tokens[0][1]) as program:
            assert (await program.hello())["type"] == "snap"
    finally:
        await in_thread(throttling.clear, "api:wrong-token:127.0.0.1")


@pytest.mark.parametrize("end", ["by the player", "by the program"])
async def test_a_socket_of_an_oauth_token_closes_with_it(scene, end):
    player = scene.people[0]
    program, tokens = await in_thread(let_play, player)
    text = tokens["access_token"]

    def change():
        if end == "by the player":
            revoke_program(user_id=player.pk, client_id=program.pk)
        else:
            sent = {"token": text, "client_id": program.pk}
            assert Client().post(reverse("oauth:revoke"), sent).status_code == 200

    async with scene.socket(None, token=text) as socket:
        await socket.hello()
        assert socket.state["you"]["seat"] == 0
        await in_thread(change)
        assert await socket.read_close_code() == SIGNED_OUT


async def test_an_oauth_token_without_the_play_scope_opens_no_socket(scene):
    _program, tokens = await in_thread(let_play, scene.people[0], ["read"])
    assert await scene.socket(None, token=tokens["access_token"]).read_refusal() == 403


def let_play(player, scopes=("play",)):
    program = enter_program()
    return program, grant_tokens(player, program, list(scopes))


async def test_a_bot_account_plays_by_its_token_and_not_in_a_browser(
    live_site, transactional_db, make_player
):
    def begin():
        bots = [become_bot(user_id=make_player().pk) for _ in range(2)]
        for bot in bots:
            play_among_bots(user_id=bot.pk, game="indian", preset="points", seats=2)
        table = Table.objects.get()
        let_time_pass(table)
        _token, text = make_token(user_id=bots[0].pk, name="bot", scopes=[Scope.PLAY])
        return session_of(bots[0]), table, text

    session, table, text = await in_thread(begin)
    async with TableSocket(live_site, table.pk, session) as page:
        assert (await page.receive_until("bye"))["code"] == "plays_by_token"
        assert await page.read_close_code() == NOT_ALLOWED
    async with TableSocket(live_site, table.pk, None, token=text) as program:
        await program.hello()
        assert len(program.state["you"]["hand"]) == 13
        player = program.state["seats"][0]["player"]
        # Programs may be away like browsers. Practice bots never are.
        assert (player["name"], player["bot"]) == ("Player 1 [BOT]", False)


@pytest.fixture
def page(scene):
    """Open a socket as the web page of an approved program does: the token is among the subprotocols."""
    made = enter_program()
    made.origins = ["https://coach.example"]
    made.save()

    def open_page(text: str, origin: str = "https://coach.example", protocol: str = "openrummy"):
        return connect(
            f"{scene.address.replace('http', 'ws', 1)}/ws/tables/{scene.table.pk}/",
            origin=Origin(origin),
            subprotocols=[Subprotocol(protocol), Subprotocol(f"bearer.{text}")],
            proxy=None,
        )

    return open_page


async def test_a_page_on_a_registered_origin_shows_its_token_as_a_subprotocol(page, tokens):
    async with page(tokens[0][1]) as socket:
        # The token is not sent back.
        assert socket.subprotocol == "openrummy"
        await socket.send(json.dumps({"type": "hello", "epoch": "", "v": 0}))
        snap = json.loads(await socket.recv())
        assert snap["type"] == "snap"
        assert snap["state"]["you"]["seat"] == 0


@pytest.mark.parametrize(
    ("text", "how", "status"),
    [
        (None, {"origin": "https://evil.example"}, 403),
        (None, {"protocol": "another"}, 403),
        ("ort_wrong", {}, 401),
    ],
)
async def test_a_page_is_refused_without_origin_token_or_protocol(page, tokens, text, how, status):
    with pytest.raises(InvalidStatus) as refused:
        async with page(text or tokens[0][1], **how):
            pass
    assert refused.value.response.status_code == status


async def test_a_refused_token_is_told_why(scene, tokens):
    """The handshake's answer is a problem document, like the API's, and names the missing scope."""
    token, text = tokens[0]
    await in_thread(ApiToken.objects.filter(pk=token.pk).update, scopes=[Scope.READ])
    for shown, code, challenge in (
        (text, "permission_denied", 'Bearer error="insufficient_scope", scope="play"'),
        ("ort_wrong", "authentication_failed", 'Bearer error="invalid_token"'),
    ):
        with pytest.raises(InvalidStatus) as refused:
            await scene.socket(None, token=shown).__aenter__()
        answer = refused.value.response
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert answer.headers["WWW-Authenticate"] == challenge
        assert json.loads(answer.body)["code"] == code
