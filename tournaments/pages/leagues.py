"""Pages of leagues: the list, and the standings of one."""

import re
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from lobby.side import build_side
from tables.catalog import WHOLE_NUMBER
from tables.play.lock import milliseconds
from tournaments.leagues import reading
from tournaments.leagues.standings import FOR_BEATING, FOR_EQUAL
from tournaments.models import League
from tournaments.store.reading import phase_names
from wallet.api import cash_is_on


@never_cache
@require_safe
def leagues(request: HttpRequest) -> HttpResponse:
    with_cash = cash_is_on()
    context = {
        "leagues": [build_card(row) for row in reading.list_leagues(with_cash=with_cash)],
        "over": [build_card(row) for row in reading.list_leagues_over(with_cash=with_cash)],
        "phase": "leagues",
        "phases": phase_names(),
        **build_side(request.user),
    }
    return render(request, "tournaments/leagues.html", context)


@never_cache
@require_safe
def league(request: HttpRequest, league_id: int) -> HttpResponse:
    """Show the standings in pages; htmx fetches the part that changes."""
    row = reading.find_league(league_id, with_cash=cash_is_on())
    asked = request.GET.get("page", "1")
    if row is None or not re.fullmatch(WHOLE_NUMBER, asked) or int(asked) == 0:
        raise Http404
    context = {
        **build_card(row),
        "standings": reading.build_standings(row, user_id=request.user.pk, page=int(asked)),
        "prizes": reading.list_prize_lines(row),
        "user_id": request.user.pk,
        "for_beating": FOR_BEATING,
        "tables_url": _tables_url(row),
        "for_equal": FOR_EQUAL,
    }
    only_live = request.headers.get("HX-Request")
    template = "tournaments/_league_live.html" if only_live else "tournaments/league.html"
    return render(request, template, context)


def _tables_url(row: League) -> str:
    """Return the URL of the lobby's list of tables that count for this league."""
    wanted = {"game": f"{row.game}:{row.format}", "money": row.currency, "free": "1"}
    return f"{reverse('all_tables')}?{urlencode(wanted)}"


def build_card(row: League) -> dict[str, object]:
    now = timezone.now()
    phase = reading.get_phase(row, now=now)
    until = {"coming": row.starts_at, "running": row.ends_at, "counting": row.settles_at}.get(phase)
    return {
        "league": row,
        "phase_of_league": phase,
        "days_left": 0 if until is None else (until - now).days,
        "until_ms": None if until is None else milliseconds(until),
    }
