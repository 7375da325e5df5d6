"""The needs of the machine: checks for the shell, in plain English.

Each checks the machine on which the command runs.
"""

import http.client
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.staticfiles.management.commands import collectstatic
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.checks import ERROR, run_checks
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http.request import validate_host
from django.urls import reverse
from django.utils import timezone
from redis import Redis
from redis.exceptions import RedisError

from config.desk.alerts import list_alarms
from config.desk.setup.checks import Check, Seen
from config.desk.setup.mail import check_mail_server
from config.monitoring.health import list_parts
from config.monitoring.metrics import (
    WAL_ARCHIVE_FAILS_FROM_SECONDS,
    count_seconds_without_beat,
    measure_wal_failure,
)

LEAST_POSTGRESQL: Final = 150_000
LEAST_REDIS: Final = 7
SECONDS_APART_AT_MOST: Final = 2.0
BEAT_IS_SILENT_FROM_SECONDS: Final = 120
# With less free space than this share, or than this size, a night's backup or log may fill the disk. A /tmp in
# memory is small, so a quarter of it is enough.
LEAST_FREE_SHARE: Final = 0.05
LEAST_FREE_BYTES: Final = 2 * 2**30
_QUARTER: Final = 4
SECONDS_TO_ANSWER: Final = 5
# What http.client raises without an answer; an address that cannot be one raises ValueError.
_NO_ANSWER: Final = (OSError, http.client.HTTPException, ValueError)
_HERE: Final = ("localhost", "127.0.0.1", "::1")
_GATEWAY: Final = (502, 503, 504)
# The socket was opened, or the site itself refused it. Either way the proxy passed it on as a socket.
_SOCKET_CAME_THROUGH: Final = (101, 403, 429)
_SHOWN: Final = 3

# A part of /readyz: the title of its line, and what to do.
_PARTS: Final = {
    "database": (
        "Database",
        "Start PostgreSQL and look at DATABASE_URL; its log says why it does not answer.",
    ),
    "clock": (
        "Clock process",
        "Start a clock process (docs/processes.md): without it no turn ends.",
    ),
    "replica": ("Replica", "Look at the replica's log: pages are read from the primary meanwhile."),
    "redis": ("Redis", "Start Redis or Valkey and look at REDIS_URL."),
    "broker": ("Broker of jobs", "Start it and look at CELERY_BROKER_URL."),
    "workers": (
        "Workers",
        "Start the workers (docs/processes.md): mail, payouts and reports wait for them.",
    ),
    "nats": ("NATS", "Start its servers and look at NATS_URLS."),
}


def list_checks() -> list[Check]:
    """Return the checks of this machine, from its lowest layer upwards."""
    parts = list_parts()
    return [
        Check(
            "versions",
            "Python",
            "Run the site on Python 3.11 or newer.",
            _check_python,
            asks_database=False,
        ),
        Check(
            "settings",
            "Settings",
            "Mend what the message names (docs/settings.md).",
            _check_settings,
            asks_database=False,
        ),
        *(_make_part(name, state) for name, state in parts.items()),
        Check("postgresql", "PostgreSQL", "Upgrade it to version 15 or newer.", _check_postgresql),
        Check(
            "migrations",
            "Migrations",
            "Run manage.py migrate (docs/upgrade.md).",
            _check_migrations,
        ),
        Check(
            "redis-version",
            "Redis version",
            "Upgrade it to Redis or Valkey 7 or newer.",
            _check_redis,
            asks_database=False,
        ),
        Check(
            "beat",
            "Beat",
            "Start beat on one machine (docs/processes.md): it asks for every periodic job.",
            _check_beat,
            asks_database=False,
        ),
        Check(
            "clocks",
            "Clocks",
            "Set both machines' clocks by NTP: deadlines count by the database's.",
            _check_clocks,
        ),
        Check(
            "ntp",
            "Time by NTP",
            "Run timedatectl set-ntp true, and install systemd-timesyncd or chrony.",
            _check_ntp,
            _has_ntp,
            asks_database=False,
        ),
        Check(
            "disk",
            "Disk",
            "Make room: remove old backups and logs, or give the disk more.",
            _check_disk,
            asks_database=False,
        ),
        Check(
            "wal",
            "WAL archive",
            "Look at PostgreSQL's log for archive_command (docs/recovery.md): until it works the disk fills.",
            _check_wal,
        ),
        Check(
            "static",
            "Static files",
            "Run manage.py collectstatic --noinput, then reload the site.",
            _check_static,
            asks_database=False,
        ),
        Check(
            "mail-server",
            "Mail server",
            "Look at EMAIL_HOST, EMAIL_PORT, EMAIL_HOST_USER and EMAIL_HOST_PASSWORD (docs/settings.md).",
            lambda _now: check_mail_server(),
            asks_database=False,
        ),
        Check(
            "origin",
            "Origin",
            "Put the origin of SITE_URL into WEBSOCKET_ORIGINS and its host into ALLOWED_HOSTS.",
            _check_origin,
            asks_database=False,
        ),
        Check(
            "address",
            "Pages at SITE_URL",
            "Look at the proxy and at SITE_URL (docs/install.md).",
            _check_page,
            asks_database=False,
        ),
        Check(
            "sockets",
            "Sockets at SITE_URL",
            "Let the proxy pass Upgrade and Connection for /ws/ (deploy/nginx.conf).",
            _check_socket,
            asks_database=False,
        ),
        Check(
            "alarms",
            "Alarms",
            "Open the administration's first page: each red figure leads to its list.",
            _check_alarms,
        ),
    ]


