"""Floods of requests, each from an address and with a session of its own, before Django is asked."""

import asyncio
import os
import re

import pytest

from config import request_limits
from config.request_limits import RequestLimits
from tests.programs import ROOT, run_python

LOGIN = "/accounts/login/"


async def ask(application, *, path="/", address="203.0.113.7", session=""):
    """Return the status."""
    cookie = f"theme=dark; sessionid={session}" if session else "theme=dark"
    scope = {
        "type": "http",
        "path": path,
        "client": (address, 1) if address else None,
        "headers": [(b"host", b"x"), (b"cookie", cookie.encode())],
    }
    sent = []

    async def send(message):
        sent.append(message)

    await application(scope, None, send)
    return sent[0]["status"]


async def site(_scope, _receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b""})


@pytest.fixture
def limited():
    return RequestLimits().limit(site)


async def count_allowed(application, times, **asked):
    statuses = [await ask(application, **asked) for _ in range(times)]
    assert set(statuses) <= {200, 429}
    return statuses.count(200)


async def test_a_visitor_may_load_pages_and_no_flood(limited):
    assert 60 <= await count_allowed(limited, 200) <= 70
    assert await count_allowed(limited, 5, address="203.0.113.8") == 5
    assert await count_allowed(limited, 200, path="/static/a.js") == 200


async def test_the_doors_are_narrower(limited):
    assert 20 <= await count_allowed(limited, 60, path=LOGIN) <= 22
    assert await count_allowed(limited, 5, path="/rules/") == 5


async def test_an_address_of_ipv6_is_counted_by_its_network(limited):
    used = [await ask(limited, path=LOGIN, address=f"2001:db8:1:2::{n:x}") for n in range(1, 41)]
    assert used.count(200) <= 22
    assert await ask(limited, path=LOGIN, address="2001:db8:1:3::1") == 200


async def test_sessions_tell_phones_behind_an_address_apart_and_made_up_ones_do_not_help(limited):
    await count_allowed(limited, 40, path=LOGIN)
    assert await count_allowed(limited, 5, path=LOGIN, session="asha") == 5
    made_up = [await ask(limited, path=LOGIN, session=f"guess{n}") for n in range(300)]
    assert 170 <= made_up.count(200) <= 200


async def test_one_visitor_does_not_hold_every_thread(monkeypatch):
    monkeypatch.setattr(request_limits, "MOST_AT_ONCE_OF_A_VISITOR", 3)
    ended = asyncio.Event()

    async def slow(scope, receive, send):
        await ended.wait()
        await site(scope, receive, send)

    application = RequestLimits().limit(slow)
    held = [asyncio.ensure_future(ask(application)) for _ in range(3)]
    await asyncio.sleep(0)
    assert await ask(application) == 429
    ended.set()
    assert await asyncio.gather(*held) == [200] * 3
    assert await ask(application) == 200


async def test_who_has_no_address_is_let_through(limited):
    assert await count_allowed(limited, 100, address="") == 100


def test_the_doors_are_those_of_nginx():
    [said] = re.findall(
        r"location ~ \^/\((accounts/login[^)]*)\)", (ROOT / "deploy/nginx.conf").read_text()
    )
    assert request_limits.DOORS.pattern == rf"/(?:{said})"


@pytest.mark.parametrize(("given", "is_limited"), [({}, True), ({"REQUEST_LIMITS": "0"}, False)])
def test_a_deployment_has_them_unless_it_says_otherwise(given, is_limited):
    deployed = {
        "DJANGO_SETTINGS_MODULE": "config.settings.production", "SECRET_KEY": "x" * 50,
        "ALLOWED_HOSTS": "play.example", "WEBSOCKET_ORIGINS": "https://play.example", **given,
    }  # fmt: skip
    show = "from config.asgi import pages; print(pages)"
    said = run_python("-c", show, env={**os.environ, **deployed}, check=True)
    assert ("RequestLimits.limit." in said.stdout) is is_limited
