"""Alerts to the operator.

When a figure of the administration's first page has been red for a while, an alert is mailed and posted. Another
message follows when the figure is no longer red.

A job checks the figures every minute. It runs on the workers that send mail, and so even when the play workers are
down. While no broker takes the job, beat runs it itself (config/run/beating.py). The next run retries failed messages.
Alerts are stored as rows, except the alert about an outage of the database. It is kept in the cache until the outage
is over.
"""

import json
import logging
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from http.client import HTTPException
from smtplib import SMTPException
from typing import Any, Final, TypeAlias
from urllib.request import Request, urlopen

from django.conf import settings
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import override

from config.desk.dashboard import BLOCKS
from core.administration.lists import format_moment
from core.database.leases import Job, lease
from core.database.outage import is_away
from core.emails import build_headers
from core.models.running import LONGEST_VALUE, Alert, Told
from core.site.content import get_known_site

log = logging.getLogger(__name__)

# A problem that disappears within a minute alerts nobody.
TOLD_AFTER: Final = timedelta(minutes=1)
SECONDS_TO_ANSWER: Final = 5
_WAYS: Final = ("mailed", "posted")
_OUTAGE: Final = "alerts:outage-of-the-database"

Send: TypeAlias = Callable[[Sequence[Alert]], None]


def check_alerts(*, now: datetime) -> int:
    """Check the alerts. Return how many are on, or 0 while another run is checking."""
    try:
        return _check(now)
    except (OperationalError, InterfaceError) as error:
        if not is_away(error):
            raise
    _report_outage(now)
    return 1


def _check(now: datetime) -> int:
    with lease(Job.CHECKING_ALERTS) as is_alone:
        if not is_alone:
            return 0
        _end_outage(now)
        running = _record(list_alarms(now), now)
        for way, send in _list_ways():
            _notify(way, send, now)
        return running


def _list_ways() -> Iterator[tuple[str, Send]]:
    if settings.ALERT_EMAILS:
        yield "mailed", _send_mail
    if settings.ALERT_WEBHOOK_URL:
        yield "posted", _post


def _report_outage(now: datetime) -> None:
    """Send the alert about the database once it has been away for a while.

    The alert is stored as a row when the database is back.
    """
    outage = cache.get(_OUTAGE) or {"began": now.timestamp(), **dict.fromkeys(_WAYS, Told.NOTHING)}
    alert = _outage_alert(outage)
    if alert.began_at <= now - TOLD_AFTER:
        for way, send in _list_ways():
            if outage[way] == Told.NOTHING and _is_sent(way, send, [alert]):
                outage[way] = Told.BEGAN
    cache.set(_OUTAGE, outage, None)


def _end_outage(now: datetime) -> None:
    outage = cache.get(_OUTAGE)
    if outage is not None:
        alert = _outage_alert(outage)
        alert.checked_at = alert.ended_at = now
        alert.save()
        cache.delete(_OUTAGE)


def _outage_alert(outage: dict[str, Any]) -> Alert:
    told = {way: outage[way] for way in _WAYS}
    began_at = datetime.fromtimestamp(outage["began"], UTC)
    return Alert(code="Database", value="does not answer", began_at=began_at, **told)


def list_alarms(now: datetime) -> dict[str, str]:
    """Return the red figures, as a mapping from label to value."""
    with override("en"):
        return {
            str(figure.label): figure.value[:LONGEST_VALUE]
            for block in BLOCKS
            for figure in block.figures(now)
            if figure.is_alarm
        }


@transaction.atomic
def _record(alarms: dict[str, str], now: datetime) -> int:
    running = {alert.code: alert for alert in Alert.objects.filter(ended_at=None)}
    for code, alert in running.items():
        alert.checked_at = now
        if code in alarms:
            alert.value = alarms[code]
        else:
            alert.ended_at = now
        alert.save(update_fields=["checked_at", "value", "ended_at"])
    Alert.objects.bulk_create(
        Alert(code=code, value=value, began_at=now, checked_at=now)
        for code, value in alarms.items()
        if code not in running
    )
    return len(alarms)


def _notify(way: str, send: Send, now: datetime) -> None:
    began = Q(**{way: Told.NOTHING}, ended_at=None, began_at__lte=now - TOLD_AFTER)
    ended = Q(**{way: Told.BEGAN}, ended_at__isnull=False)
    due = list(Alert.objects.filter(began | ended).order_by("pk"))
    if not due or not _is_sent(way, send, due):
        return
    for alert in due:
        said = Told.BEGAN if alert.ended_at is None else Told.ENDED
        Alert.objects.filter(pk=alert.pk).update(**{way: said})


def _is_sent(way: str, send: Send, alerts: Sequence[Alert]) -> bool:
    try:
        send(alerts)
    except (OSError, HTTPException, SMTPException):
        log.exception("%s alerts could not be %s", len(alerts), way)
        return False
    return True


def _send_mail(alerts: Sequence[Alert]) -> None:
    with override(settings.LANGUAGE_CODE):
        running = [alert for alert in alerts if alert.ended_at is None]
        subject = ", ".join(f"{alert.code}: {alert.value}" for alert in running) or _("All is well")
        lines = [_write_sentence(alert) for alert in alerts]
        subject = f"[{get_known_site().name}] {subject}"[:200]
        EmailMessage(
            subject, "\n".join(lines), None, settings.ALERT_EMAILS, headers=build_headers()
        ).send()


def _write_sentence(alert: Alert) -> str:
    if alert.ended_at is None:
        return _("%(what)s: %(value)s, since %(time)s.") % {
            "what": alert.code,
            "value": alert.value,
            "time": format_moment(alert.began_at),
        }
    return _("%(what)s: over since %(time)s.") % {
        "what": alert.code,
        "time": format_moment(alert.ended_at),
    }


def _post(alerts: Sequence[Alert]) -> None:
    """Post alerts to the operator's address. Raises OSError unless the response is a success."""
    body = json.dumps({"alerts": [_list_fields(alert) for alert in alerts]}).encode()
    request = Request(  # noqa: S310 - the operator's own address
        settings.ALERT_WEBHOOK_URL, data=body, headers={"Content-Type": "application/json"}
    )
    with urlopen(request, timeout=SECONDS_TO_ANSWER):  # noqa: S310 - likewise
        pass


def _list_fields(alert: Alert) -> dict[str, Any]:
    return {
        "what": alert.code,
        "value": alert.value,
        "state": "running" if alert.ended_at is None else "over",
        "began_at": alert.began_at.isoformat(),
        "ended_at": alert.ended_at.isoformat() if alert.ended_at else None,
    }
