"""Pages of finished matches: the player's list, a match, the record of a deal.

Players of a match and staff see all of it. Holders of a player's link see only the cards and the points. All others get
404.
"""

import re
from collections.abc import Sequence
from datetime import date
from functools import partial
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.models.users import PlayerRequest
from accounts.names import show_name
from history.open_data import list_months, month_file
from history.records import deal_record
from history.selectors import (
    FinishedDeal,
    Viewing,
    find_faces,
    find_link,
    find_seat,
    find_viewing,
    find_viewing_by_link,
    list_corrections,
    list_finished_deals,
    list_matches,
    strip_money,
)
from players.models import RatingChange
from players.ranking.selectors import changes_by, find_rating_changes
from tables.catalog import (
    WHOLE_NUMBER,
    FilterChoice,
    build_choice_row,
    build_game_rows,
    build_query,
    format_match_title,
    is_choice,
    read_choice,
)
from tables.models import Match, MatchStatus
from tables.models.ratings import rating_text
from tables.seating.hosting.invitations import get_remembered_event
from wallet.api import cash_is_on
from wallet.money import Currency


def get_viewing_or_404(request: HttpRequest, match_id: int) -> Viewing:
    """Return the match as the signed-in user may see it. Raises Http404 if they may not."""
    if not isinstance(request.user, User):
        raise Http404
    invitation = partial(get_remembered_event, request.session)
    viewing = find_viewing(request.user, match_id=match_id, invitation=invitation)
    if viewing is None:
        raise Http404
    return viewing


def get_shared_or_404(token: str) -> Viewing:
    viewing = find_viewing_by_link(token)
    if viewing is None:
        raise Http404
    return viewing


def keep_out_of_search(answer: HttpResponse) -> HttpResponse:
    """Exclude the page from search engines, because a link is only for the people who were given it."""
    answer["X-Robots-Tag"] = "noindex, nofollow"
    return answer


def own_token(request: HttpRequest, viewing: Viewing) -> str:
    if not viewing.is_player or request.user.pk is None:
        return ""
    return find_link(match_id=viewing.match.pk, user_id=request.user.pk)


def build_address(match: Match, token: str, number: int | None = None, part: str = "replay") -> str:
    """Return the address of a match or of one of its deals. With a token it is the address for holders of the link."""
    prefix = "shared" if token else "deal"
    whose: list[Any] = [token] if token else [match.pk]
    if number is None:
        return reverse("shared_match" if token else "match", args=whose)
    return reverse(f"{prefix}_{part}", args=[*whose, number])


def picture_address(request: HttpRequest, token: str, number: int | None = None) -> str:
    """Return the absolute address of the picture of a match or of a deal; empty without a token."""
    if not token:
        return ""
    if number is None:
        return request.build_absolute_uri(reverse("shared_picture", args=[token]))
    return request.build_absolute_uri(reverse("shared_deal_picture", args=[token, number]))


MATCHES_ON_A_PAGE = 25


@login_required
@require_safe
def my_matches(request: PlayerRequest) -> HttpResponse:
    """Show the player's matches, newest first. `before` is the id of the last match on the previous page."""
    before = request.GET.get("before", "")
    if before and not re.fullmatch(WHOLE_NUMBER, before):
        raise Http404
    chosen = {
        "game": _read_game(request),
        "money": _read_choice(request, "money", list(Currency)),
    }
    game, format = read_choice(chosen["game"])
    matches = list_matches(
        user_id=request.user.pk,
        before=int(before) if before else None,
        length=MATCHES_ON_A_PAGE + 1,
        game=game,
        format=format,
        currency=chosen["money"],
    )
    page = matches[:MATCHES_ON_A_PAGE]
    changes = find_rating_changes(request.user.pk, [match.pk for match in page if match.is_rated])
    older = {**chosen, "before": page[-1].pk} if len(matches) > MATCHES_ON_A_PAGE else None
    context = {
        "matches": [
            {**_line(match, request.user.pk), "rating": _describe_rating(changes.get(match.pk))}
            for match in page
        ],
        "older": build_query(older) if older else "",
        "newest": build_query(chosen) if before else "",
        "is_filtered": any(chosen.values()),
        "rows": _rows(chosen),
    }
    return render(request, "history/matches.html", context)


def _read_game(request: HttpRequest) -> str:
    game = request.GET.get("game", "")
    if game and not is_choice(game):
        raise Http404
    return game


def _read_choice(request: HttpRequest, name: str, values: Sequence[str]) -> str:
    value = request.GET.get(name, "")
    if value and value not in values:
        raise Http404
    return value


def _rows(chosen: dict[str, str]) -> list[list[FilterChoice]]:
    rows = build_game_rows(chosen, all_games=True)
    if cash_is_on():
        money = [("", _("Chips and cash")), (Currency.CHIPS, _("Chips")), (Currency.INR, _("Cash"))]
        rows.append(
            build_choice_row(chosen, "money", [(str(value), label) for value, label in money])
        )
    return rows


