"""Tournaments for calendars and feed readers."""

from datetime import timedelta
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.site.content import site
from core.values.calendars import CONTENT_TYPE, CalendarEvent, write_calendar
from tournaments.models import Tournament
from tournaments.rules.lifecycle import TournamentPhase
from tournaments.store import reading
from wallet.api import cash_is_on

# A calendar needs an end, which is not known in advance, so this length is assumed.
_LASTS: Final = timedelta(hours=1)
_HOLDS_SECONDS: Final = 600


@require_safe
def calendar(_request: HttpRequest) -> HttpResponse:
    """Send the upcoming and running public tournaments as a calendar to which readers can subscribe."""
    phases = (TournamentPhase.UPCOMING, TournamentPhase.RUNNING)
    listed = [
        tournament
        for phase in phases
        for tournament in reading.list_tournaments(phase=phase, with_cash=cash_is_on())
    ]
    events = [
        CalendarEvent(
            uid=f"tournament-{tournament.pk}@{_host()}",
            title=tournament.shown_name,
            begins_at=tournament.starts_at,
            lasts=_LASTS,
            url=_address(tournament),
        )
        for tournament in listed
    ]
    name = f"{site().name}: {_('Tournaments')}"
    answer = HttpResponse(
        write_calendar(name, events, now=timezone.now()), content_type=CONTENT_TYPE
    )
    patch_cache_control(answer, public=True, max_age=_HOLDS_SECONDS)
    return answer


@require_safe
def results(request: HttpRequest) -> HttpResponse:
    """Send the results of the latest public tournaments as an Atom feed."""
    listed = reading.list_tournaments(phase=TournamentPhase.OVER, with_cash=cash_is_on())
    winners = reading.find_winners(listed)
    own = settings.SITE_URL + request.path
    feed = Atom1Feed(
        title=f"{site().name}: {_('Tournaments')}",
        link=settings.SITE_URL + reverse("tournaments:list"),
        description="",
        author_name=site().name,
        language=request.LANGUAGE_CODE,
        feed_url=own,
        feed_guid=own,
    )
    for tournament in listed:
        ended_at = tournament.ended_at or tournament.starts_at
        feed.add_item(
            title=tournament.shown_name,
            link=_address(tournament),
            description=", ".join(winners.get(tournament.pk, ())),
            unique_id=_address(tournament),
            pubdate=ended_at,
            updateddate=ended_at,
        )
    answer = HttpResponse(feed.writeString("utf-8"), content_type="application/atom+xml")
    patch_cache_control(answer, public=True, max_age=_HOLDS_SECONDS)
    return answer


def _address(tournament: Tournament) -> str:
    return settings.SITE_URL + reverse("tournaments:tournament", args=[tournament.pk])


def _host() -> str:
    return str(settings.SITE_URL).partition("://")[2]