def _make_part(name: str, state: str) -> Check:
    title, to_do = _PARTS[name]
    seen = Seen(state == "ok", state)
    return Check(name, title, to_do, lambda _now: seen, asks_database=False)


def _check_python(_now: datetime) -> Seen:
    return Seen(sys.version_info >= (3, 11), ".".join(map(str, sys.version_info[:3])))


def _check_settings(_now: datetime) -> Seen:
    found = run_checks(include_deployment_checks=not settings.DEBUG)
    wrong = [str(one.msg) for one in found if one.level >= ERROR]
    return Seen(not wrong, "; ".join(wrong) or settings.SETTINGS_MODULE)


def _check_postgresql(_now: datetime) -> Seen:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_setting('server_version'), current_setting('server_version_num')"
        )
        version, number = cursor.fetchone() or ("", "0")
    return Seen(int(number) >= LEAST_POSTGRESQL, version)


def list_missing_migrations() -> list[str]:
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [f"{migration.app_label} {migration.name}" for migration, _backwards in plan]


def _check_migrations(_now: datetime) -> Seen:
    missing = list_missing_migrations()
    return Seen(not missing, f"missing: {_shorten(missing)}" if missing else "all are applied")


def _check_redis(_now: datetime) -> Seen:
    try:
        with Redis.from_url(settings.RATES_REDIS_URL, socket_timeout=SECONDS_TO_ANSWER) as redis:
            version = str(redis.info("server").get("redis_version", ""))
    except (RedisError, OSError) as error:
        return Seen(is_good=False, fact=str(error))
    major = version.partition(".")[0]
    return Seen(major.isdigit() and int(major) >= LEAST_REDIS, version)


def _check_beat(_now: datetime) -> Seen:
    seconds = count_seconds_without_beat()
    if seconds < 0:
        return Seen(is_good=False, fact="has not been heard of for a day")
    is_heard = seconds < BEAT_IS_SILENT_FROM_SECONDS
    return Seen(is_heard, f"heard of {seconds:.0f} s ago")


def _check_clocks(_now: datetime) -> Seen:
    return compare_clocks(timezone.now)


def compare_clocks(read_clock: Callable[[], datetime]) -> Seen:
    """Compare a clock with the database's, allowing for the time that the query takes.

    The result is good if they are at most SECONDS_APART_AT_MOST apart.
    """
    before = read_clock()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        [there] = cursor.fetchone() or (before,)
    after = read_clock()
    apart = max((before - there).total_seconds(), (there - after).total_seconds(), 0.0)
    return Seen(
        apart <= SECONDS_APART_AT_MOST, f"{apart:.1f} s between this machine and the database"
    )


