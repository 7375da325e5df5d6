"""Private pages are never cached; public pages and static files still are."""

import pytest
from django.conf import settings

from tests.accounts.staff import office
from tests.api_program import Program, person, table_for_programs
from tests.wallet.cash_players import make_staff

pytestmark = pytest.mark.django_db
OWN = [
    "/",
    "/rules/",
    "/matches/",
    "/tournaments/",
    "/leaderboards/",
    "/wallet/",
    "/wallet/deposit/",
    "/accounts/",
    "/accounts/tokens/",
    "/accounts/sessions/",
    "/accounts/email/",
    "/accounts/2fa/",
    "/support/",
    "/no/such/page/",
    "/api/v1/account/",
    "/api/v1/nowhere/",
]


def is_kept_out(answer):
    return "no-store" in answer.headers.get("Cache-Control", "")


@pytest.fixture
def asha():
    return person("Asha")


@pytest.fixture
def signed_in(asha):
    return office(asha)


@pytest.mark.parametrize("path", OWN)
def test_a_signed_in_players_page_is_not_cached(signed_in, path):
    answer = signed_in.get(path)
    assert answer.status_code in {200, 302, 404}
    assert is_kept_out(answer)


def test_tables_and_forms_of_a_player_are_not_cached(signed_in):
    table = table_for_programs()
    assert is_kept_out(signed_in.get(f"/tables/{table.pk}/"))
    assert is_kept_out(signed_in.post(f"/tables/{table.pk}/sit/", {"seat": 0, "amount": 200}))


@pytest.mark.parametrize("path", ["/admin/", "/admin/accounts/user/", "/admin/nowhere/"])
def test_the_administration_is_not_cached(path):
    answer = office(make_staff("Boss")).get(path)
    assert answer.status_code == (404 if "nowhere" in path else 200)
    assert is_kept_out(answer)


def test_answers_to_programs_are_not_cached(asha, client):
    program = Program(asha)
    assert is_kept_out(program.get("wallet/"))
    assert is_kept_out(program.post("tables/1/sit/", {"amount": 1}, key="sit-0001"))
    assert is_kept_out(client.get("/api/v1/wallet/"))  # 401
    assert is_kept_out(client.get("/api/v1/wallet/", headers={"Authorization": "Bearer x"}))


@pytest.mark.parametrize("path", ["/accounts/login/", "/accounts/signup/", "/wallet/"])
def test_sign_in_pages_are_not_cached(client, path):
    assert is_kept_out(client.get(path))


def test_public_pages_and_static_files_may_be_cached(client, signed_in):
    for path in ("/", "/rules/", "/leaderboards/", "/no/such/page/"):
        assert not is_kept_out(client.get(path))
    assert settings.SESSION_COOKIE_NAME in signed_in.cookies
    for visitor in (client, signed_in):
        for path in ("/manifest.webmanifest", "/offline/en/", "/favicon.ico"):
            assert not is_kept_out(visitor.get(path))
        static = visitor.get("/static/css/tokens.css")
        assert static.status_code == 200
        assert "max-age" in static.headers["Cache-Control"]
        assert not is_kept_out(static)
