"""Rubbish in an address gets an answer with a status code, and never a server error."""

import os
import re
import zlib
from contextlib import contextmanager

import psycopg
import pytest
from django.db import connection
from django.test import Client
from django.urls import URLResolver, get_resolver

from tests.accounts.staff import office
from tests.api_program import Browser, chips_of, person, refusal, table_for_programs
from tests.effort import share_of
from tests.wallet.cash_players import make_staff
from tests.workers import point_to_tests

pytestmark = pytest.mark.django_db
# By converter: NUMBERS for `int`, TEXTS for all others, since `path` and `str` accept nearly anything.
NUMBERS = ["0", "9223372036854775808", "1" + "0" * 30]
TEXTS = ["%00", "a%00b", "%ED%A0%80", "1" + "0" * 30]


PART = re.compile(r"<(?:(\w+):)?\w+>")


def list_routes(resolver=None, before=""):
    """Yield every route of the site, such as `tables/<int:table_id>/`."""
    for pattern in (resolver or get_resolver()).url_patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from list_routes(pattern, route)
        else:
            yield route


def list_addresses():
    """Yield addresses with rubbish in one part each. Routes with regular expressions are left out."""
    for route in list_routes():
        for part in PART.finditer(route) if "^" not in route else ():
            values = NUMBERS if part[1] == "int" else TEXTS
            # By default, each address gets some of the values, and each value is tried somewhere.
            first = zlib.crc32(f"{route} {part[0]}".encode())
            for number in range(share_of(len(values))):
                value = values[(first + number) % len(values)]
                before, after = (
                    _fill_in(text) for text in (route[: part.start()], route[part.end() :])
                )
                yield f"/{before}{value}{after}"


def _fill_in(route):
    return PART.sub(lambda part: "1" if part[1] == "int" else "abc", route)


@pytest.fixture
def people():
    clients = {
        "nobody": Client(),
        "player": office(person("Asha")),
        "staff": office(make_staff("Boss")),
    }
    for client in clients.values():
        client.raise_request_exception = False
    return clients


def test_rubbish_in_an_address_causes_no_server_error(people):
    tried, broken = 0, []
    for address in list_addresses():
        for who, client in people.items():
            if address.startswith("/admin/") != (who == "staff"):
                continue
            # The administration looks up its rows the same way for GET and POST.
            methods = (client.get,) if who == "staff" else (client.get, client.post)
            for method in methods:
                answer = method(address)
                tried += 1
                if answer.status_code >= 500:
                    broken.append((who, method.__name__, address[:80]))
    assert tried > 200
    assert broken == []


RUBBISH = ["\0", "a\0b", "1" + "0" * 30, "-1", "\u202e", "x" * 3_000, "\ufffd", "1e9", "NaN"]
ASKED = {
    "/tables/": ["game", "format", "seats", "currency", "free"],
    "/matches/": ["before", "format", "currency"],
    "/leaderboards/": ["by", "game", "period"],
    "/tournaments/": ["phase", "kind"],
    "/wallet/": ["account", "topic", "from", "to", "before", "page", "format", "currency"],
    "/accounts/login/": ["next"],
    "/api/v1/wallet/statement/": ["account", "topic", "from", "to", "before", "limit", "currency"],
    "/api/v1/matches/": ["before", "limit", "format", "currency"],
    "/api/v1/lobby/": ["format", "seats", "currency"],
    "/api/v1/tournaments/": ["phase", "kind", "before", "limit"],
    "/api/v1/leagues/": ["phase", "after"],
    "/api/v1/leaderboards/": ["by", "game", "period", "limit"],
    "/admin/accounts/user/": ["q", "p", "o", "is_bot__exact", "id__exact", "email__startswith"],
    "/admin/wallet/transfer/": ["q", "p", "reason", "day"],
}


@pytest.mark.parametrize("address", ASKED)
def test_rubbish_in_a_query_causes_no_server_error(people, address):
    client = people["staff" if address.startswith("/admin/") else "player"]
    statuses = {
        (name, value[:9]): client.get(address, {name: value}).status_code
        for name in ASKED[address]
        for value in RUBBISH
    }
    assert len(statuses) == len(ASKED[address]) * len(RUBBISH)
    assert {asked: status for asked, status in statuses.items() if status >= 500} == {}


def test_an_address_with_nul_is_404(people):
    for path in ("/shared/a%00b/", "/wallet/deposits/%00/"):
        assert people["player"].get(path).status_code == 404


def test_a_cookie_with_nul_is_ignored(client):
    for name in ("sessionid", "csrftoken", "known_device"):
        answer = client.get("/", headers={"Cookie": f'{name}="aaaaaaaaaa\\000"'})
        assert answer.status_code == 200


# --- Rows that another connection locks -----------------------------------------------------------


@contextmanager
def lock_row(table):
    """Lock the table's row from another connection, and set a short lock timeout on this one."""
    with psycopg.connect(point_to_tests(os.environ["DATABASE_OWNER_URL"])) as other:
        other.execute("SELECT 1 FROM tables_table WHERE id = %s FOR UPDATE", [table.pk])
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '200ms'")
        try:
            yield
        finally:
            with connection.cursor() as cursor:
                cursor.execute("SET lock_timeout = 0; SET statement_timeout = 0")


@pytest.mark.django_db(transaction=True)
def test_a_lock_timeout_is_explained_and_can_be_retried(caplog):
    table, asha = table_for_programs(), person("Asha")
    program, path = Browser(asha), f"tables/{table.pk}/sit/"
    with lock_row(table):
        page = program.client.post(f"/{path}", {"seat": 0, "amount": 200})
        answer = program.post(path, {"amount": 200}, key="sit-0001")
    assert (page.status_code, page.headers["Retry-After"]) == (503, "1")
    assert "Try again in a moment." in page.text
    assert page.headers["Cache-Control"] == "no-store"
    assert refusal(answer) == (503, "busy")
    assert answer.headers["Retry-After"] == "1"
    assert not any(record.exc_info for record in caplog.records)
    # The refused request did nothing, so its idempotency key may be used again.
    assert chips_of(asha) == 10_000
    assert program.post(path, {"amount": 200}, key="sit-0001").status_code == 200
    assert chips_of(asha) == 9_800


@pytest.mark.django_db(transaction=True)
def test_a_statement_timeout_answers_503(caplog):
    table, client = table_for_programs(), office(person("Asha"))
    with lock_row(table):
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = 0; SET statement_timeout = '200ms'")
        page = client.post(f"/tables/{table.pk}/leave/")
    assert page.status_code == 503
    assert not any(record.exc_info for record in caplog.records)
