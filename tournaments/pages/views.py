"""Pages of tournaments: the list, one tournament with its bracket, and the reader's own tournaments."""

import re
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models.users import PlayerRequest
from accounts.names import tidy_player_name
from core.refusals import Refusal
from lobby.side import build_side
from tables.catalog import WHOLE_NUMBER
from tables.play.lock import milliseconds
from tables.seating.hosting.invitations import (
    build_invitation,
    get_remembered_event,
    invite_in,
    remember_event,
)
from tournaments.models import Entrant, EntrantState, PrizeKind, Tournament
from tournaments.models.terms import pool_rules
from tournaments.models.tournament import TournamentStatus
from tournaments.pages.cards import NOT_BEGUN, build_cards, fold
from tournaments.pages.round_status import list_stakes, round_status
from tournaments.pages.shown_bracket import build_bracket, list_ways
from tournaments.pages.shown_tree import build_shown_tree
from tournaments.refusals import TournamentNotFound
from tournaments.registration.services import rebuy, register, withdraw
from tournaments.rules.formats import FORMATS
from tournaments.rules.lifecycle import LifecycleStatus, TournamentPhase
from tournaments.store import reading
from tournaments.store.ranks import live_ranks, rank_entrants
from tournaments.store.reading import describe_cancellation, phase_names
from wallet.api import cash_is_on

ENTRANTS_ON_A_PAGE = 100
LONGEST_SEARCH = 40


@never_cache
@require_safe
def tournaments(request: HttpRequest) -> HttpResponse:
    """Show the tournaments by phase and kind. htmx fetches only the list every few seconds."""
    phase = request.GET.get("phase", TournamentPhase.UPCOMING.value)
    kind = request.GET.get("kind", "")
    if phase not in list(TournamentPhase) or (kind and kind not in PrizeKind.values):
        raise Http404
    listed = reading.list_tournaments(
        phase=TournamentPhase(phase), kind=kind, with_cash=cash_is_on()
    )
    cards = build_cards(listed, user_id=request.user.pk, now=timezone.now())
    kinds = [choice for choice in PrizeKind.choices if cash_is_on() or choice[0] != PrizeKind.CASH]
    context = {
        "phase": phase,
        "kind": kind,
        "phases": phase_names(),
        "kinds": [("", _("All")), *kinds],
        "cards": fold(cards) if phase == TournamentPhase.UPCOMING else cards,
    }
    if request.headers.get("HX-Request"):
        return render(request, "tournaments/_cards.html", context)
    about = {"formats": FORMATS.values(), **build_side(request.user)}
    return render(request, "tournaments/list.html", {**context, **about})


@login_required
@never_cache
@require_safe
def mine(request: PlayerRequest) -> HttpResponse:
    entered = reading.list_entered_by(request.user.pk)
    context = {
        "cards": build_cards(entered, user_id=request.user.pk, now=timezone.now()),
        "tickets": reading.list_unused_tickets(request.user.pk),
        "phase": "mine",
        "phases": phase_names(),
    }
    if request.headers.get("HX-Request"):
        return render(request, "tournaments/_cards.html", context)
    return render(request, "tournaments/mine.html", {**context, **build_side(request.user)})


