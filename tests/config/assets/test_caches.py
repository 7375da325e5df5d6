"""No cache keeps what is somebody's own; public pages and static files are kept as they were."""

import pytest
from django.conf import settings
from django.test import Client

from accounts.models import User
from tests.api_program import Program, person, table_for_programs

pytestmark = pytest.mark.django_db
BACKEND = "django.contrib.auth.backends.ModelBackend"
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


@pytest.mark.parametrize("path", OWN)
def test_a_page_of_who_is_signed_in_is_kept_nowhere(asha, path):
    client = Client()
    client.force_login(asha, backend=BACKEND)
    answer = client.get(path)
    assert answer.status_code in {200, 302, 404}
    assert is_kept_out(answer)


def test_tables_and_forms_of_who_is_signed_in_too(asha):
    table = table_for_programs()
    client = Client()
    client.force_login(asha, backend=BACKEND)
    assert is_kept_out(client.get(f"/tables/{table.pk}/"))
    assert is_kept_out(client.post(f"/tables/{table.pk}/sit/", {"seat": 0, "amount": 200}))


@pytest.mark.parametrize("path", ["/admin/", "/admin/accounts/user/", "/admin/nowhere/"])
def test_the_administration_is_kept_nowhere(path):
    client = Client()
    staff = User.objects.create_superuser("root@example.com", None, player_name="Root")
    client.force_login(staff, backend=BACKEND)
    answer = client.get(path)
    assert answer.status_code == (404 if "nowhere" in path else 200)
    assert is_kept_out(answer)


def test_answers_to_programs_are_kept_nowhere_right_or_wrong(asha, client):
    program = Program(asha)
    assert is_kept_out(program.get("wallet/"))
    assert is_kept_out(program.post("tables/1/sit/", {"amount": 1}, key="sit-0001"))
    assert is_kept_out(client.get("/api/v1/wallet/"))  # 401
    assert is_kept_out(client.get("/api/v1/wallet/", headers={"Authorization": "Bearer x"}))


@pytest.mark.parametrize("path", ["/accounts/login/", "/accounts/signup/", "/wallet/"])
def test_so_are_the_doors_of_who_is_not(client, path):
    assert is_kept_out(client.get(path))


def test_public_pages_stay_as_they_were(client, asha):
    for path in ("/", "/rules/", "/leaderboards/", "/no/such/page/"):
        assert not is_kept_out(client.get(path))
    signed_in = Client()
    signed_in.force_login(asha, backend=BACKEND)
    assert settings.SESSION_COOKIE_NAME in signed_in.cookies
    for visitor in (client, signed_in):
        for path in ("/manifest.webmanifest", "/offline/en/", "/favicon.ico"):
            assert not is_kept_out(visitor.get(path))
        static = visitor.get("/static/css/tokens.css")
        assert static.status_code == 200
        assert "max-age" in static.headers["Cache-Control"]
        assert not is_kept_out(static)
