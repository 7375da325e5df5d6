"""The pages of a finished deal: its proof, its replay, and the analysis of a player's moves."""

import re
from typing import Any

from csp.decorators import csp_replace
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models.users import PlayerRequest
from core.refusals import Refusal
from games.engine.base import Text
from games.engine.game import DealAnalysis
from games.registry import get_game
from history.analysing import ask_for_analysis, can_be_analysed, find_analysis, may_be_asked_again
from history.mistakes import own_profile
from history.models import AnalysisState
from history.pages.views import (
    build_address,
    get_shared_or_404,
    get_viewing_or_404,
    keep_out_of_search,
    own_token,
    picture_address,
)
from history.records import deal_record, verdict_on
from history.replay import replay_context, share_match, withdraw_link
from history.selectors import Viewing, list_ended_deals
from tables.catalog import WHOLE_NUMBER, format_match_title, translate
from tables.models import Match


@never_cache
@login_required
@require_safe
def verify(request: PlayerRequest, match_id: int, number: int) -> HttpResponse:
    viewing = get_viewing_or_404(request, match_id)
    return render(request, "history/verify.html", _build_context(viewing, number))


@never_cache
@require_safe
def shared_verify(request: HttpRequest, token: str, number: int) -> HttpResponse:
    viewing = get_shared_or_404(token)
    return keep_out_of_search(
        render(request, "history/verify.html", _build_context(viewing, number))
    )


def _build_context(viewing: Viewing, number: int) -> dict[str, Any]:
    record: Any = deal_record(match_id=viewing.match.pk, number=number)
    if record is None:
        raise Http404
    players = record["players"]
    return {
        "match": viewing.match,
        "number": number,
        "record": record,
        "verdict": verdict_on(record),
        "added": [(players[seat], seed) for seat, seed in record["client_seeds"].items()],
        "match_url": build_address(viewing.match, viewing.token),
        "record_url": build_address(viewing.match, viewing.token, number, "record"),
    }


@never_cache
@login_required
@require_safe
def replay(request: PlayerRequest, match_id: int, number: int) -> HttpResponse:
    """Show a finished deal step by step, from any seat."""
    viewing = get_viewing_or_404(request, match_id)
    return render(request, "history/replay.html", _replay_context(request, viewing, number))


@never_cache
@require_safe
def shared_replay(request: HttpRequest, token: str, number: int) -> HttpResponse:
    viewing = get_shared_or_404(token)
    answer = render(request, "history/replay.html", _replay_context(request, viewing, number))
    return keep_out_of_search(answer)


@never_cache
@xframe_options_exempt
@require_safe
def embedded_replay(request: HttpRequest, token: str, number: int) -> HttpResponse:
    """Show a shared deal in a frame on another site. It needs no account and has only the replay's controls."""
    viewing = get_shared_or_404(token)
    context = _replay_context(request, viewing, number, part="embed")
    answer = render(request, "history/embed.html", context)
    csp_replace({"frame-ancestors": "*"})(lambda _request: answer)(request)
    return keep_out_of_search(answer)


# How long others may cache a picture: a withdrawn link must soon lead nowhere.
_PICTURE_HOLDS = 3_600


@require_safe
def shared_picture(request: HttpRequest, token: str, number: int | None = None) -> HttpResponse:
    """Send the picture of a deal, or of the whole match without a number."""
    from history.pages.pictures import draw_picture  # noqa: PLC0415 - needed only for shared links

    content = draw_picture(get_shared_or_404(token).match, number)
    if content is None:
        raise Http404
    answer = HttpResponse(content, content_type="image/png")
    patch_cache_control(answer, max_age=_PICTURE_HOLDS)
    return keep_out_of_search(answer)


def _replay_context(
    request: HttpRequest, viewing: Viewing, number: int, *, part: str = "replay"
) -> dict[str, Any]:
    """Return the context of a replay. Links to other deals lead to their page of the same `part`."""
    played = viewing.match
    shown = replay_context(
        played, number=number, user_id=request.user.pk if viewing.is_player else None
    )
    if shown is None:
        raise Http404
    token = own_token(request, viewing)
    link = build_address(played, token, number)
    asked = analysis_context(request, played, number) if not viewing.token else {}
    return {
        **asked,
        **shown,
        "has_analysis": bool(asked),
        "viewing": viewing,
        "title": format_match_title(played),
        "match_url": build_address(played, viewing.token),
        "record_url": build_address(played, viewing.token, number, "record"),
        "deals": [
            (one, build_address(played, viewing.token, one, part))
            for one in sorted(list_ended_deals(played))
        ],
        "share_link": request.build_absolute_uri(link) if token else "",
        "embed_url": request.build_absolute_uri(build_address(played, token, number, "embed"))
        if token
        else "",
        "page_url": request.build_absolute_uri(build_address(played, viewing.token, number)),
        "picture_url": picture_address(request, token or viewing.token, number),
    }


@login_required
@require_POST
def share(request: PlayerRequest, match_id: int) -> HttpResponse:
    if share_match(match_id=match_id, user_id=request.user.pk) is None:
        raise Http404
    return redirect(_back_to(request, match_id))


@login_required
@require_POST
def unshare(request: PlayerRequest, match_id: int) -> HttpResponse:
    withdraw_link(match_id=match_id, user_id=request.user.pk)
    return redirect(_back_to(request, match_id))