def _line(match: Match, user_id: int) -> dict[str, Any]:
    seat = str(find_seat(match, user_id))
    settlement = match.settlement or {}
    return {
        "id": match.pk,
        "table": match.table,
        "title": format_match_title(match),
        "started_at": match.started_at,
        "players": [
            _("You") if player["user"] == user_id else show_name(player["name"])
            for player in match.players.values()
        ],
        "is_cancelled": match.status == MatchStatus.CANCELLED,
        "rank": (match.result or {}).get("ranks", {}).get(seat),
        "amount": settlement.get("amounts", {}).get(seat),
    }


@never_cache
@login_required
@require_safe
def match(request: PlayerRequest, match_id: int) -> HttpResponse:
    """Show a match: its players, its payments, and every finished deal."""
    viewing = get_viewing_or_404(request, match_id)
    return render(request, "history/match.html", _match_context(request, viewing))


@never_cache
@require_safe
def shared_match(request: HttpRequest, token: str) -> HttpResponse:
    """Show a match to holders of a player's link, without money."""
    viewing = get_shared_or_404(token)
    answer = render(request, "history/match.html", _match_context(request, viewing))
    return keep_out_of_search(answer)


@never_cache
@require_safe
def record(request: HttpRequest, match_id: int, number: int) -> HttpResponse:
    """Send the record of a finished deal in the format that tools/verify_deal.py reads."""
    return _record(get_viewing_or_404(request, match_id), number)


@never_cache
@require_safe
def shared_record(request: HttpRequest, token: str, number: int) -> HttpResponse:
    return keep_out_of_search(_record(get_shared_or_404(token), number))


def _record(viewing: Viewing, number: int) -> HttpResponse:
    whole = deal_record(match_id=viewing.match.pk, number=number)
    if whole is None:
        raise Http404
    told = whole if viewing.sees_money else strip_money(whole)
    answer = JsonResponse(told, json_dumps_params={"indent": 1})
    name = f"openrummy-match-{viewing.match.pk}-deal-{number}.json"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _match_context(request: HttpRequest, viewing: Viewing) -> dict[str, Any]:
    played = viewing.match
    players = _players(viewing)
    token = own_token(request, viewing)
    deals = list_finished_deals(played)
    return {
        "match": played,
        "viewing": viewing,
        "title": format_match_title(played),
        "is_over": played.status != MatchStatus.RUNNING,
        "is_cancelled": played.status == MatchStatus.CANCELLED,
        "players": sorted(players, key=lambda player: player["rank"] or 0),
        "seats": players,
        "deals": [_deal(viewing, deal, list(played.players)) for deal in deals],
        "settlement": played.settlement if viewing.sees_money else None,
        "corrections": list_corrections(played) if viewing.sees_money else [],
        "share_link": request.build_absolute_uri(build_address(played, token)) if token else "",
        "picture_url": picture_address(request, token or viewing.token) if deals else "",
    }


def _players(viewing: Viewing) -> list[dict[str, Any]]:
    """Return a row for each player of the match, as the page shows it, in the order of their seats."""
    result = viewing.match.result or {}
    settlement = (viewing.match.settlement or {}) if viewing.sees_money else {}
    changes = changes_by(viewing.match)
    faces = find_faces(viewing.match)
    return [
        {
            "name": show_name(player["name"]),
            "face": faces.get(player["user"], ""),
            "bot": player["bot"],
            "stand_in": player.get("stand_in", False),
            "rating": _describe_rating(changes.get(player["user"])),
            "points": result.get("points", {}).get(seat),
            "rank": result.get("ranks", {}).get(seat),
            "amount": settlement.get("amounts", {}).get(seat),
        }
        for seat, player in viewing.match.players.items()
    ]


def _describe_rating(change: RatingChange | None) -> dict[str, Any] | None:
    """Return the rating before and after a match, and the difference between the two as displayed. None stays None."""
    if change is None:
        return None
    return {
        "before": rating_text(change.value_before, change.deviation_before),
        "after": rating_text(change.value, change.deviation),
        "change": f"{round(change.value) - round(change.value_before):+d}",
    }


def _deal(viewing: Viewing, deal: FinishedDeal, seats: Sequence[str]) -> dict[str, Any]:
    """Return a row of the score sheet: the players' points, in the order of `seats`, and links to the deal's pages."""
    return {
        "number": deal.number,
        "commitment": deal.commitment,
        "record_url": build_address(viewing.match, viewing.token, deal.number, "record"),
        "replay_url": build_address(viewing.match, viewing.token, deal.number),
        "verify_url": build_address(viewing.match, viewing.token, deal.number, "verify"),
        "cells": [(deal.points.get(seat), int(seat) in deal.winners) for seat in seats],
    }


@require_safe
def open_data(request: HttpRequest) -> HttpResponse:
    found = [(month, date.fromisoformat(f"{month}-01")) for month in list_months()]
    return render(request, "history/open_data.html", {"months": found})


@require_safe
@cache_control(max_age=86_400)
def open_data_month(_request: HttpRequest, month: str) -> HttpResponse:
    if month not in list_months():
        raise Http404
    name = f"deals-{month}.jsonl.gz"
    return HttpResponse(
        month_file(month),
        content_type="application/gzip",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
