"""The processor time of the jobs: each is run on the crowd's database, by the functions that workers call."""

import sys
import time
from collections.abc import Callable
from datetime import timedelta
from importlib import import_module
from typing import Final

from asgiref.sync import async_to_sync
from celery import current_app
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connection
from django.db.models.functions import Now
from django.utils import timezone
from redis import Redis

from accounts.expiry import forget_what_has_expired
from accounts.models import User
from accounts.push.web_push import new_private_key
from bench.analysed import INDIAN
from bench.clones import clone_match, play_match
from bench.ledger import BATCH, CHIPS, post_batch
from bench.mail_sink import mail_sink
from bench.play import seeded
from bench.processes import cpu_seconds
from config.account_data.closing import remove_guests
from config.settings.schedule import CELERY_BEAT_SCHEDULE
from core.emails.sending import send_emails
from core.models import OutgoingEmail
from games.indian.lab.analysis.report import IndianAnalysis
from tables.history.archiving import archive_matches
from tables.history.fairplay.tracing import trace_matches
from tables.live import presence
from tables.models import Match, MatchStatus, Seat, Table
from tables.play.reading import database_now
from tables.ranking.ratings import count_matches
from wallet.ledger.chart import Line, house, mint, player
from wallet.ledger.checks import check_ledger, check_recent, seal_ledger
from wallet.ledger.holds import expire_holds, hold
from wallet.models import Reason

MATCHES: Final = 1_000
EMAILS: Final = 300
SESSIONS: Final = 20_000
HOLDS: Final = 200
GUESTS: Final = 30
ANALYSES: Final = 3
# How long a mail server, and a provider of payments, take to answer; and what was not measured:
# looking at a bonus, and ending a deposit that nobody paid.
MAIL_ANSWERS: Final = 0.005
ASSUMED: Final = {
    "wallet.send_payouts": 0.2,
    "wallet.send_refunds": 0.2,
    "wallet.tend_bonuses": 0.005,
    "wallet.expire_deposits": 0.003,
    "config.tend_exports": 2.0,
}


class Spending:
    """The processor time of a piece of work since now, here, at the database and at Valkey.

    Waiting for disks, the network and a free processor is not in it, nor is what other programs do.
    """

    def __init__(self) -> None:
        self._began = _spent()

    @property
    def seconds(self) -> float:
        return sum(now - self._began.get(who, 0.0) for who, now in _spent().items())


def _spent() -> dict[str, float]:
    """Return seconds by process. A connection may have been opened since, with another backend."""
    connection.ensure_connection()
    backend = connection.connection.info.backend_pid
    with Redis.from_url(settings.REDIS_URL) as redis:
        valkey = redis.info("cpu")
    return {
        "here": time.process_time(),
        f"backend {backend}": cpu_seconds([backend]),
        "valkey": valkey["used_cpu_user"] + valkey["used_cpu_sys"],
    }


def seconds_of_runs() -> dict[str, float]:
    """Return the seconds of a run that finds nothing new, by task. An earlier run does what is left."""
    for app in ("accounts", "config", "core", "tables", "tournaments", "wallet"):
        import_module(f"{app}.tasks")
    settings.VAPID_PRIVATE_KEY = new_private_key()
    took = {}
    for task in [entry["task"] for entry in CELERY_BEAT_SCHEDULE.values()]:
        if task == "tables.call_players":
            _all_are_here()
        current_app.tasks[task].run()
        spending = Spending()
        current_app.tasks[task].run()
        took[task] = spending.seconds
    return took


def _all_are_here() -> None:
    """Note everybody as present for the next minute: `call_players` looks for absent players."""
    seats = Seat.objects.filter(left_at=None).values_list("table_id", "number")

    async def note() -> None:
        try:
            for table_id, number in there:
                presence.heard(table_id, number, "bench")
            await presence.write({table_id for table_id, _number in there})
        finally:
            await presence.close()

    there, now = list(seats), database_now()
    # What is written now is read within the minute, as if it had been written then.
    presence.note_database_time(now + 60_000)
    async_to_sync(note)()
    presence.note_database_time(now)


