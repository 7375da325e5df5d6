"""The REST API as a player's own program uses it."""

import re
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from accounts.api_tokens.services import make_token, revoke_token
from accounts.models import ApiToken, Scope
from accounts.refusals import TokenNotWanted
from config.api.errors import urlpatterns
from config.api.problems import list_error_codes
from tables.models import Seat, Table
from tests.api_program import (
    WELCOME,
    Browser,
    Program,
    chips_of,
    refusal,
)
from tests.given import reload
from tests.tables.driving import make_kind, seat_all

pytestmark = pytest.mark.django_db
ABOUT = ("table", "match", "tournament", "league")


def test_the_account_names_the_scopes_of_the_token(player):
    answer = Program(player, Scope.READ).get("account/").json()
    assert answer == {
        "id": player.pk,
        "name": "Asha",
        "email": "asha@example.com",
        "bot": False,
        "language": player.language,
        "face": player.shown_face,
        "preferences": {},
        "scopes": ["read"],
    }


def test_choosing_a_face_needs_the_right_to_play(player):
    assert Program(player, Scope.READ).patch("account/", {"face": "owl"}).status_code == 403
    program = Program(player, Scope.PLAY)
    assert program.patch("account/", {"face": "dragon"}).json()["code"] == "invalid"
    assert reload(player).face == ""
    answer = program.patch("account/", {"face": "owl"})
    assert (answer.status_code, answer.json()["face"]) == (200, "owl")
    assert reload(player).shown_face == "owl"


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ort_wrong", "Bearer a b", "Basic x"])
def test_a_missing_or_wrong_token_is_refused(player, header):
    answer = Client(headers={"Authorization": header} if header else {}).get("/api/v1/account/")
    assert refusal(answer)[0] == 401


@pytest.mark.parametrize("header", ["", "Bearer ort_wrong"])
@pytest.mark.parametrize("method", ["get", "head", "post"])
def test_an_unknown_address_is_404_without_a_token(header, method):
    client = Client(headers={"Authorization": header} if header else {})
    answer = getattr(client, method)("/api/v1/nothing/")
    assert answer.status_code == 404
    assert method == "head" or answer.json()["code"] == "not_found"


def test_revoked_and_expired_tokens_are_refused(player):
    program = Program(player)
    token = ApiToken.objects.get()
    ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert program.get("account/").status_code == 401
    ApiToken.objects.update(expires_at=None)
    assert program.get("account/").status_code == 200
    revoke_token(user_id=player.pk, token_id=token.pk)
    assert program.get("account/").status_code == 401
    assert program.text not in str(list(ApiToken.objects.values()))


def test_a_player_has_at_most_ten_tokens(player):
    for _ in range(10):
        make_token(user_id=player.pk, name="x", scopes=[Scope.READ])
    with pytest.raises(TokenNotWanted):
        make_token(user_id=player.pk, name="x", scopes=[Scope.READ])
    assert ApiToken.objects.count() == 10


def test_the_wallet_shows_balance_and_statement(player):
    program = Program(player, Scope.READ)
    assert program.get("wallet/").json()["chips"] == WELCOME
    statement = program.get("wallet/statement/").json()
    [line] = statement["results"]
    assert (line["amount"], line["balance"], line["currency"]) == (WELCOME, WELCOME, "CHIPS")
    assert {line[kind] for kind in ABOUT} == {None}
    assert statement["next"] is None
    answer = program.get("wallet/statement/", account="gold", cursor="-1")
    assert answer.status_code == 400
    assert set(answer.json()["fields"]) == {"account", "cursor"}


def test_a_line_of_the_statement_names_its_table(player, table):
    program = Program(player)
    program.post(f"tables/{table.pk}/sit/", {"amount": 800}, key="sit-0001")
    program.post(f"tables/{table.pk}/leave/", key="leave-01")
    back, brought, _welcome = program.get("wallet/statement/").json()["results"]
    assert (brought["reason"], back["reason"]) == ("BUY_IN", "CASH_OUT")
    for line in (brought, back):
        of_table = dict.fromkeys(ABOUT) | {"table": table.pk}
        assert {kind: line[kind] for kind in ABOUT} == of_table


def test_a_player_sits_down_once_per_idempotency_key(player, table):
    program = Program(player)
    path = f"tables/{table.pk}/sit/"
    first = program.post(path, {"amount": 800}, key="sit-0001")
    again = program.post(path, {"amount": 800}, key="sit-0001")
    assert first.status_code == again.status_code == 200
    assert first.json() == {
        "table": table.pk,
        "socket": f"/ws/tables/{table.pk}/",
        "seat": 0,
        "stack": 800,
        "resumed": False,
    }
    assert again.json() == first.json()
    assert chips_of(player) == WELCOME - 800
    other = program.post(path, {"amount": 801}, key="sit-0001")
    assert refusal(other) == (409, "idempotency_conflict")
    refused = program.post(path, {"amount": 800}, key="sit-0002")
    assert refusal(refused) == (409, "already_seated")
    assert Seat.objects.filter(user=player).count() == 1
    assert program.post(f"tables/{table.pk}/leave/").json()["code"] == "idempotency_key_missing"
    assert chips_of(player) == WELCOME - 800
    # Repeating the request with the same key does not leave a second time.
    for _ in range(2):
        assert program.post(f"tables/{table.pk}/leave/", key="leave-01").status_code == 204
    assert chips_of(player) == WELCOME


