"""`manage.py doctor`: each check reports green and red for real causes."""

import io
import os
import re
import sys
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.utils import timezone

from config.desk.setup.machine import compare_clocks, list_checks, measure_room
from config.monitoring.metrics import WORKERS_SEEN, record_beat
from tables.models import ClockBeat
from tests.core.emails.mail_sink import mail_sink
from tests.nginx import run_nginx
from tests.programs import run_program
from tests.stand_in import Handler, run_server
from tests.wallet.rawsql import as_owner, run

pytestmark = pytest.mark.django_db
# No server listens on this port.
NOWHERE = "127.0.0.1:1"


def look(code):
    """Run the machine check with this code. Return its result."""
    [check] = [check for check in list_checks() if check.code == code]
    return check.inspect(timezone.now())


def examine(*options):
    """Run the command. Return its exit status, the word and fact of each line by title, and the output."""
    out, status = io.StringIO(), 0
    try:
        call_command("doctor", *options, stdout=out, no_color=True)
    except SystemExit as end:
        status = int(end.code or 0)
    lines = re.findall(r"^(green|red) +([^:\n]+)(?:: (.*))?$", out.getvalue(), re.M)
    return status, {title: (word, fact) for word, title, fact in lines}, out.getvalue()


def test_each_red_line_says_what_to_do_and_the_command_fails():
    status, lines, text = examine()
    assert status == 1
    assert lines["PostgreSQL"][0] == "green"
    assert lines["Terms published"][0] == "red"
    reds = sum(word == "red" for word, _fact in lines.values())
    assert f"{reds} of the lines are red." in text
    told = re.findall(r"^red .*\n {7}(\w.*\.)$", text, re.M)
    assert len(told) == reds
    assert "Terms published" not in examine("--machine")[1]


def test_processes_are_red_until_they_are_heard_of():
    cache.clear()
    assert [look(code).is_good for code in ("clock", "workers", "beat")] == [False] * 3
    ClockBeat.objects.create(beat_at=timezone.now())
    cache.set(WORKERS_SEEN, 1)
    record_beat(headers={"celery_beat_task": True})
    assert [look(code).is_good for code in ("clock", "workers", "beat")] == [True] * 3


def test_redis_and_broker(settings):
    assert all(look(code).is_good for code in ("redis", "broker", "redis-version"))
    settings.CELERY_BROKER_URL = settings.RATES_REDIS_URL = f"redis://{NOWHERE}/0"
    assert not look("redis").is_good
    assert "refused" in look("redis-version").fact


def test_the_database_its_version_and_migrations():
    assert all(look(code).is_good for code in ("database", "postgresql", "migrations"))
    with as_owner():
        ((name,),) = run("SELECT max(name) FROM django_migrations WHERE app = 'core'")
        run("DELETE FROM django_migrations WHERE app = 'core' AND name = %s", name)
    assert f"core {name[:4]}" in look("migrations").fact
    status, lines, _text = examine()
    assert status == 1
    # Checks that need the new version's rows are skipped, and say so.
    assert lines["Terms published"] == ("red", "not checked, as the database lacks migrations")


def test_without_the_database_the_rest_is_still_examined(tmp_path, settings):
    away = {"DATABASE_URL": f"postgresql://nobody@{NOWHERE}/none", "PATH": "/usr/bin:/bin"}
    told = run_program(
        sys.executable, "manage.py", "doctor",
        env={**away, "DJANGO_SETTINGS_MODULE": "config.settings.local", "REDIS_URL": settings.RATES_REDIS_URL},
    )  # fmt: skip
    assert told.returncode == 1
    assert "red    Database: does not answer" in told.stdout
    assert "Migrations: not checked, as the database does not answer" in told.stdout
    assert re.search("^green  Disk", told.stdout, re.M)
    assert "Traceback" not in told.stderr


def test_a_new_database_lacks_migrations():
    new = urlsplit(os.environ["DATABASE_URL"])._replace(path="/postgres").geturl()
    told = run_program(
        sys.executable, "manage.py", "doctor",
        env={**os.environ, "DATABASE_URL": new, "DJANGO_SETTINGS_MODULE": "config.settings.local"},
    )  # fmt: skip
    assert told.returncode == 1
    assert "red    Clock process: unknown" in told.stdout
    assert "red    Migrations: missing: " in told.stdout
    assert "Terms published: not checked, as the database lacks migrations" in told.stdout


def test_clocks_that_are_apart():
    assert look("clocks").is_good
    late = compare_clocks(lambda: timezone.now() - timedelta(seconds=5))
    assert (late.is_good, str(late.fact)[:3]) == (False, "5.0")
    assert not compare_clocks(lambda: timezone.now() + timedelta(hours=1)).is_good


def test_ntp_is_asked_of_systemd(tmp_path, monkeypatch):
    says = tmp_path / "timedatectl"
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    for said, good in (("yes", True), ("no", False)):
        says.write_text(f"#!/bin/sh\necho {said}\n")
        says.chmod(0o755)
        assert look("ntp").is_good is good
    says.write_text("#!/bin/sh\nexit 1\n")
    assert "Time by NTP" not in examine("--machine")[1]


def test_room_on_the_disks(tmp_path):
    assert str(measure_room([tmp_path], least_bytes=1).fact).endswith(f"free at {tmp_path}")
    assert not measure_room([tmp_path], least_bytes=1, least_share=1.0).is_good
    # On a small disk, such as a /tmp in memory, a quarter free is enough.
    assert measure_room([Path("/dev/shm")], least_bytes=10**18).is_good  # noqa: S108 - only measured


