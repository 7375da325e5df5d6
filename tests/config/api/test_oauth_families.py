"""Stolen OAuth codes, refresh tokens and secrets (RFC 9700)."""

import json
from datetime import timedelta
from functools import partial
from unittest.mock import Mock

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher, identify_hasher
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from accounts.api_tokens import oauth_views
from accounts.api_tokens.oauth_grants import revoke_program
from accounts.models import ApiToken, OAuthGrant, OAuthRefreshToken
from accounts.models.oauth import is_same_address
from core import throttling
from tests.oauth_program import (
    BACK,
    VERIFIER,
    answer_query,
    build_query,
    enter_program,
    enter_server_program,
    exchange_code,
    expect_replays_to_end_the_tokens,
    grant_code,
    grant_tokens,
    renew_tokens,
    revoke_token,
    sign_in,
    to_exchange,
    tokens_exist,
    works,
)
from tests.together import run_at_once

pytestmark = pytest.mark.django_db
AUTHORIZE = "/oauth/authorize"


class TestCodes:
    def test_a_code_is_stored_only_as_a_hash(self, player, program):
        code = grant_code(player, program)
        assert code not in str(list(OAuthGrant.objects.values()))

    def test_what_is_stored_gives_no_tokens(self, player, program):
        """An attacker who can read the database gets no working code or token."""
        code = grant_code(player, program)
        grant = OAuthGrant.objects.get()
        assert exchange_code(program, grant.code).status_code == 400
        exchange_code(program, code)
        stored = [OAuthRefreshToken.objects.get().token_checksum, grant.code]
        for text in (*stored, *[f"{half}.{other}" for half in stored for other in stored]):
            assert renew_tokens(program, {"refresh_token": text}).status_code == 400
            assert not works({"access_token": text})

    def test_a_replayed_code_ends_its_tokens(self, player, program):
        code, other = grant_code(player, program), grant_tokens(player, program, ["read"])
        tokens = exchange_code(program, code).json()
        assert works(tokens)
        assert exchange_code(program, code).status_code == 400
        assert not works(tokens)
        assert renew_tokens(program, tokens).status_code == 400
        assert works(other)  # tokens of another consent belong to another family

    def test_a_code_of_a_revoked_program_gives_no_tokens(self, player, program):
        code = grant_code(player, program)
        revoke_program(user_id=player.pk, client_id=program.pk)
        assert exchange_code(program, code).status_code == 400
        assert not tokens_exist()

    def test_a_code_is_useless_to_another_program(self, player, program):
        code, thief = grant_code(player, program), enter_program()
        assert exchange_code(thief, code).status_code == 400
        assert works(exchange_code(program, code).json())

    def test_an_expired_code_gives_no_tokens(self, player, program):
        code = grant_code(player, program)
        OAuthGrant.objects.update(expires=timezone.now() - timedelta(seconds=1))
        assert exchange_code(program, code).status_code == 400
        assert not tokens_exist()

    @pytest.mark.parametrize(
        "change",
        [
            {"code_challenge": VERIFIER, "code_challenge_method": "plain"},
            {"code_challenge": VERIFIER, "code_challenge_method": ""},
            {"code_challenge_method": "plain"},
            {"code_challenge": "short"},
            {"code_challenge": 200 * "a"},
        ],
        ids=str,
    )
    def test_a_plain_or_short_challenge_is_refused(self, player, program, change):
        answer = sign_in(player).get(AUTHORIZE, build_query(program, **change))
        assert answer.status_code == 302
        assert answer["Location"].startswith(f"{BACK}?error=invalid_request")
        assert not OAuthGrant.objects.exists()

    def test_a_stripped_challenge_is_noticed_at_the_exchange(self, player):
        program, secret = enter_server_program()
        query = build_query(program)
        del query["code_challenge"], query["code_challenge_method"]
        code = answer_query(sign_in(player), query, ["read"])["code"]
        assert exchange_code(program, code, client_secret=secret).status_code == 400
        assert not tokens_exist()


@pytest.mark.django_db(transaction=True)
class TestSideBySide:
    def test_concurrent_exchanges_end_the_tokens_of_the_first(self, player, program):
        for _round in range(4):
            code = grant_code(player, program)
            answers = run_at_once(*8 * [partial(exchange_code, program, code)])
            expect_replays_to_end_the_tokens(answers)
            clear_rates(program)

    def test_concurrent_refreshes_end_the_tokens_of_the_first(self, player, program):
        for _round in range(4):
            tokens = grant_tokens(player, program, ["read"])
            answers = run_at_once(*8 * [partial(renew_tokens, program, tokens)])
            expect_replays_to_end_the_tokens(answers)
            clear_rates(program)

    def test_a_program_revoked_while_exchanging_keeps_nothing(self, player, program):
        for _round in range(6):
            code = grant_code(player, program)
            run_at_once(
                partial(exchange_code, program, code),
                partial(revoke_program, user_id=player.pk, client_id=program.pk),
            )
            assert not tokens_exist()
            assert not OAuthGrant.objects.exists()
            clear_rates(program)