@pytest.mark.parametrize(
    ("body", "key", "status", "code"),
    [
        ({"amount": 800}, None, 400, "idempotency_key_missing"),
        ({"amount": 800}, "short", 400, "idempotency_key_missing"),
        ({"amount": 1}, "sit-0001", 409, "buy_in_out_of_range"),
        ({"amount": 10**6}, "sit-0001", 409, "buy_in_out_of_range"),
        ({"amount": -5}, "sit-0001", 400, "invalid"),
        ({"amount": "x"}, "sit-0001", 400, "invalid"),
        ({}, "sit-0001", 400, "invalid"),
        ({"amount": 800, "seat": 9}, "sit-0001", 400, "invalid"),
    ],
)
def test_a_refused_request_does_not_use_up_its_key(player, table, body, key, status, code):
    program = Program(player)
    answer = program.post(f"tables/{table.pk}/sit/", body, key=key)
    assert refusal(answer) == (status, code)
    assert chips_of(player) == WELCOME
    seated = program.post(f"tables/{table.pk}/sit/", {"amount": 800}, key="sit-0001")
    assert seated.status_code == 200


def test_a_token_cannot_exceed_its_scopes(player, table):
    reading = Program(player, Scope.READ)
    answer = reading.post(f"tables/{table.pk}/sit/", {"amount": 800}, key="sit-0001")
    assert refusal(answer) == (403, "permission_denied")
    playing = Program(player, Scope.PLAY)
    assert playing.get("account/").status_code == 403
    assert chips_of(player) == WELCOME


def test_a_program_finds_a_table_in_the_lobby_and_by_play_now(player, table):
    kind = make_kind(name="Neem", allows_api_players=True)
    program = Program(player)
    lobby = program.get("lobby/").json()
    [offered], [opened] = lobby["kinds"], lobby["tables"]
    assert (offered["id"], offered["allows_api_players"]) == (kind.pk, True)
    assert (opened["name"], opened["allows_api_players"]) == ("Peepal Room", True)
    seated = program.post(f"tables/play/{kind.pk}/", key="play-0001").json()
    assert Seat.objects.get(user=player).table_id == seated["table"]
    missing = program.post("tables/play/999/", key="play-0002")
    assert refusal(missing) == (404, "table_not_found")


def test_programs_sit_only_at_tables_that_admit_them(player, table):
    kind = make_kind(name="Neem")
    Table.objects.filter(pk=table.pk).update(allows_api_players=False)
    program, path = Program(player), f"tables/{table.pk}/sit/"
    for answer in (
        program.post(path, {"amount": 800}, key="sit-0001"),
        program.post(f"tables/play/{kind.pk}/", key="sit-0002"),
    ):
        assert refusal(answer) == (409, "api_players_not_allowed")
    assert not Seat.objects.exists()
    assert not Table.objects.filter(template=kind).exists()
    assert chips_of(player) == WELCOME
    # The same request is allowed from the player's browser, which is not a program.
    assert Browser(player).post(path, {"amount": 800}, key="sit-0003").status_code == 200


def test_a_404_has_the_shape_of_every_other_error(player):
    program = Program(player)
    for path in ("nothing/", "tables/x/sit/", ""):
        answer = program.get(path)
        assert refusal(answer) == (404, "not_found")
    answer = program.post(f"tables/{2**63}/leave/", key="leave-01")
    assert refusal(answer) == (404, "table_not_found")


def test_topping_up_takes_chips_from_the_wallet(player, table):
    seat_all(table, player, amount=200)
    program = Program(player)
    answer = program.post(f"tables/{table.pk}/top-up/", {"amount": 100}, key="more-0001")
    assert answer.status_code == 200
    assert chips_of(player) == WELCOME - 300


def test_the_page_of_tokens_needs_a_recent_password(client, player):
    player.set_password("a-long-password")
    player.save()
    client.login(email=player.email, password="a-long-password")
    answer = client.get("/accounts/tokens/")
    assert answer.status_code == 302  # the page asks for the password again
    assert "reauthenticate" in answer["Location"]


def test_the_documentation_explains_every_operation_and_error_code(client):
    page = client.get("/api/v1/docs/").text
    assert "POST /api/v1/tables/{table_id}/sit/" in page
    assert "amount, seat, invite" in page
    assert page.count("<code>") >= 25
    for code in list_error_codes():
        assert f'<div id="{code}">' in page


def test_the_schema_is_complete_and_without_warnings(tmp_path):
    file = tmp_path / "api.yaml"
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(file))
    assert "openapi: 3.1.0" in file.read_text()


@pytest.mark.parametrize(
    "body",
    ["[" * 5_000, '{"a":' * 5_000, "[" * 900 + "]" * 900, '{"face": "\\ud800"}', '{"\\u0000": 1}'],
    ids=["lists", "objects", "closed lists", "half a character", "NUL"],
)
def test_no_body_fails_at_any_address(player, body):
    """An address answers a malformed body with 400, or with another refusal if it checks something else first."""
    program = Program(player)
    key = {"Idempotency-Key": "a-key-of-one-request"}
    asked = 0
    for route in urlpatterns[:-1]:
        address = re.sub(r"<[^>]*>", "1", f"/api/v1/{route.pattern}")
        view = getattr(route.callback, "cls", None)  # plain pages have no view class
        for method in ("post", "put", "patch"):
            if hasattr(view, method):
                send = getattr(program.client, method)
                answer = send(address, body, "application/json", headers=key)
                assert answer.status_code in {400, 404, 409}, (address, answer.content)
                asked += answer.status_code == 400
    assert asked >= 5
    answer = program.client.patch("/api/v1/account/", body, "application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "parse_error")
    assert answer["Content-Type"] == "application/problem+json"