def test_a_wal_archive_that_fails(settings):
    assert look("wal").is_good
    with as_owner():
        run(
            "CREATE TEMP VIEW pg_stat_archiver AS SELECT now() - interval '2 hours' AS last_archived_time,"
            " now() AS last_failed_time, now() AS stats_reset"
        )
        run(f"GRANT SELECT ON pg_stat_archiver TO {settings.DATABASE_APP_ROLE}")
    run("SET LOCAL search_path = pg_temp, public, pg_catalog")
    assert look("wal").fact == "has failed for 120 minutes"


def test_a_mail_server_is_signed_in_to_and_gets_no_mail(settings):
    assert "locmem" in look("mail-server").fact
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    assert "refused" in look("mail-server").fact
    settings.EMAIL_HOST = "mail..example"
    assert "EMAIL_HOST" in look("mail-server").fact
    with mail_sink() as server:
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.server_address[:2]
        assert look("mail-server").is_good
        settings.EMAIL_USE_TLS = True
        refused = look("mail-server")
        assert (refused.is_good, "STARTTLS" in refused.fact) == (False, True)
        assert server.connections == 2
        assert server.recipients == []


def test_static_files_that_were_not_collected(settings, tmp_path):
    assert look("static").is_good
    sheet = tmp_path / "from/a.css"
    sheet.parent.mkdir()
    sheet.write_text("p { margin: 0 }")
    settings.STATICFILES_DIRS = [sheet.parent]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STATIC_ROOT = tmp_path / "to"
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "config.assets.static.ModuleStorage"},
    }
    assert look("static").fact == "1 not collected: a.css"
    call_command("collectstatic", interactive=False, verbosity=0)
    assert look("static").is_good
    (settings.STATIC_ROOT / "staticfiles.json").unlink()
    assert not look("static").is_good


def test_the_origin_is_https_and_known(settings):
    settings.SITE_URL, settings.WEBSOCKET_ORIGINS = "https://play.example", ["https://play.example"]
    assert not look("origin").is_good
    settings.ALLOWED_HOSTS = ["play.example"]
    assert look("origin").is_good
    settings.WEBSOCKET_ORIGINS = ["https://other.example"]
    assert not look("origin").is_good
    settings.SITE_URL = "http://play.example"
    assert "https://" in look("origin").to_do
    settings.SITE_URL = "https://play.example/rummy"
    settings.WEBSOCKET_ORIGINS = ["https://play.example"]
    assert not look("origin").is_good
    settings.ALLOWED_HOSTS = ["[2001:db8::1]"]
    settings.SITE_URL = "https://[2001:db8::1]:8443"
    settings.WEBSOCKET_ORIGINS = [settings.SITE_URL]
    assert look("origin").is_good


@pytest.mark.django_db(transaction=True)
def test_pages_and_sockets_come_through(live_site, settings):
    settings.SITE_URL = live_site
    settings.WEBSOCKET_ORIGINS = [live_site]
    assert look("address").is_good
    assert look("sockets").is_good


@pytest.mark.parametrize("passes_upgrades", [True, False])
@pytest.mark.django_db(transaction=True)
def test_the_shipped_proxy_lets_both_through(
    live_site, settings, tmp_path, monkeypatch, passes_upgrades
):
    web = live_site.removeprefix("http://")
    changes = [(" resolve;", ";"), ("web:8000", web)]
    if not passes_upgrades:
        changes.append(("proxy_set_header Upgrade $http_upgrade;", ""))
    with run_nginx(tmp_path, changes) as port:
        settings.SITE_URL = f"https://localhost:{port}"
        settings.WEBSOCKET_ORIGINS = [settings.SITE_URL]
        assert "certificate" in look("address").fact
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "fullchain.pem"))
        assert look("address").is_good
        assert look("sockets").is_good is passes_upgrades


@pytest.mark.parametrize(
    ("fault", "code", "to_do"),
    [
        (301, "address", "X-Forwarded-Proto"),
        (400, "address", "pass the Host on"),
        (502, "address", "Start the web processes"),
        (404, "sockets", ""),
    ],
)
def test_a_proxy_that_is_set_up_wrongly(settings, fault, code, to_do):
    class Misled(Handler):
        def respond(self):
            self.answer(fault, Location=f"{settings.SITE_URL}{self.path}" if fault == 301 else "")

    with run_server(Misled) as address:
        settings.SITE_URL = address
        seen = look(code)
    assert (seen.is_good, to_do in seen.to_do) == (False, True)
    settings.SITE_URL = f"http://{NOWHERE}"
    assert "refused" in look(code).fact
    for wrong in ("https://play..example", "https://play.example:https"):
        settings.SITE_URL = wrong
        assert not look(code).is_good


def test_alarms_are_named():
    ClockBeat.objects.create(beat_at=timezone.now() - timedelta(minutes=5))
    seen = look("alarms")
    assert not seen.is_good
    assert "Clock: stopped" in seen.fact


def test_settings_that_django_refuses(settings):
    assert look("settings").is_good
    settings.CASH_PLAY, settings.PAYMENT_PROVIDERS = "live", []
    assert "no payment provider is listed" in look("settings").fact
