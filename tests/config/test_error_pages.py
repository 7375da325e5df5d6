"""Error pages, some of them from a real server."""

from typing import Any

import pytest
import requests
from django.conf import settings
from django.db import connection, connections
from django.test import Client

from config.errors import server_error
from tests.wallet.cash_players import make_player
from tests.workers import wait_until


def open_connections() -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        return int(cursor.fetchone()[0])


@pytest.fixture
def exhausted():
    """Give this thread a connection pool whose only connection is taken."""
    usual: Any = connections["default"]
    pool = {"min_size": 1, "max_size": 1, "timeout": 0.1}
    given = {**usual.settings_dict, "OPTIONS": {**usual.settings_dict["OPTIONS"], "pool": pool}}
    given["CONN_MAX_AGE"] = 0
    holder, waiting = (type(usual)(given, alias="default") for _ in range(2))
    holder.pool.open(wait=True)
    holder.ensure_connection()
    connections["default"] = waiting
    try:
        yield
    finally:
        connections["default"] = usual
        holder.close()
        holder.close_pool()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", ["/wallet/", "/matches/", "/tables/", "/api/v1/wallet/"])
def test_an_exhausted_connection_pool_answers_503(client, exhausted, path, caplog):
    """Whether a middleware, a view or the API needs the connection, it answers 503 and logs a warning."""
    client.raise_request_exception = False
    client.cookies[settings.SESSION_COOKIE_NAME] = "a" * 32
    answer = client.get(path)
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "The site is temporarily out of order" in answer.text
    assert "Somebody else" not in answer.text
    assert "no-store" in answer["Cache-Control"]
    assert {record.levelname for record in caplog.records} == {"WARNING"}


@pytest.mark.django_db
def test_another_failure_answers_500(rf):
    def answer_failing():
        try:
            return 1 // 0
        except ZeroDivisionError:
            return server_error(rf.get("/"))

    assert answer_failing().status_code == 500


@pytest.mark.django_db(transaction=True)
def test_a_404_page_keeps_no_connection(live_site: str, client: Client) -> None:
    """Its header queries the player and the balance in a separate thread, whose connection must be closed."""
    client.force_login(make_player())
    name = settings.SESSION_COOKIE_NAME
    cookies = {name: client.cookies[name].value}
    before = open_connections()
    for _time in range(3):
        answer = requests.get(f"{live_site}/nowhere/", cookies=cookies, timeout=30)
        assert answer.status_code == 404
        assert "Asha" in answer.text
    wait_until(lambda: open_connections() <= before, seconds=30)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "You have signed in or out since the page was opened"),
        ("hi", "यह फ़ॉर्म पुराना हो गया है"),
    ],
)
def test_a_form_of_a_page_from_before_signing_in_says_how_to_send_it_again(language, words):
    """Django's own page would talk about cookies and DEBUG, in English."""
    client = Client(enforce_csrf_checks=True, headers={"accept-language": language})
    answer = client.post("/accounts/login/", {"login": "a@example.org", "password": "x"})
    assert answer.status_code == 403
    assert words in answer.text
    assert 'href="/"' in answer.text
