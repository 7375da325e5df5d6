"""Script errors in browsers: each is one line in the log, without data about the player."""

import json

import pytest

from config.monitoring.script_errors import LONGEST_BODY, OF_A_HOUSEHOLD, OF_THE_SITE
from core import throttling

# Reads no rows. Tests with a database run before the browser tests, whose event loop would interfere.
pytestmark = pytest.mark.django_db
PAGE = "/script-errors/"
HERE = "127.0.0.1"
CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36"
STACK = (
    "TypeError: x is null\n    at draw (https://play.example/static/js/table/view/hand.js:12:7)\n"
    "    at https://play.example/static/js/lobby.3f2a.js:1:240\n    at https://evil.example/a.js:1:1"
)


@pytest.fixture(autouse=True)
def _nothing_counted():
    throttling.clear("script-error", f"script-error:{HERE}")


def send(client, content, **more):
    text = content if isinstance(content, str) else json.dumps(content)
    return client.post(PAGE, text, **{"content_type": "application/json", **more})


def test_the_log_names_the_place_of_a_script_error(client, caplog):
    sent = {"message": "x is null", "stack": STACK, "page": "/rules/"}
    assert send(client, sent, headers={"User-Agent": CHROME}).status_code == 204
    [record] = caplog.records
    assert (record.name, record.levelname) == ("config.monitoring.script_errors", "WARNING")
    assert record.getMessage() == (
        "a script failed: x is null; page: rules; "
        "at: js/table/view/hand.js:12:7 < js/lobby.3f2a.js:1:240; browser: Chrome, Linux"
    )


def test_a_script_error_discloses_nothing_about_the_player(client, caplog):
    secret = "c2hhcmVkLXRva2VuLW9mLWEtbWF0Y2g"
    sent = {
        "message": f'no "Meera" meera@example.com at https://x.example/?k={secret} {secret} 4567\nX',
        "stack": f"at https://play.example/shared/{secret}/:1:1",
        "page": f"/shared/{secret}/",
    }
    assert send(client, sent).status_code == 204
    line = caplog.records[0].getMessage()
    assert line.startswith("a script failed: no ? ? at ? ? ?")
    assert "page: shared_match; at: unknown" in line
    for word in ("Meera", "meera", secret, "4567", "\n"):
        assert word not in line


@pytest.mark.parametrize(
    "content",
    ["", "[]", "null", "{", '"x"', "[" * 3_000, "x" * (LONGEST_BODY + 1)],
)
def test_an_invalid_report_is_not_logged(client, caplog, content):
    assert send(client, content).status_code == 400
    assert send(client, {"message": "x"}, content_type="text/plain").status_code == 400
    assert client.get(PAGE).status_code == 405
    assert [r for r in caplog.records if r.name.startswith("config")] == []


def test_the_line_of_a_script_error_is_bounded(client, caplog):
    sent = {"message": "ab " * 300, "stack": STACK * 8, "page": "/" + "x/" * 90}
    assert send(client, sent).status_code == 204
    assert len(caplog.records[0].getMessage()) < 700


def test_script_errors_are_limited_per_household_and_site(client, caplog):
    answers = [send(client, {"message": "x"}).status_code for _ in range(OF_A_HOUSEHOLD + 2)]
    assert answers == [204] * OF_A_HOUSEHOLD + [429] * 2
    for number in range(OF_THE_SITE):
        send(client, {"message": "x"}, REMOTE_ADDR=f"203.0.113.{number}")
    assert send(client, {"message": "x"}, REMOTE_ADDR="198.51.100.7").status_code == 429
    lines = [r for r in caplog.records if r.name == "config.monitoring.script_errors"]
    assert len(lines) == OF_THE_SITE
