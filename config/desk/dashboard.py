"""The first page of the administration: the figures of today that this member of staff may see."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

import accounts.desk.figures
import tables.desk.figures
import tournaments.desk.figures
import wallet.desk.figures
from accounts.desk.figures import Figure
from accounts.models import User
from config.monitoring.metrics import (
    WAL_ARCHIVE_FAILS_FROM_SECONDS,
    jobs_waiting,
    redis_answers,
    silent_nats_servers,
    wal_archive_failing_seconds,
)
from core.administration.lists import moment_text
from core.backups import BACKUP_IS_LATE_AFTER, CHECK_IS_LATE_AFTER, get_last_backup
from core.database.replica import REPLICA_IS_BEHIND_FROM_SECONDS, has_replica, measure_replica_lag

# More than a worker has before it each second.
QUEUE_IS_LONG_FROM = 200


@dataclass(frozen=True, slots=True)
class Block:
    """Figures under a heading, for those with a permission."""

    title: str | Promise
    permission: str
    figures: Callable[[datetime], Sequence[Figure]]


def queue(_now: datetime) -> list[Figure]:
    waiting = jobs_waiting()
    is_counted = waiting is not None
    return [
        Figure(
            _("Jobs waiting"),
            str(waiting) if is_counted else "?",
            is_alarm=waiting is None or waiting > QUEUE_IS_LONG_FROM,
        )
    ]


def redis(_now: datetime) -> list[Figure]:
    """Only while it is away."""
    if redis_answers():
        return []
    return [Figure(_("Redis servers that do not answer"), "1", is_alarm=True)]


def nats(_now: datetime) -> list[Figure]:
    """Only while one of them is away."""
    silent = silent_nats_servers()
    if not silent:
        return []
    share = f"{silent} / {len(settings.NATS_URLS)}"
    return [Figure(_("NATS servers that do not answer"), share, is_alarm=True)]


def replica(_now: datetime) -> list[Figure]:
    """Only where there is one."""
    if not has_replica():
        return []
    lag = measure_replica_lag()
    is_behind = lag is None or lag.seconds > REPLICA_IS_BEHIND_FROM_SECONDS
    value = "?" if lag is None else f"{lag.seconds:.1f} s"
    return [Figure(_("Replica of the database behind by"), value, is_alarm=is_behind)]


def wal_archive(_now: datetime) -> list[Figure]:
    """Only while it fails."""
    seconds = wal_archive_failing_seconds()
    if seconds <= WAL_ARCHIVE_FAILS_FROM_SECONDS:
        return []
    return [Figure(_("WAL archive fails for"), f"{seconds // 60:.0f} min", is_alarm=True)]


def backups(now: datetime) -> list[Figure]:
    """Only while one is late. Nothing where no backup was ever recorded: others may make them."""
    last = get_last_backup()
    if last is None:
        return []
    late = []
    if now - last.made_at > BACKUP_IS_LATE_AFTER:
        late.append(Figure(_("Newest backup"), moment_text(last.made_at), is_alarm=True))
    if last.checked_at is None or now - last.checked_at > CHECK_IS_LATE_AFTER:
        value = "—" if last.checked_at is None else moment_text(last.checked_at)
        late.append(Figure(_("Last backup that was restored to check it"), value, is_alarm=False))
    return late


BLOCKS = (
    Block(_("Players"), "accounts.view_user", accounts.desk.figures.people),
    Block(_("Play"), "tables.view_table", tables.desk.figures.play),
    Block(_("Tournaments"), "tournaments.view_tournament", tournaments.desk.figures.tournaments),
    Block(
        _("Waiting for staff"), "accounts.view_identitycheck", accounts.desk.figures.identity_checks
    ),
    Block(_("Waiting for staff"), "tables.view_report", tables.desk.figures.reports),
    Block(_("Waiting for staff"), "tables.view_supportcase", tables.desk.figures.cases),
    Block(_("Waiting for staff"), "tables.view_tablefault", tables.desk.figures.faults),
    Block(_("Service fees"), "wallet.view_transfer", wallet.desk.figures.rake),
    Block(_("Cash"), "wallet.view_withdrawal", wallet.desk.figures.cash),
    Block(_("Ledger"), "wallet.view_ledgercheck", wallet.desk.figures.ledger),
    Block(_("Processes"), "tables.view_table", tables.desk.figures.deadlines),
    Block(_("Processes"), "tables.view_table", accounts.desk.figures.emails),
    Block(_("Processes"), "tables.view_table", queue),
    Block(_("Processes"), "tables.view_table", wal_archive),
    Block(_("Processes"), "tables.view_table", backups),
    Block(_("Processes"), "tables.view_table", redis),
    Block(_("Processes"), "tables.view_table", nats),
    Block(_("Processes"), "tables.view_table", replica),
)


def blocks_for(user: User | AnonymousUser, now: datetime) -> dict[str, list[Figure]]:
    """Heading to figures, in the order of the page."""
    blocks: dict[str, list[Figure]] = {}
    for block in BLOCKS:
        if user.has_perm(block.permission) and (figures := block.figures(now)):
            blocks.setdefault(str(block.title), []).extend(figures)
    return blocks
