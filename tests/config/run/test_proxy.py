"""deploy/nginx.conf in a real nginx: client addresses, rate limits, and the routing of tables' sockets."""

import re
import ssl
from contextlib import ExitStack
from http.client import HTTPSConnection
from http.server import ThreadingHTTPServer

import pytest
import yaml

from bench.processes import wait_until
from tests.config.run.behind_proxy import check_static, lay_out_static, request_over_tls
from tests.nginx import NGINX, SECONDS_TO_START, run_nginx
from tests.programs import ROOT
from tests.stand_in import Handler, serve

NGINX_CONF = (ROOT / "deploy/nginx.conf").read_text()
LOGIN = "/accounts/login/"
# The number of requests that a visitor may send to it at once.
BURST = 21

pytestmark = pytest.mark.skipif(NGINX is None, reason="no nginx on this machine")


class Web(Handler):
    """A stand-in for a web process: answers with the client's address and its own port."""

    server: ThreadingHTTPServer

    def respond(self):
        visitor = self.headers["X-Forwarded-For"].encode()
        self.answer(200, visitor, X_Port=str(self.server.server_port))


@pytest.fixture
def at_tables():
    """Two web processes that receive only the sockets of tables."""
    with ExitStack() as stack:
        servers = [ThreadingHTTPServer(("127.0.0.1", 0), Web) for _ in range(2)]
        for server in servers:
            stack.enter_context(serve(server))
        yield servers


@pytest.fixture
def proxy(tmp_path, at_tables):
    """Run nginx and yield its TLS port. A header of the test sets the address of a request's client."""
    web = ThreadingHTTPServer(("127.0.0.1", 0), Web)
    # nginx before 1.27.3 cannot resolve names again at run time.
    [(shipped, options)] = re.findall(r"(server web:8000(.*) resolve;)", NGINX_CONF)
    tables = " ".join(f"server 127.0.0.1:{server.server_port}{options};" for server in at_tables)
    changes = [
        (shipped, tables),
        ("web:8000", f"127.0.0.1:{web.server_port}"),
    ]
    told = "set_real_ip_from 127.0.0.1; real_ip_header X-Test-Address;"
    with run_nginx(tmp_path, changes, http=told) as port, serve(web):
        yield port


def ask(port, **asked):
    """Return status and body of a page."""
    status, body, _headers = request_page(port, **asked)
    return status, body.decode()


def request_page(port, *, host="127.0.0.1", path="/", **headers):
    """Return status, body and headers of a page."""
    anyone = ssl._create_unverified_context()  # noqa: S323 - our own, made a moment ago
    asked = HTTPSConnection(host, port, timeout=10, context=anyone)
    return request_over_tls(asked, path, headers=headers)


def let_through(port, times, **asked):
    statuses = [ask(port, path=LOGIN, **asked)[0] for _ in range(times)]
    assert set(statuses) <= {200, 429}
    return statuses.count(200)


def test_the_proxy_answers_over_ipv4_and_ipv6(proxy):
    assert ask(proxy) == (200, "127.0.0.1")
    assert ask(proxy, host="::1") == (200, "::1")
    assert ask(proxy, X_Test_Address="2001:db8:1:2::7") == (200, "2001:db8:1:2::7")


def test_nginx_limits_an_ipv6_address_by_its_network(proxy):
    used = [ask(proxy, path=LOGIN, X_Test_Address=f"2001:db8:1:2::{n:x}")[0] for n in range(1, 41)]
    assert used[:BURST] == [200] * BURST
    assert used.count(429) >= 15  # one more passes each second
    # An address whose bytes include line feeds works, too.
    assert ask(proxy, path=LOGIN, X_Test_Address="2001:db8:a:a0a::7")[0] == 200
    assert let_through(proxy, 5, X_Test_Address="2001:db8:1:3::1") == 5
    assert ask(proxy, path=LOGIN, X_Test_Address="203.0.113.7")[0] == 200


def test_nginx_limits_each_ipv4_address(proxy):
    assert let_through(proxy, 40, X_Test_Address="203.0.113.7") <= BURST + 4
    assert let_through(proxy, 5, X_Test_Address="203.0.113.8") == 5


