"""Pages of what has been played: one's own matches, a match, the record of a deal."""

import re
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from accounts.requests import PlayerRequest
from tables.forms import WHOLE_NUMBER
from tables.models import Match, MatchStatus
from tables.records import deal_record
from tables.selectors import matches_of
from tables.titles import title_of

MATCHES_ON_A_PAGE = 25


@login_required
@require_GET
def my_matches(request: PlayerRequest) -> HttpResponse:
    """Newest first; older ones by the number of the last one shown."""
    before = request.GET.get("before", "")
    if before and not re.fullmatch(WHOLE_NUMBER, before):
        raise Http404
    found = matches_of(
        user_id=request.user.pk,
        before=int(before) if before else None,
        length=MATCHES_ON_A_PAGE + 1,
    )
    shown = found[:MATCHES_ON_A_PAGE]
    context = {
        "matches": [_line(match, request.user.pk) for match in shown],
        "older": shown[-1].pk if len(found) > MATCHES_ON_A_PAGE else None,
    }
    return render(request, "history/matches.html", context)


def _line(match: Match, user_id: int) -> dict[str, Any]:
    seat = next(seat for seat, player in match.players.items() if player["user"] == user_id)
    settlement = match.settlement or {}
    return {
        "id": match.pk,
        "table": match.table,
        "title": title_of(match.table),
        "started_at": match.started_at,
        "players": [player["name"] for player in match.players.values()],
        "amount": settlement.get("amounts", {}).get(seat),
        "won": int(seat) in settlement.get("winners", []),
    }


@require_GET
def match(request: HttpRequest, match_id: int) -> HttpResponse:
    """Who played, what it paid, and every deal that is over. Anybody with the link may look."""
    found = get_object_or_404(Match.objects.select_related("table"), pk=match_id)
    result = found.result or {}
    amounts = (found.settlement or {}).get("amounts", {})
    players = [
        {
            "name": player["name"],
            "bot": player["bot"],
            "points": result.get("points", {}).get(seat),
            "rank": result.get("ranks", {}).get(seat),
            "amount": amounts.get(seat),
        }
        for seat, player in found.players.items()
    ]
    is_over = found.status != MatchStatus.RUNNING
    deals = list(found.deals.order_by("number"))
    context = {
        "match": found,
        "title": title_of(found.table),
        "players": sorted(players, key=lambda player: player["rank"] or 0),
        "deals": [deal for deal in deals if is_over or deal.number < deals[-1].number],
        "is_over": is_over,
    }
    return render(request, "history/match.html", context)


@require_GET
def deal(request: HttpRequest, match_id: int, number: int) -> HttpResponse:
    """The record of a finished deal, as tools/verify_deal.py reads it."""
    record = deal_record(match_id=match_id, number=number)
    if record is None:
        raise Http404
    answer = JsonResponse(record, json_dumps_params={"indent": 1})
    name = f"openrummy-match-{match_id}-deal-{number}.json"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