def seconds_of_items(table: Table) -> dict[str, float]:
    """Return the seconds of one match, transfer, e-mail …, by task."""
    return {**ASSUMED, **_of_matches(), **_of_ledger(table), **_of_people(), **_of_analyses()}


def _each(job: Callable[[], int], number: int | None = None) -> float:
    spending = Spending()
    done = job()
    if number not in (None, done) or not done:
        sys.exit(f"{job} did {done} of {number}")
    return spending.seconds / done


def _of_matches() -> dict[str, float]:
    match, _people = play_match()
    clone_match(match, MATCHES)
    over = Match.objects.filter(status=MatchStatus.FINISHED)
    over.update(is_rated=True, counted_at=None, ended_at=Now() - timedelta(minutes=1))
    took = {
        "tables.count_matches": _each(count_matches),
        "tables.trace_matches": _each(trace_matches),
    }
    over.update(started_at=Now() - timedelta(days=200), ended_at=Now() - timedelta(days=200))
    return {**took, "tables.archive_matches": _each(archive_matches)}


def _of_ledger(table: Table) -> dict[str, float]:
    line = Line(mint(CHIPS, 0), player(table.pk, CHIPS), 1, Reason.ADJUSTMENT)
    check_ledger()
    post_batch([line] * (BATCH - 1))
    seal_ledger()  # notes how far
    sealing = _each(seal_ledger)
    spending = Spending()
    if check_recent().findings:
        sys.exit("the ledger is off")
    checking = spending.seconds / (BATCH - 1)
    ends = timezone.now() + timedelta(seconds=3)
    for number in range(HOLDS):
        held = Line(player(table.pk, CHIPS), house(CHIPS), 1, Reason.ADJUSTMENT)
        hold(key=f"held:{number}", lines=[held], expires_at=ends)
    time.sleep(max(0.0, (ends - timezone.now()).total_seconds()) + 0.1)
    return {
        "wallet.seal_ledger": sealing,
        "wallet.check_ledger": checking,
        "wallet.expire_holds": _each(expire_holds, HOLDS),
    }


def _of_people() -> dict[str, float]:
    now = timezone.now()
    user = User.objects.filter(email__endswith="@crowd.example").first()
    OutgoingEmail.objects.bulk_create(
        OutgoingEmail(user=user, subject="Paid", text="It has arrived.", written_at=now)
        for _ in range(EMAILS)
    )
    with mail_sink(seconds=MAIL_ANSWERS) as server:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.server_address[1]
        soon = timezone.now() + timedelta(seconds=1)
        began = time.perf_counter()  # what it waits for is the server
        if send_emails(now=soon) != EMAILS:
            sys.exit("an e-mail was not sent")
        mailing = (time.perf_counter() - began) / EMAILS
    Session.objects.bulk_create(
        Session(session_key=f"bench{n}", expire_date=now - timedelta(1)) for n in range(SESSIONS)
    )
    for number in range(GUESTS):
        User.objects.create_user(
            f"guest{number}@guests.invalid", None, player_name=f"Guest {number}", is_guest=True
        )
    long_ago = now - timedelta(days=3)
    User.objects.filter(is_guest=True).update(date_joined=long_ago)
    return {
        "core.send_emails": mailing,
        "accounts.forget_what_has_expired": _each(
            lambda: forget_what_has_expired(now=now), SESSIONS
        ),
        "config.remove_guests": _each(lambda: remove_guests(now=now), GUESTS),
    }


def _of_analyses() -> dict[str, float]:
    records = [
        INDIAN.played(n, [INDIAN.bot("hard", n), INDIAN.bot("hard", -n)]) for n in range(ANALYSES)
    ]
    began = time.process_time()
    for number, record in enumerate(records):
        IndianAnalysis().analyse(record, 0, rng=seeded(number))
    return {"tables.analyse_deals": (time.process_time() - began) / ANALYSES}