def test_nginx_limits_a_session_apart_from_its_address(proxy):
    carrier = "203.0.113.7"
    assert let_through(proxy, 40, X_Test_Address=carrier) < 40
    assert let_through(proxy, 5, X_Test_Address=carrier, Cookie="sessionid=asha") == 5
    # Made-up sessions do not get around the limit, since addresses have their own.
    made_up = [
        ask(proxy, path=LOGIN, X_Test_Address=carrier, Cookie=f"sessionid=guess{n}")[0]
        for n in range(300)
    ]
    assert made_up.count(429) > 20


@pytest.fixture
def static(tmp_path):
    """Lay out the files that nginx serves from /srv/static. Returns the address of one."""
    return lay_out_static(tmp_path)


def test_nginx_serves_static_files_itself(proxy, static):
    check_static(lambda **headers: request_page(proxy, path=static, **headers))


@pytest.mark.parametrize(
    "path", ["/static/css/none.css", "/static/../secret", "/static/%2e%2e/secret"]
)
def test_nginx_forwards_a_missing_file_and_serves_no_other(proxy, static, tmp_path, path):
    (tmp_path / "secret").write_text("secret")
    assert ask(proxy, path=path) == (200, "127.0.0.1")


def test_migrate_copies_the_new_static_files_for_nginx():
    """`migrate` fills the volume before the new version serves."""
    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    assert "cp -r /srv/static/. /srv/served/" in services["migrate"]["command"][-1]
    assert "static:/srv/served" in services["migrate"]["volumes"]
    assert "static:/srv/static:ro" in services["nginx"]["volumes"]
    # A new volume gets the owner of the image's folder.
    made = "install -d -o openrummy -g openrummy -m 755 /srv/served"
    assert made in (ROOT / "Dockerfile").read_text()


def test_nginx_listens_on_ipv4_and_ipv6():
    assert len(re.findall(r"^  listen (?!\[)", NGINX_CONF, re.MULTILINE)) == 2
    assert len(re.findall(r"^  listen \[::\]", NGINX_CONF, re.MULTILINE)) == 2


@pytest.mark.parametrize(
    ("path", "logged"),
    [
        ("/accounts/password/reset/key/1-d1x2y3-0123456789abcdef0123456789abcdef/", "/accounts/password/reset/key/..."),
        ("/accounts/confirm-email/MQ:1vP0aB:Zm9vYmFyLWJhei1xdXV4/", "/accounts/confirm-email/..."),
        ("/accounts/absence/stop/NQ:1vP0aB:Zm9vYmFyLWJhei1xdXV4/", "/accounts/absence/stop/..."),
        ("/shared/a-token/deals/1/", "/shared/..."),
        ("/tables/7/?invite=secret-code", "/tables/7/"),
        ("/clubs/3/calendar.ics?key=secret-code", "/clubs/3/calendar.ics"),
        ("/tournaments/12/", "/tournaments/12/"),
        ("/", "/"),
    ],
)  # fmt: skip
def test_the_log_has_nothing_that_opens_an_account(proxy, tmp_path, path, logged):
    ask(proxy, path=path, Referer=f"https://127.0.0.1{path}secret")
    # nginx writes the line only after it has sent the answer.
    log = tmp_path / "access.log"
    wait_until(lambda: log.read_text().endswith("\n"), SECONDS_TO_START, log.read_text)
    lines = log.read_text().splitlines()
    assert len(lines) == 1
    assert f'"GET {logged} HTTP/1.1" 200 ' in lines[0]
    assert "secret" not in lines[0]


TABLES = [f"/ws/tables/{number}/" for number in range(20)]


def find_ports(proxy, paths=TABLES):
    """Return the port of the web process that answered each path, or None."""
    return {path: request_page(proxy, path=path)[2].get("X-Port") for path in paths}


def end(server):
    server.shutdown()
    server.server_close()


def test_sockets_of_a_table_share_a_web_process_and_fail_over(proxy, at_tables):
    first = find_ports(proxy)
    assert set(first.values()) == {str(server.server_port) for server in at_tables}
    assert find_ports(proxy) == first
    assert find_ports(proxy, ["/ws/me/"])["/ws/me/"] not in first.values()
    gone, left = at_tables
    end(gone)
    assert set(find_ports(proxy).values()) == {str(left.server_port)}


def test_a_process_that_is_back_takes_all_tables_when_the_other_is_gone(proxy, at_tables):
    gone, other = at_tables
    end(gone)
    find_ports(proxy)
    with serve(ThreadingHTTPServer(gone.server_address, Web)):
        end(other)
        assert set(find_ports(proxy).values()) == {str(gone.server_port)}
