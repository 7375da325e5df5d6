"""deploy/caddy/Caddyfile in a real Caddy: automatic certificates, sockets, addresses, static files."""

import asyncio
import http.client
import json
import os
import re
import shutil
import ssl
import subprocess
import threading
from contextlib import contextmanager

import pytest
import uvicorn
import yaml
from websockets.sync.client import connect

from config.request_limits import RequestLimits
from tests.config.run.behind_proxy import check_static, lay_out_static, request_over_tls
from tests.given import require
from tests.ports import find_free_port
from tests.programs import ROOT, run_program
from tests.workers import wait_until

CADDY = shutil.which("caddy", path=f"{os.environ['PATH']}:/usr/bin:/usr/local/bin")
CADDYFILE = (ROOT / "deploy/caddy/Caddyfile").read_text()
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text())
PORT = "8000"

pytestmark = pytest.mark.skipif(CADDY is None, reason="no caddy on this machine")


async def web(scope, receive, send):
    """A stand-in for the site: describes each request, and echoes a socket's messages."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            await send({"type": "websocket.send", "text": f"{scope['path']} {message['text']}"})
        return
    length, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        length, more = length + len(message["body"]), message["more_body"]
    headers = {name.decode(): value.decode() for name, value in scope["headers"]}
    said = {"client": scope["client"][0], "scheme": scope["scheme"], "length": length}
    body = json.dumps({**said, "headers": headers}).encode()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": body})


@pytest.fixture(scope="module")
def site():
    """Run a web process configured as in config/run/web.py. Yields its port."""
    port = find_free_port()
    server = uvicorn.Server(
        uvicorn.Config(
            RequestLimits().limit(web), port=port, lifespan="off", log_level="warning", proxy_headers=True,
            forwarded_allow_ips="127.0.0.1",
        )
    )  # fmt: skip
    running = threading.Thread(target=asyncio.run, args=(server.serve(),))
    running.start()
    try:
        wait_until(lambda: server.started)
        yield port
    finally:
        server.should_exit = True
        running.join(10)


def environment(folder):
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "XDG_DATA_HOME": str(folder / "data"),
        "XDG_CONFIG_HOME": str(folder / "config"),
    }


def adapt(text, folder, **given):
    """Return a Caddyfile's JSON configuration, after Caddy has validated it without serving."""
    (folder / "Caddyfile").write_text(text)
    command = [str(CADDY), "adapt", "--config", folder / "Caddyfile", "--validate"]
    said = run_program(*command, env={**environment(folder), **given}, check=True)
    return json.loads(said.stdout)


def strip_newer(text):
    """Return the text without directives that need a newer Caddy than this one."""
    found = require(re.match(r"v?(\d+)\.(\d+)", run_program(str(CADDY), "version").stdout))
    if (int(found[1]), int(found[2])) >= (2, 7):
        return text
    assert text.count("versions ipv4\n") == 1
    return text.replace("versions ipv4\n", "\n")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("caddy")


@pytest.fixture(scope="module")
def proxy(site, folder):
    """Run Caddy with the shipped file. Yields its TLS port, its port for redirects, and an SSL context."""
    changes = (
        ("name web", "name 127.0.0.1"),
        (f"port {PORT}", f"port {site}"),
        ("root * /srv", f"root * {folder}/srv"),
    )
    with run_caddy(folder, changes) as started:
        yield started


@contextmanager
def run_caddy(folder, changes):
    secure, plain = find_free_port(), find_free_port()
    text = strip_newer(CADDYFILE)
    for said, here in (
        (
            "{\n\temail",
            f"{{\n\tadmin off\n\tdefault_bind 127.0.0.1\n\thttp_port {plain}\n\thttps_port {secure}\n\temail",
        ),
        *changes,
    ):
        assert text.count(said) == 1, said
        text = text.replace(said, here)
    (folder / "Caddyfile").write_text(text)
    log = (folder / "log").open("w")
    running = subprocess.Popen(
        [str(CADDY), "run", "--config", folder / "Caddyfile"],
        env=environment(folder),
        stderr=log,
    )
    root = folder / "data/caddy/pki/authorities/local/root.crt"
    try:
        wait_until(lambda: root.exists() and answers(secure, root))
        yield secure, plain, ssl.create_default_context(cafile=str(root))
    finally:
        running.terminate()
        running.wait(10)
        log.close()


def answers(port, root):
    try:
        ask((port, 0, ssl.create_default_context(cafile=str(root))))
    except OSError:
        return False
    return True


def ask(proxy, path="/", *, method="GET", body=None, **headers):
    """Return status, body and headers. The context trusts Caddy's own certificate authority."""
    port, _plain, trust = proxy
    asked = http.client.HTTPSConnection("localhost", port, timeout=10, context=trust)
    return request_over_tls(asked, path, method=method, body=body, headers=headers)


def test_caddy_requests_certificates_for_a_public_name(tmp_path):
    given = {"SITE_ADDRESS": "play.example.com", "SUPPORT_EMAIL": "support@play.example.com"}
    apps = adapt(strip_newer(CADDYFILE), tmp_path, **given)["apps"]
    [policy] = apps["tls"]["automation"]["policies"]
    assert policy["subjects"] == ["play.example.com"]
    assert policy["issuers"][0] == {"module": "acme", "email": "support@play.example.com"}
    assert apps["http"]["servers"]["srv0"]["listen"] == [":443"]
    # Caddy must not install its own authority as trusted on the machine.
    assert apps["pki"]["certificate_authorities"]["local"]["install_trust"] is False