def _back_to(request: HttpRequest, match_id: int) -> str:
    """Return the address of the page that contained the form: the match, or the replay of a deal."""
    deal = request.POST.get("deal", "")
    if re.fullmatch(WHOLE_NUMBER, deal):
        return reverse("deal_replay", args=[match_id, int(deal)]) + "#share"
    return reverse("match", args=[match_id]) + "#share"


# Number of decisions shown as tasks, and the names of losses by their size in points.
_TASKS = 3
_DEAR, _CHEAP = 6, 2.5


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def analysis(request: PlayerRequest, match_id: int, number: int) -> HttpResponse:
    """Request the analysis (POST), or return the part of the replay page that shows it and is loaded separately."""
    match = get_viewing_or_404(request, match_id).match
    shown_at = reverse("deal_replay", args=[match_id, number]) + "#analysis"
    if request.method == "POST":
        try:
            ask_for_analysis(user_id=request.user.pk, match=match, number=number)
        except Refusal as refusal:
            messages.error(request, str(refusal))
        return redirect(shown_at)
    context = analysis_context(request, match, number) if number in list_ended_deals(match) else {}
    if not context:
        raise Http404
    if not request.headers.get("HX-Request"):
        return redirect(shown_at)
    return render(request, "history/_analysis.html", context)


def analysis_context(request: HttpRequest, match: Match, number: int) -> dict[str, Any]:
    """Return the context of the analysis; empty if there is nothing to analyse."""
    user_id = request.user.pk
    if user_id is None or not can_be_analysed(match, user_id):
        return {}
    found = find_analysis(match, number, user_id)
    analyst = get_game(match.table.game).analysis
    version = 0 if analyst is None else analyst.version
    is_open = found is None or may_be_asked_again(found, version, timezone.now())
    context: dict[str, Any] = {
        "match": match,
        "deal": number,
        "analysis": found,
        "may_ask": is_open,
        "is_lost": is_open and found is not None and found.state != AnalysisState.DONE,
        "is_waiting": not is_open and found is not None and found.state != AnalysisState.DONE,
    }
    if analyst is not None:
        context["about"] = translate(analyst.about)
        if found is not None and found.state == AnalysisState.DONE:
            context["report"] = _add_sums(found.report, analyst)
    return context


def _add_sums(report: Any, analyst: DealAnalysis) -> dict[str, Any]:
    decisions = [_describe_decision(decision, analyst) for decision in report["decisions"]]
    dearest = sorted(decisions, key=lambda decision: -decision["loss"])
    return {
        **report,
        "lost": sum(decision["loss"] for decision in decisions),
        "luck_total": sum(report["luck"].values()),
        "bars": _list_bars(decisions, report["turns"]),
        "tasks": [decision for decision in dearest[:_TASKS] if decision["loss"]],
        "count": len(decisions),
        "bot": _describe_remark(report.get("bot"), analyst),
        "notes": [_translate(note) for note in report["notes"]],
    }


def _describe_decision(decision: dict[str, Any], analyst: DealAnalysis) -> dict[str, Any]:
    options = [
        {"text": _translate(option["text"]), "number": number}
        for number, option in enumerate(decision["options"])
    ]
    chosen, best = decision["chosen"], decision["best"]
    return {
        **decision,
        "cards": [_describe_card(card, analyst) for card in decision["hand"]],
        "open_card": _describe_card(decision["open"], analyst)["text"] if decision["open"] else "",
        "options": options,
        "chosen_text": "" if chosen is None else options[chosen]["text"],
        "best_text": "" if best is None else options[best]["text"],
        "reasons": [_translate(reason) for reason in decision["reasons"]],
        "size": _grade_loss(decision["loss"]),
    }


def _describe_remark(told: dict[str, Any] | None, analyst: DealAnalysis) -> dict[str, Any] | None:
    """Return the practice bot's remark on its own play: its most costly decision, described for the page."""
    if told is None:
        return None
    decision = told["decision"]
    return {**told, "decision": None if decision is None else _describe_decision(decision, analyst)}


def _list_bars(decisions: list[dict[str, Any]], turns: int) -> list[dict[str, Any]]:
    """Return a bar for each of the player's turns.

    If the player had no decision in a turn, the bar's `size` is "none".
    """
    dearest = max((decision["loss"] for decision in decisions), default=0)
    bars = []
    for turn in range(1, turns + 1):
        own = [decision for decision in decisions if decision["own_turn"] == turn]
        loss = sum(decision["loss"] for decision in own)
        bars.append(
            {
                "number": turn,
                "loss": loss,
                "step": own[0]["step"] if own else None,
                "height": max(2, round(40 * min(1, loss / max(dearest, _DEAR)))),
                "size": _grade_loss(loss) if own else "none",
            }
        )
    return bars


def _grade_loss(loss: float) -> str:
    if not loss:
        return "good"
    return "dear" if loss >= _DEAR else "fair" if loss >= _CHEAP else "cheap"


def _describe_card(text: str, analyst: DealAnalysis) -> dict[str, str]:
    """Return a card's text for people and its suit. A printed joker has the suit J."""
    return {"text": analyst.write_card(text), "suit": "J" if text.startswith("PJ") else text[1]}


def _translate(told: dict[str, Any]) -> str:
    return translate(Text(told["message"], told["values"]))


@never_cache
@login_required
@require_safe
def mistakes(request: PlayerRequest) -> HttpResponse:
    """Show the player's losses over time. Nobody else sees this page."""
    context = {"profile": own_profile(request.user.pk), "title": _("My decisions")}
    return render(request, "history/mistakes.html", context)