class TestRefreshTokens:
    def test_a_replayed_refresh_token_ends_the_family(self, player, program):
        first = grant_tokens(player, program, ["read"])
        second = renew_tokens(program, first).json()
        assert works(second)
        assert renew_tokens(program, first).status_code == 400
        assert not works(second)
        assert renew_tokens(program, second).status_code == 400
        assert not ApiToken.objects.exists()

    def test_a_narrower_refresh_narrows_one_access_token(self, player, program):
        tokens = grant_tokens(player, program, ["read", "play"])
        fewer = renew_tokens(program, tokens, scope="read").json()
        assert fewer["scope"] == "read"
        assert set(renew_tokens(program, fewer).json()["scope"].split()) == {"read", "play"}

    def test_revoking_a_refresh_token_revokes_its_access_tokens(self, player, program):
        tokens, other = (grant_tokens(player, program, ["read"]) for _ in range(2))
        assert works(tokens)
        revoke_token(program, tokens["refresh_token"])
        assert not works(tokens)
        assert works(other)

    def test_a_program_cannot_revoke_the_token_of_another(self, player, program):
        tokens = grant_tokens(player, program, ["read"])
        revoke_token(enter_program(), tokens["access_token"])
        assert works(tokens)


@pytest.mark.parametrize(
    ("address", "entered_as", "is_same"),
    [
        (BACK, BACK, True),
        (f"{BACK}?next=//evil&code=attacker", BACK, False),
        (f"{BACK}/", BACK, False),
        (f"{BACK}#x", BACK, False),
        ("https://COACH.example/back", BACK, False),
        ("https://coach.example:443/back", BACK, False),
        ("https://nila@coach.example/back", BACK, False),
        (f"{BACK}?a=1&b=2", f"{BACK}?a=1&b=2", True),
        (f"{BACK}?b=2&a=1", f"{BACK}?a=1&b=2", False),
        ("http://127.0.0.1:51234/back", "http://127.0.0.1/back", True),
        ("http://127.0.0.1/back", "http://127.0.0.1:80/back", True),
        ("http://[::1]:51234/back", "http://[::1]/back", True),
        ("http://127.0.0.1:51234/back?x=1", "http://127.0.0.1/back", False),
        ("http://localhost:51234/back", "http://127.0.0.1/back", False),
        ("http://127.0.0.1:port/back", "http://127.0.0.1/back", False),
        ("http://nila@127.0.0.1:1/back", "http://127.0.0.1/back", False),
        ("com.example.coach:/back", "com.example.coach:/back", True),
        ("com.example.coach:/back?x=1", "com.example.coach:/back", False),
    ],
)
def test_a_redirect_matches_the_registered_one(address, entered_as, is_same):
    assert is_same_address(address, entered_as) is is_same


# --- Guessing -------------------------------------------------------------------------------------


def clear_rates(program):
    asking = RequestFactory().post("/oauth/token", {"client_id": program.pk})
    throttling.clear(*(rate.name for rate in oauth_views._list_rates(asking)))


class TestWrongSecrets:
    @pytest.fixture
    def server(self):
        program, self.secret = enter_server_program()
        yield program
        clear_rates(program)

    def test_a_secret_is_stored_as_a_fast_hash(self, server):
        assert identify_hasher(server.client_secret).algorithm == "random_secret"
        assert self.secret not in server.client_secret

    @pytest.mark.parametrize("door", ["token", "revoke"])
    def test_wrong_secrets_of_a_program_have_a_rate(self, server, player, door, monkeypatch):
        monkeypatch.setattr(oauth_views, "REFUSED_OF_A_PROGRAM", 3)
        tokens = exchange_code(server, grant_code(player, server), client_secret=self.secret).json()
        wrong = to_exchange(server, "wrong", client_secret="wrong", token="wrong")
        address = reverse(f"oauth:{door}")
        statuses = [Client().post(address, wrong).status_code for _ in range(4)]
        assert statuses == [401, 401, 401, 429]
        refused = Client().post(address, wrong)
        assert json.loads(refused.content)["error"] == "temporarily_unavailable"
        assert int(refused["Retry-After"]) > 0
        # Other programs at that address still work, and so does this one from another address.
        assert works(grant_tokens(player, enter_program(), ["read"]))
        renewed = renew_tokens(server, tokens, address="198.51.100.7", client_secret=self.secret)
        assert renewed.status_code == 200

    def test_wrong_secrets_of_an_address_have_a_rate(self, server, monkeypatch):
        monkeypatch.setattr(oauth_views, "REFUSED_OF_AN_ADDRESS", 3)
        client = Client(REMOTE_ADDR="198.51.100.8")

        def guess(number):
            sent = {"grant_type": "refresh_token", "client_id": f"guess {number}"}
            return client.post(reverse("oauth:token"), sent).status_code

        statuses = [guess(number) for number in range(4)]
        assert statuses[3] == 429
        assert 429 not in statuses[:3]

    def test_right_secrets_are_not_counted(self, server, player, monkeypatch):
        monkeypatch.setattr(oauth_views, "REFUSED_OF_A_PROGRAM", 1)
        for _ in range(3):
            tokens = exchange_code(server, grant_code(player, server), client_secret=self.secret)
            assert tokens.status_code == 200

    def test_a_wrong_secret_computes_no_slow_hash(self, server, monkeypatch):
        encode = Mock()
        monkeypatch.setattr(PBKDF2PasswordHasher, "encode", encode)
        assert exchange_code(server, "wrong", client_secret="wrong").status_code == 401
        encode.assert_not_called()