def test_the_caddyfile_is_formatted(tmp_path):
    (tmp_path / "Caddyfile").write_text(CADDYFILE)
    assert run_program(str(CADDY), "fmt", tmp_path / "Caddyfile").stdout == CADDYFILE


def test_caddy_forwards_pages_over_tls(proxy):
    status, body, headers = ask(proxy, "/rules/")
    said = json.loads(body)
    assert (status, said["scheme"], said["client"]) == (200, "https", "127.0.0.1")
    assert said["headers"]["host"] == f"localhost:{proxy[0]}"
    assert re.fullmatch(r"[0-9a-f-]{36}", said["headers"]["x-request-id"])
    assert "Server" not in headers or headers["Server"] == "uvicorn"


def test_forwarded_headers_of_visitors_are_replaced(proxy):
    claimed = {"X_Forwarded_For": "9.9.9.9", "X_Forwarded_Proto": "http"}
    said = json.loads(ask(proxy, **claimed)[1])
    assert (said["client"], said["scheme"]) == ("127.0.0.1", "https")
    assert said["headers"]["x-forwarded-for"] == "127.0.0.1"
    assert said["headers"]["x-forwarded-proto"] == "https"


def test_a_socket_through_caddy_passes_both_ways(proxy):
    address = f"wss://localhost:{proxy[0]}/ws/tables/7/"
    with connect(address, ssl=proxy[2]) as socket:
        for word in ("hello", "act"):
            socket.send(word)
            assert socket.recv(5) == f"/ws/tables/7/ {word}"


@pytest.mark.parametrize("path", ["/metrics", "/readyz", "/ledgerz", "//metrics", "/%6detrics"])
def test_monitoring_pages_are_not_public(proxy, path):
    status, body, _headers = ask(proxy, path)
    assert (status, body) == (404, b"")


def test_tables_of_a_process_that_is_gone_are_taken_over_by_another(site, tmp_path):
    named = strip_newer(CADDYFILE)
    names = named[named.index("\tdynamic a {") : named.index("\tlb_try_duration")]
    changes = [(names, f"\tto 127.0.0.1:{site} 127.0.0.1:{find_free_port()}\n")]
    with run_caddy(tmp_path, changes) as proxy:
        answers = [ask(proxy, f"/ws/tables/{number}/")[0] for number in range(12)]
    assert answers == [200] * 12


def test_a_flood_is_limited_despite_forged_addresses(proxy):
    """The limits are nginx's (test_proxy.py): at sign-in pages 20 requests at once, then one a second."""
    statuses = [
        ask(proxy, "/accounts/login/", X_Forwarded_For=f"9.9.9.{number}")[0] for number in range(40)
    ]
    assert statuses[:20] == [200] * 20
    assert statuses.count(429) >= 15
    assert ask(proxy, "/accounts/login/", Cookie="sessionid=asha")[0] == 200
    assert ask(proxy, "/rules/")[0] == 200


def test_a_connection_that_sends_nothing_is_closed(tmp_path):
    server = adapt(strip_newer(CADDYFILE), tmp_path)["apps"]["http"]["servers"]["srv0"]
    seconds = {name: server[name] // 10**9 for name in ("read_header_timeout", "read_timeout")}
    assert seconds == {"read_header_timeout": 10, "read_timeout": 60}
    assert "write_timeout" not in server  # it would end WebSockets


def test_plain_http_redirects_to_tls(proxy):
    asked = http.client.HTTPConnection("localhost", proxy[1], timeout=10)
    asked.request("GET", "/rules/", headers={"Host": "localhost"})
    answer = asked.getresponse()
    answer.read()
    asked.close()
    assert answer.status == 308
    assert (answer.getheader("Location") or "").startswith("https://localhost")


def test_the_largest_upload_passes_and_a_larger_one_is_refused(proxy):
    fits = ask(proxy, method="POST", body=b"x" * (10 * 1024 * 1024 + 9))
    assert json.loads(fits[1])["length"] == 10 * 1024 * 1024 + 9
    status, body, _headers = ask(proxy, method="POST", body=b"x" * (13 * 1024 * 1024))
    assert status in {413, 502}  # Caddy before 2.7 answers 502
    assert b"length" not in body


@pytest.fixture(scope="module")
def static(folder):
    return lay_out_static(folder / "srv")


def test_caddy_serves_static_files_itself(proxy, static):
    check_static(lambda **headers: ask(proxy, static, **headers))


@pytest.mark.parametrize(
    "path",
    [
        "/static/css/none.css",
        "/static/",
        "/static/css/",
        "/static/../secret",
        "/static/%2e%2e/secret",
    ],
)
def test_caddy_forwards_a_missing_file_and_serves_no_other(proxy, static, folder, path):
    (folder / "srv/secret").write_text("secret")
    status, body, _headers = ask(proxy, path)
    assert status == 200
    assert json.loads(body)["scheme"] == "https"


def test_caddy_and_nginx_are_profiles_of_compose():
    services = COMPOSE["services"]
    assert services["caddy"]["profiles"] == ["caddy"]
    assert services["nginx"]["profiles"] == ["nginx"]
    assert services["caddy"]["ports"] == services["nginx"]["ports"]
    # Certificates are kept in a volume: after too many requests, the authority issues none for a week.
    assert "certificates:/data" in services["caddy"]["volumes"]
    assert "static:/srv/static:ro" in services["caddy"]["volumes"]
    assert set(re.findall(r"\{\$(\w+)", CADDYFILE)) == services["caddy"]["environment"].keys()
