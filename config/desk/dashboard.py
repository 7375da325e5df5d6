"""The figures of the administration's first page. Red figures are also sent as alerts (config/desk/alerts.py)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

import accounts.desk.figures
import history.desk.figures
import tables.desk.figures
import tournaments.desk.figures
import wallet.desk.figures
from accounts.desk.figures import Figure
from accounts.models import User
from config.monitoring.metrics import (
    WAL_ARCHIVE_FAILS_FROM_SECONDS,
    count_silent_nats_servers,
    count_waiting_jobs,
    measure_wal_failure,
    redis_answers,
)
from core.administration.backups import BACKUP_IS_LATE_AFTER, CHECK_IS_LATE_AFTER, get_last_backup
from core.administration.lists import format_moment
from core.database.replica import REPLICA_IS_BEHIND_FROM_SECONDS, has_replica, measure_replica_lag

# More jobs than a worker handles in a few seconds.
QUEUE_IS_LONG_FROM = 200


@dataclass(frozen=True, slots=True)
class FigureBlock:
    """Figures under a heading, shown to staff who have the block's permission."""

    title: str | Promise
    permission: str
    figures: Callable[[datetime], Sequence[Figure]]


def queue(_now: datetime) -> list[Figure]:
    waiting = count_waiting_jobs()
    is_counted = waiting is not None
    return [
        Figure(
            _("Jobs waiting"),
            str(waiting) if is_counted else "?",
            is_alarm=waiting is None or waiting > QUEUE_IS_LONG_FROM,
        )
    ]


def list_redis_figures(_now: datetime) -> list[Figure]:
    """Return a figure if Redis is down."""
    if redis_answers():
        return []
    return [Figure(_("Redis servers that do not answer"), "1", is_alarm=True)]


def list_nats_figures(_now: datetime) -> list[Figure]:
    """Return a figure if one of the NATS servers is down."""
    silent = count_silent_nats_servers()
    if not silent:
        return []
    share = f"{silent} / {len(settings.NATS_URLS)}"
    return [Figure(_("NATS servers that do not answer"), share, is_alarm=True)]


def list_replica_figures(_now: datetime) -> list[Figure]:
    """Return the replica's lag if there is a replica."""
    if not has_replica():
        return []
    lag = measure_replica_lag()
    is_behind = lag is None or lag.seconds > REPLICA_IS_BEHIND_FROM_SECONDS
    value = "?" if lag is None else f"{lag.seconds:.1f} s"
    return [Figure(_("Database replica behind by"), value, is_alarm=is_behind)]


def list_wal_figures(_now: datetime) -> list[Figure]:
    """Return a figure while the WAL archive fails."""
    seconds = measure_wal_failure()
    if seconds <= WAL_ARCHIVE_FAILS_FROM_SECONDS:
        return []
    return [Figure(_("WAL archiving has failed for"), f"{seconds // 60:.0f} min", is_alarm=True)]


def list_backup_figures(now: datetime) -> list[Figure]:
    """Return a figure while the newest backup is too old, and one while no backup was restored lately to check it.

    Return nothing if no backup was ever recorded: the database's host may make them.
    """
    last = get_last_backup()
    if last is None:
        return []
    late = []
    if now - last.made_at > BACKUP_IS_LATE_AFTER:
        late.append(Figure(_("Newest backup"), format_moment(last.made_at), is_alarm=True))
    if last.checked_at is None or now - last.checked_at > CHECK_IS_LATE_AFTER:
        value = "—" if last.checked_at is None else format_moment(last.checked_at)
        late.append(Figure(_("Last backup that was restored to check it"), value, is_alarm=False))
    return late


WAITING: Final = _("Waiting for staff")

BLOCKS = (
    FigureBlock(_("Players"), "accounts.view_user", accounts.desk.figures.list_people_figures),
    FigureBlock(_("Play"), "tables.view_table", tables.desk.figures.play),
    FigureBlock(
        _("Tournaments"),
        "tournaments.view_tournament",
        tournaments.desk.figures.list_tournament_figures,
    ),
    FigureBlock(
        WAITING,
        "accounts.view_identitycheck",
        accounts.desk.figures.list_identity_figures,
    ),
    FigureBlock(WAITING, "tables.view_report", tables.desk.figures.list_report_figures),
    FigureBlock(
        WAITING,
        "history.view_supportcase",
        history.desk.figures.list_case_figures,
    ),
    FigureBlock(WAITING, "tables.view_tablefault", tables.desk.figures.list_fault_figures),
    FigureBlock(
        WAITING,
        "wallet.view_withdrawal",
        wallet.desk.figures.list_waiting_cash_figures,
    ),
    FigureBlock(_("Service fees"), "wallet.view_transfer", wallet.desk.figures.list_rake_figures),
    FigureBlock(_("Cash"), "wallet.view_withdrawal", wallet.desk.figures.list_cash_figures),
    FigureBlock(_("Ledger"), "wallet.view_ledgercheck", wallet.desk.figures.list_ledger_figures),
    FigureBlock(_("Processes"), "tables.view_table", tables.desk.figures.list_deadline_figures),
    FigureBlock(_("Processes"), "tables.view_table", accounts.desk.figures.list_email_figures),
    FigureBlock(_("Processes"), "tables.view_table", queue),
    FigureBlock(_("Processes"), "tables.view_table", list_wal_figures),
    FigureBlock(_("Processes"), "tables.view_table", list_backup_figures),
    FigureBlock(_("Processes"), "tables.view_table", list_redis_figures),
    FigureBlock(_("Processes"), "tables.view_table", list_nats_figures),
    FigureBlock(_("Processes"), "tables.view_table", list_replica_figures),
)


def blocks_for(user: User | AnonymousUser, now: datetime) -> dict[str, list[Figure]]:
    """Return a mapping from each heading to the figures that this staff member may see, in the order of the page."""
    blocks: dict[str, list[Figure]] = {}
    for block in BLOCKS:
        if user.has_perm(block.permission) and (figures := block.figures(now)):
            blocks.setdefault(str(block.title), []).extend(figures)
    return blocks
