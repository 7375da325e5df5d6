"""Reminders before a start, for players who registered long before it.

Each entrant gets one reminder for each start; a start that is moved is a new one. The start of the last
reminder is stored with the entrant, so a lost or repeated run changes nothing. Players who registered
recently need no reminder, and guests have neither an address nor a device.
"""

import logging
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override

from accounts.models import AbsenceNotice
from accounts.people.mail_stop import build_stop_url
from accounts.push.services import START, Call, filter_subscribed_players, push_after_commit
from core.emails.kinds import Values, register_mail_kind, render_greeting
from core.emails.texts import link_through_sign_in, write_mail
from tournaments.models import Entrant, EntrantState, Tournament
from tournaments.rules.lifecycle import LifecycleStatus
from tournaments.running.cancelling import KIND

logger = logging.getLogger(__name__)

REMINDED_BEFORE: Final = timedelta(minutes=30)
# Players who registered later than this before the start get no reminder.
ENTERED_BEFORE: Final = timedelta(hours=2)
# Entrants reminded in one transaction, and in one run; the next run continues.
TOGETHER: Final = 100
AT_ONCE: Final = 2_000


def remind_entrants(*, now: datetime) -> int:
    """Remind the entrants of tournaments that begin soon. Return how many were reminded."""
    reminded = 0
    for tournament in _list_starting_soon(now):
        try:
            while reminded < AT_ONCE and (some := _remind_some(tournament)):
                reminded += some
        except Exception:  # one tournament does not stop the others
            logger.exception("entrants of tournament %s could not be reminded", tournament.pk)
    return reminded


def _list_starting_soon(now: datetime) -> list[Tournament]:
    soon = Tournament.objects.filter(
        status=LifecycleStatus.REGISTERING,
        starts_at__gt=now,
        starts_at__lte=now + REMINDED_BEFORE,
        paused_at=None,
        broken_at=None,
    )
    return list(soon.order_by("starts_at", "pk"))


def _filter_unreminded(tournament: Tournament) -> QuerySet[Entrant]:
    """Return the entrants who still need a reminder of the start."""
    is_reminded = Q(reminded_of__isnull=False, reminded_of=tournament.starts_at)
    return Entrant.objects.filter(
        ~is_reminded,
        tournament=tournament,
        state=EntrantState.REGISTERED,
        entered_at__lte=tournament.starts_at - ENTERED_BEFORE,
        user__is_bot=False,
        user__is_active=True,
    )


@transaction.atomic
def _remind_some(tournament: Tournament) -> int:
    unreminded = _filter_unreminded(tournament).select_related("user").order_by("pk")
    some = list(unreminded.select_for_update(of=("self",), skip_locked=True)[:TOGETHER])
    Entrant.objects.filter(pk__in=[entrant.pk for entrant in some]).update(
        reminded_of=tournament.starts_at
    )
    reached = filter_subscribed_players(entrant.user_id for entrant in some)
    for entrant in some:
        _remind(tournament, entrant, has_device=entrant.user_id in reached)
    return len(some)


def _remind(tournament: Tournament, entrant: Entrant, *, has_device: bool) -> None:
    """Remind one player through the channel that they chose for notices while away."""
    user = entrant.user
    if user.absence_notice == AbsenceNotice.NONE:
        return
    name = tournament.said("name", user.language)
    page = tournament.get_absolute_url()
    left = tournament.starts_at - timezone.now()
    if has_device:
        call = Call(
            kind=START,
            name=name,
            url=page,
            tag=f"tournament-{tournament.pk}",
            seconds=max(1, round(left.total_seconds())),
        )
        push_after_commit({user.pk}, call)
    elif user.absence_notice == AbsenceNotice.PUSH_OR_EMAIL:
        write_mail(
            STARTS_SOON,
            user=user,
            hint=KIND,
            stop_url=build_stop_url(user.pk),
            tournament=name,
            start=_format_start(tournament, user.language),
            page=link_through_sign_in(page),
        )


def _format_start(tournament: Tournament, language: str) -> str:
    with override(language):
        return formats.date_format(timezone.localtime(tournament.starts_at), "DATETIME_FORMAT")


def _compose(values: Values) -> tuple[str, str]:
    lines = [
        render_greeting(values),
        "",
        _("“%(tournament)s” begins on %(start)s.") % values,
        _("Be here then: a player who is absent misses turns. You may withdraw until the start."),
        "",
        values["page"],
        "",
        _("You can turn this message off in your settings."),
    ]
    return _("“%(tournament)s” begins soon") % values, "\n".join(lines)


STARTS_SOON: Final = register_mail_kind(
    "tournament_soon",
    gettext_lazy("Tournament begins soon"),
    _compose,
    tournament=gettext_lazy("the tournament's name"),
    start=gettext_lazy("when it begins"),
    page=gettext_lazy("the tournament's address"),
)
