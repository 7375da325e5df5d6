"""A club's evenings as a calendar to which its members can subscribe.

A calendar program cannot sign in, so its address contains a key for the member. The key stops working when
the membership ends.
"""

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.values.calendars import CONTENT_TYPE, CalendarEvent, write_calendar
from players.clubs import selectors
from players.clubs.evenings import compute_next_evening, title_of_evening
from tables.models import Club

_SALT: Final = "calendar of a club"
# Weeks listed ahead; calendar programs fetch the calendar again every few hours.
WEEKS: Final = 8
_LASTS: Final = timedelta(hours=2)


def build_calendar_address(*, club_id: int, user_id: int) -> str:
    """Return the full URL at which this member's calendar program finds the evenings."""
    key = signing.dumps([club_id, user_id], salt=_SALT)
    return f"{settings.SITE_URL}{reverse('clubs:calendar', args=[club_id])}?key={key}"


def _list_evenings(club: Club) -> list[datetime]:
    """Return the evenings of the next weeks, at the same local time of the site each week."""
    if club.evening_at is None or club.evening_time is None or club.evening_weekday is None:
        return []
    moments = [club.evening_at]
    with timezone.override(timezone.get_default_timezone()):
        while len(moments) < WEEKS:
            moments.append(
                compute_next_evening(club.evening_weekday, club.evening_time, moments[-1])
            )
    return moments


@require_safe
def calendar(request: HttpRequest, club_id: int) -> HttpResponse:
    """Send the evenings of the next weeks to a member's calendar program."""
    try:
        keyed_club, user_id = signing.loads(request.GET.get("key", ""), salt=_SALT)
    except (signing.BadSignature, ValueError) as error:
        raise Http404 from error
    seen = selectors.find_club(user_id, club_id) if keyed_club == club_id else None
    if seen is None or seen.own is None or not (seen.is_member and seen.own.user.is_active):
        raise Http404
    club = seen.club
    address = settings.SITE_URL + reverse("clubs:club", args=[club_id])
    title = f"{club.name}: {title_of_evening(club) or _('Our evening')}"
    events = [
        CalendarEvent(
            uid=f"evening-{club_id}-{moment:%Y%m%d}@{str(settings.SITE_URL).partition('://')[2]}",
            title=title,
            begins_at=moment,
            lasts=_LASTS,
            url=address,
        )
        for moment in _list_evenings(club)
    ]
    text = write_calendar(club.name, events, now=timezone.now())
    answer = HttpResponse(text, content_type=CONTENT_TYPE)
    patch_cache_control(answer, private=True, max_age=600)
    answer["X-Robots-Tag"] = "noindex, nofollow"
    return answer
