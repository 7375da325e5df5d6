"""Request limits for each address and session, which stop floods before they reach Django."""

import asyncio
import os
import re

import pytest

from config import request_limits
from config.request_limits import RequestLimits
from tests.programs import ROOT, run_python

LOGIN = "/accounts/login/"


async def ask(application, *, path="/", address="203.0.113.7", session=""):
    """Send a request to the application. Return the status."""
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


async def test_a_visitor_is_limited_and_static_files_are_not(limited):
    assert 60 <= await count_allowed(limited, 200) <= 70
    assert await count_allowed(limited, 5, address="203.0.113.8") == 5
    assert await count_allowed(limited, 200, path="/static/a.js") == 200


async def test_sign_in_pages_have_a_lower_limit(limited):
    assert 20 <= await count_allowed(limited, 60, path=LOGIN) <= 22
    assert await count_allowed(limited, 5, path="/rules/") == 5


async def test_an_ipv6_address_is_limited_by_its_network(limited):
    used = [await ask(limited, path=LOGIN, address=f"2001:db8:1:2::{n:x}") for n in range(1, 41)]
    assert used.count(200) <= 22
    assert await ask(limited, path=LOGIN, address="2001:db8:1:3::1") == 200


async def test_sessions_have_their_own_limit_and_forged_ones_share_one(limited):
    await count_allowed(limited, 40, path=LOGIN)
    assert await count_allowed(limited, 5, path=LOGIN, session="asha") == 5
    made_up = [await ask(limited, path=LOGIN, session=f"guess{n}") for n in range(300)]
    assert 170 <= made_up.count(200) <= 200


async def test_concurrent_requests_of_a_visitor_are_limited(monkeypatch):
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


async def test_a_request_without_an_address_is_not_limited(limited):
    assert await count_allowed(limited, 100, address="") == 100


def test_the_limited_sign_in_pages_are_those_of_nginx():
    [said] = re.findall(
        r"location ~ \^/\((accounts/login[^)]*)\)", (ROOT / "deploy/nginx.conf").read_text()
    )
    assert request_limits.DOORS.pattern == rf"/(?:{said})"


@pytest.mark.parametrize(("given", "is_limited"), [({}, True), ({"REQUEST_LIMITS": "0"}, False)])
def test_production_limits_requests_unless_switched_off(given, is_limited):
    deployed = {
        "DJANGO_SETTINGS_MODULE": "config.settings.production", "SECRET_KEY": "x" * 50,
        "ALLOWED_HOSTS": "play.example", "WEBSOCKET_ORIGINS": "https://play.example", **given,
    }  # fmt: skip
    show = "from config.asgi import pages; print(pages)"
    said = run_python("-c", show, env={**os.environ, **deployed}, check=True)
    assert ("RequestLimits.limit." in said.stdout) is is_limited