@never_cache
@require_safe
def tournament(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show a tournament; htmx fetches the part that changes."""
    row = reading.find_tournament(tournament_id)
    if row is None or not _may_see(request, row):
        raise Http404
    asked = _Asked(
        show=request.GET.get("show", ""),
        page=_number(request, "page") or 1,
        round=_number(request, "round"),
        player=tidy_player_name(request.GET.get("player", ""))[:LONGEST_SEARCH],
    )
    if asked.show not in ("", "ranks", "table"):
        raise Http404
    if asked.show == "table":
        return render(
            request, "tournaments/_at_table.html", _build_table_context(row, request.user.pk)
        )
    only_live = request.headers.get("HX-Request")
    template = "tournaments/_live.html" if only_live else "tournaments/tournament.html"
    context = _context(row, request.user.pk, asked)
    if row.is_private:
        context |= _build_invitation(row, request.build_absolute_uri(row.invite_url))
    return render(request, template, context)


def _build_invitation(row: Tournament, link: str) -> dict[str, Any]:
    """Return the link of a private tournament and a text to send with it.

    The start is given with its time zone, because friends may live in another one.
    """
    words = _("Join my tournament “%(name)s”, %(start)s:") % {
        "name": row.shown_name,
        "start": date_format(timezone.localtime(row.starts_at), "j M, H:i T"),
    }
    return build_invitation(words, link)


def _may_see(request: HttpRequest, row: Tournament) -> bool:
    """Return whether this visitor may see the tournament.

    The code of a private tournament is remembered in the session, so it is needed only once.
    """
    if reading.may_see(row, request.user.pk):
        return True
    event, shown = row.get_absolute_url(), invite_in(request.GET)
    if row.admits(shown):
        remember_event(request.session, event, shown)
    return row.admits(get_remembered_event(request.session, event))


def _refuse_strangers(request: HttpRequest, tournament_id: int) -> None:
    """Raise Http404 for outsiders of a private tournament, as if it did not exist."""
    row = reading.find_tournament(tournament_id)
    if row is None or not _may_see(request, row):
        raise Http404


@dataclass(frozen=True, slots=True)
class _Asked:
    """The requested part of a tournament: the ranks or the bracket, one of its rounds, a player."""

    show: str
    page: int
    round: int | None
    player: str


def _number(request: HttpRequest, name: str) -> int | None:
    text = request.GET.get(name)
    if text is None:
        return None
    if not re.fullmatch(WHOLE_NUMBER, text) or int(text) == 0:
        raise Http404
    return int(text)


def _build_table_context(row: Tournament, user_id: int | None) -> dict[str, Any]:
    """Return the template context for a tournament's table of facts."""
    standing = reading.get_standing_pool(row, field=row.seats_taken)
    return {
        "tournament": row,
        "entrant": row.entrants.filter(user_id=user_id).first() if user_id else None,
        "round": round_status(row, user_id=user_id),
        "next_ms": milliseconds(row.next_round_at) if row.next_round_at else None,
        "prizes": reading.list_prize_lines(row, standing),
        "winners": reading.list_winners(row),
        "pool": pool_rules(row),
    }


def _context(row: Tournament, user_id: int | None, asked: _Asked) -> dict[str, Any]:
    standing = reading.get_standing_pool(row, field=row.seats_taken)
    now = timezone.now()
    return {
        "tournament": row,
        "kind": row.kind.label,
        "status": TournamentStatus(row.status),
        "starts_ms": milliseconds(row.starts_at) if row.status in NOT_BEGUN else None,
        "next_ms": milliseconds(row.next_round_at) if row.next_round_at else None,
        "cancel_reason": describe_cancellation(row),
        "options": reading.get_options(row, user_id=user_id, now=now),
        "standing": standing,
        "to_pool": row.entry_fee - row.fee_rake,
        "prizes": reading.list_prize_lines(row, standing),
        "winners": reading.list_winners(row),
        "rounds_expected": len(row.format_rules.rounds(row.seats_taken, row.structure)),
        "stakes": list_stakes(row),
        "pool": pool_rules(row),
        "has_tree": row.format_rules.has_tree(row.structure, early=row.seats_early),
        "is_late": row.status == LifecycleStatus.PLAYING
        and row.late_until is not None
        and now < row.late_until,
        "round": round_status(row, user_id=user_id),
        "user_id": user_id,
        "is_host": user_id is not None and user_id == row.opened_by_id,
        **_show_part(row, user_id, asked),
    }


def _show_part(row: Tournament, user_id: int | None, asked: _Asked) -> dict[str, Any]:
    """Return the context for the bracket once there is one, otherwise for the ranks."""
    has_bracket = row.round_number > 0
    if asked.show or not has_bracket:
        return {"show": "ranks", "has_bracket": has_bracket, **_entrants(row, asked.page)}
    tree = build_shown_tree(row, user_id=user_id, now=timezone.now())
    before = None if tree is None else tree.first
    # A tree that begins at the first round shows the reader's whole path.
    ways = list_ways(row, user_id=user_id, player=asked.player, with_own=before != 1)
    return {
        "show": "bracket",
        "has_bracket": True,
        "tree": tree,
        "bracket": build_bracket(
            row, user_id=user_id, unfolded=asked.round, page=asked.page, before=before
        ),
        "ways": ways,
        "player": asked.player,
        "found": any(
            asked.player.casefold() in w.entrant.user.player_name.casefold() for w in ways
        ),
    }


def _entrants(row: Tournament, page: int) -> dict[str, Any]:
    ordered = rank_entrants(row)
    start = (page - 1) * ENTRANTS_ON_A_PAGE
    some: list[Entrant] = list(ordered[start : start + ENTRANTS_ON_A_PAGE + 1])
    return {
        "entrants": live_ranks(some[:ENTRANTS_ON_A_PAGE], after=start),
        "page": page,
        "older": page + 1 if len(some) > ENTRANTS_ON_A_PAGE else None,
        "newer": page - 1 if page > 1 else None,
        "waiting": reading.count_waiting(row),
    }


@login_required
@require_POST
def enter(request: PlayerRequest, tournament_id: int) -> HttpResponse:
    """Register the player. If the ticket's button was pressed, pay with the ticket."""
    try:
        entrant = register(
            tournament_id=tournament_id,
            user_id=request.user.pk,
            now=timezone.now(),
            with_ticket="ticket" in request.POST,
            invite=invite_in(request.POST),
        )
    except TournamentNotFound as refusal:
        raise Http404 from refusal
    except Refusal as refusal:
        messages.error(request, str(refusal))
    else:
        if entrant.state == EntrantState.WAITING:
            messages.info(request, _("All places are taken: you are on the waiting list."))
        else:
            messages.success(request, _("You are registered. Your table will open automatically."))
    return _answer(request, tournament_id)


def _answer(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Redirect to the tournament's page. To htmx, answer with the messages only; the list then refreshes itself."""
    if not request.headers.get("HX-Request"):
        return redirect("tournaments:tournament", tournament_id)
    answer = render(request, "_messages.html")
    answer["HX-Trigger"] = "tournaments-changed"
    return answer


@login_required
@require_POST
def leave(request: PlayerRequest, tournament_id: int) -> HttpResponse:
    _refuse_strangers(request, tournament_id)
    try:
        withdraw(tournament_id=tournament_id, user_id=request.user.pk, now=timezone.now())
    except Refusal as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("You have withdrawn; what you paid is back in your wallet."))
    return _answer(request, tournament_id)


@login_required
@require_POST
def pay_again(request: PlayerRequest, tournament_id: int) -> HttpResponse:
    _refuse_strangers(request, tournament_id)
    try:
        rebuy(tournament_id=tournament_id, user_id=request.user.pk, now=timezone.now())
    except Refusal as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("You are back: you play in the next round."))
    return redirect("tournaments:tournament", tournament_id)