def _ask_ntp() -> str:
    """Return systemd's answer to whether the clock is synchronized, "yes" or "no"; empty if there is no answer."""
    program = shutil.which("timedatectl")
    if program is None:
        return ""
    asked = [program, "show", "--property=NTPSynchronized", "--value"]
    try:
        said = subprocess.run(  # noqa: S603 - fixed words
            asked, capture_output=True, text=True, timeout=SECONDS_TO_ANSWER, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return said.stdout.strip() if said.returncode == 0 else ""


def _has_ntp() -> bool:
    return _ask_ntp() != ""


def _check_ntp(_now: datetime) -> Seen:
    is_set = _ask_ntp() == "yes"
    return Seen(is_set, "synchronised" if is_set else "not synchronised")


def _check_disk(_now: datetime) -> Seen:
    folders = [settings.BASE_DIR, Path(settings.STATIC_ROOT), Path(tempfile.gettempdir())]
    return measure_room(folders, least_bytes=LEAST_FREE_BYTES)


def measure_room(
    folders: Sequence[Path], *, least_bytes: int, least_share: float = LEAST_FREE_SHARE
) -> Seen:
    """Return the free space on the disks of these folders. The result is good if each disk has enough."""
    by_disk = {folder.stat().st_dev: folder for folder in folders if folder.exists()}
    rooms = [(folder, shutil.disk_usage(folder)) for folder in by_disk.values()]
    full = [
        room.free < min(least_bytes, room.total // _QUARTER) or room.free < room.total * least_share
        for _f, room in rooms
    ]
    said = [
        f"{room.free / 2**30:.1f} of {room.total / 2**30:.1f} GiB free at {folder}"
        for folder, room in rooms
    ]
    return Seen(not any(full), ", ".join(said))


def _check_wal(_now: datetime) -> Seen:
    failing = measure_wal_failure()
    if failing > WAL_ARCHIVE_FAILS_FROM_SECONDS:
        return Seen(is_good=False, fact=f"has failed for {failing // 60:.0f} minutes")
    with connection.cursor() as cursor:
        cursor.execute("SHOW archive_mode")
        [mode] = cursor.fetchone() or ("off",)
    is_off = mode == "off"
    return Seen(is_good=True, fact="off: nightly backups alone" if is_off else "works")


def _check_static(_now: datetime) -> Seen:
    if not hasattr(staticfiles_storage, "read_manifest"):
        return Seen(is_good=True, fact="served from their sources")
    missing = list_uncollected()
    if missing:
        return Seen(is_good=False, fact=f"{len(missing)} not collected: {_shorten(missing)}")
    if staticfiles_storage.read_manifest() is None:
        return Seen(is_good=False, fact="their manifest is missing: collecting did not end")
    return Seen(is_good=True, fact=f"collected in {settings.STATIC_ROOT}")


def list_uncollected() -> list[str]:
    """Return the files that collectstatic would copy now."""
    command = collectstatic.Command()
    command.set_options(
        interactive=False, verbosity=0, link=False, clear=False, dry_run=True, ignore_patterns=[],
        use_default_ignore_patterns=True, post_process=False,
    )  # fmt: skip
    return list(command.collect()["modified"])


def _check_origin(_now: datetime) -> Seen:
    place = urlsplit(settings.SITE_URL)
    origin = f"{place.scheme}://{place.netloc}"
    if place.scheme != "https" and place.hostname not in _HERE:
        return Seen(is_good=False, fact=origin, to_do="Let SITE_URL begin with https://.")
    if place.path:
        return Seen(
            is_good=False,
            fact=settings.SITE_URL,
            to_do="Let SITE_URL end with the host or its port: pages are at /, and links begin with it.",
        )
    origins = settings.WEBSOCKET_ORIGINS
    host = place.hostname or ""
    # Written as in a request's Host header.
    named = f"[{host}]" if ":" in host else host
    is_host_known = validate_host(named, settings.ALLOWED_HOSTS)
    return Seen(is_host_known and (not origins or origin in origins), origin)


def _check_page(_now: datetime) -> Seen:
    """Request a page as a visitor would, and judge the proxy by the response."""
    path = reverse("manifest")
    try:
        status, location = _ask(path)
    except _NO_ANSWER as error:
        return Seen(
            is_good=False, fact=f"{settings.SITE_URL}: {str(error) or type(error).__name__}"
        )
    to_do = ""
    if location.startswith(settings.SITE_URL):
        to_do = "Let the proxy set X-Forwarded-Proto: each request counts as plain HTTP and is led on to itself."
    elif status == http.client.BAD_REQUEST:
        to_do = "Let the proxy pass the Host on, and put it into ALLOWED_HOSTS."
    elif status in _GATEWAY:
        to_do = "Start the web processes: the proxy reaches none."
    fact = f"{settings.SITE_URL}{path} answers {status}"
    return Seen(status == http.client.OK, fact, to_do)


def _check_socket(_now: datetime) -> Seen:
    wanted = {
        "Connection": "Upgrade", "Upgrade": "websocket", "Origin": settings.SITE_URL,
        "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "b3BlbnJ1bW15LWRvY3Rvcg==",
    }  # fmt: skip
    try:
        status, _location = _ask("/ws/me/", wanted)
    except _NO_ANSWER as error:
        return Seen(
            is_good=False, fact=f"{settings.SITE_URL}: {str(error) or type(error).__name__}"
        )
    return Seen(status in _SOCKET_CAME_THROUGH, f"{settings.SITE_URL}/ws/me/ answers {status}")


def _ask(path: str, headers: dict[str, str] | None = None) -> tuple[int, str]:
    """Return the response's status, and its `Location` if it is a redirect."""
    place = urlsplit(settings.SITE_URL)
    host = place.hostname or ""
    server: http.client.HTTPConnection
    if place.scheme == "https":
        server = http.client.HTTPSConnection(
            host, place.port, timeout=SECONDS_TO_ANSWER, context=ssl.create_default_context()
        )
    else:
        server = http.client.HTTPConnection(host, place.port, timeout=SECONDS_TO_ANSWER)
    try:
        server.request("GET", path, headers=headers or {})
        answer = server.getresponse()
        return answer.status, answer.getheader("Location", "")
    except socket.gaierror as error:
        raise OSError(f"no address is known for {host}") from error
    finally:
        server.close()


def _check_alarms(now: datetime) -> Seen:
    alarms = [f"{name}: {value}" for name, value in list_alarms(now).items()]
    return Seen(not alarms, _shorten(alarms) or "none")


def _shorten(names: Sequence[str]) -> str:
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
