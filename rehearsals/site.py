"""A site on a machine as its visitors see it: pages, a deal played in a browser, and the mails that arrive."""

import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_string, policy
from http import HTTPStatus
from http.client import HTTPConnection, HTTPMessage, HTTPSConnection

from playwright.sync_api import Browser, Page, sync_playwright

from bench.processes import ROOT
from rehearsals.machines import Machine, MachineError
from tests.core.emails.mail_sink import MailSink

# The name that machines and this host agree on without a name server.
HOST = "localhost"
IP = "127.0.0.1"
# Machines sign their own certificates.
ARGUMENTS = ["--no-sandbox", "--ignore-certificate-errors"]
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium")
ADDRESS = f"https://{HOST}"
PAGES = (
    "/",
    "/tables/",
    "/tournaments/",
    "/docs/",
    "/accounts/login/",
    "/accounts/signup/",
)
# The person who registers in tests/e2e/test_guest.py.
NILA = "nila@example.com", "a-long-enough-word-4"
HIDDEN = ("/metrics", "/readyz", "/ledgerz")
SECONDS_TO_BE_READY = 120
UNITS = ("openrummy", "postgresql", "redis-server", "nginx")


READYZ = "curl -s -m 5 http://127.0.0.1:8000/readyz"


def await_ready(
    machine: Machine, seconds: float = SECONDS_TO_BE_READY, *, readyz: str = READYZ
) -> float:
    """Wait until `/readyz`, requested by a command in the machine, reports every part as ok. Return the seconds."""
    began = time.monotonic()
    said = ""
    while time.monotonic() - began < seconds:
        said = machine.run(readyz, check=False)
        try:
            parts = json.loads(said)
        except ValueError:
            parts = {}
        if parts and set(_texts(parts)) == {"ok"}:
            return time.monotonic() - began
        time.sleep(0.5)
    raise MachineError(f"the site is not ready after {seconds:.0f} s: {said}")


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for part in value.values():
            yield from _texts(part)
    else:
        yield str(value)


def ask(path: str, *, host: str = HOST, ip: str = IP) -> tuple[int, HTTPMessage, str]:
    """Request a page by https. Return its status, headers and text. Redirects are not followed."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    connection = HTTPSConnection(HOST, timeout=10, context=context)
    connection.sock = context.wrap_socket(
        socket.create_connection((ip, 443), timeout=10), server_hostname=HOST
    )
    try:
        connection.request("GET", path, headers={"Host": host})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode(errors="replace")
    finally:
        connection.close()


def check_pages(ip: str = IP) -> list[str]:
    """Return the problems of the site that an outsider sees through nginx."""
    wrong = check_contents(ip)
    if (status := ask("/", host="somewhere.else.example", ip=ip)[0]) != HTTPStatus.BAD_REQUEST:
        wrong.append(f"an unknown host is answered with {status}")
    return [*wrong, *check_way_to_https(HTTPStatus.MOVED_PERMANENTLY, ip)]


def check_contents(ip: str = IP) -> list[str]:
    """Return the problems of the pages and their static files."""
    wrong = [sentence for path in PAGES for sentence in check_page(path, ip)]
    for address in re.findall(r'(?:href|src)="(/static/[^"#]+)"', ask("/", ip=ip)[2]):
        status, headers, _ = ask(address, ip=ip)
        if status != HTTPStatus.OK or "immutable" not in headers.get("Cache-Control", ""):
            wrong.append(f"{address}: {status} {headers.get('Cache-Control')}")
    shown = (path for path in HIDDEN if ask(path, ip=ip)[0] != HTTPStatus.NOT_FOUND)
    return wrong + [f"{path} is shown to the world" for path in shown]


def check_page(path: str, ip: str) -> list[str]:
    status, headers, _ = ask(path, ip=ip)
    if status != HTTPStatus.OK:
        return [f"{path}: {status}"]
    return [] if "max-age" in headers.get("Strict-Transport-Security", "") else [f"{path}: no HSTS"]


def check_way_to_https(status: HTTPStatus, ip: str = IP) -> list[str]:
    connection = HTTPConnection(ip, 80, timeout=10)
    connection.request("GET", "/docs/", headers={"Host": HOST})
    answer = connection.getresponse()
    connection.close()
    led = answer.status, answer.headers["Location"]
    return [] if led == (status, f"{ADDRESS}/docs/") else [f"http leads to {led}"]


@contextmanager
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield opened
        opened.close()


@contextmanager
def visitor(opened: Browser) -> Iterator[tuple[Page, list[str]]]:
    """Open a page in a new browser session. Yield it with the list of errors in its console and scripts."""
    context = opened.new_context()
    page, errors = context.new_page(), list[str]()
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page, errors
    context.close()


def play_first_deal() -> list[str]:
    """Win a deal as a guest and register as nila@example.com. Return the errors of the browser's console."""
    command = [sys.executable, "-m", "rehearsals.first_deal"]
    played = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if played.returncode:
        raise MachineError(f"the first deal was not played:\n{played.stderr[-3000:]}")
    errors: list[str] = json.loads(played.stdout.splitlines()[-1])
    return errors


def confirm_address(opened: Browser, mails: MailSink) -> list[str]:
    """Follow the link in the registration's mail in another browser: sign in there and confirm the address.

    Return the errors of the browser's console.
    """
    with visitor(opened) as (page, errors):
        page.goto(await_link(mails, NILA[0]))
        page.get_by_role("link", name="Sign in").last.click()
        page.locator("main input[name=login]").fill(NILA[0])
        page.locator("main input[name=password]").fill(NILA[1])
        page.locator("main input[name=password]").press("Enter")
        page.get_by_role("button", name="Confirm").click()
        page.get_by_text("You have confirmed").wait_for()
        return errors


def await_link(mails: MailSink, recipient: str, seconds: float = 60) -> str:
    """Wait for a mail with a link to the site. Return the link."""
    until = time.monotonic() + seconds
    while not (found := find_link(mails, recipient)):
        if time.monotonic() > until:
            raise MachineError(f"no mail with a link for {recipient} after {seconds:.0f} s")
        time.sleep(0.2)
    return found


def find_link(mails: MailSink, recipient: str) -> str:
    for text in reversed(mails.messages):
        mail = message_from_string(text, policy=policy.default)
        body = mail.get_body(("plain",))
        links = re.findall(
            rf"{re.escape(ADDRESS)}/accounts/\S+", body.get_content() if body else ""
        )
        if recipient in str(mail["To"]) and links:
            return str(links[0]).rstrip(".")
    return ""


def check_units(machine: Machine, *more: str) -> list[str]:
    """Return the units that are not active or have failed."""
    wrong = []
    for unit in (*UNITS, *more):
        state = machine.run(f"systemctl is-active {unit}", check=False).strip()
        if state != "active":
            wrong.append(f"{unit} is {state}")
    failed = machine.run("systemctl --failed --plain --no-legend", check=False).split("\n")
    return wrong + [
        f"failed: {line}" for line in failed if "openrummy" in line or "postgresql" in line
    ]
