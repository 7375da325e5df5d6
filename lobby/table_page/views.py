import secrets
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.people.forms import GuestForm
from accounts.people.guests import PRESS_BYTES, get_own_name
from accounts.people.preferences import is_quiet
from core.values.numbers import LARGEST_ID, parse_number
from games.engine.paces import SLOW_FROM_SECONDS
from lobby.table_page.company import TableCompany, get_company
from lobby.table_page.selectors import (
    Alone,
    bot_strengths_at,
    describe_waiting_alone,
    list_events_until,
    list_stand_in_events,
    player_card,
)
from players.ranking.selectors import list_reached_lately
from tables.catalog import format_title, has_page
from tables.chat.moderation import PHRASES, chat_is_on, describe_silence, list_phrases
from tables.chat.selectors import get_ignored_ids, list_ignored_players
from tables.learning.lessons import is_learning
from tables.live.delayed_view import snapshot_for
from tables.models import ReportReason
from tables.play.reading import words_of_table
from tables.seating.hosting.guests import is_open_to_guests, take_wish
from tables.seating.hosting.invitations import (
    build_page_address,
    get_remembered_invitation,
    invite_in,
    player_at,
    qr_code,
    remember_invitation,
    whatsapp_link,
)
from tables.seating.hosting.services import chooses_bot_strength, is_host
from tables.seating.selectors import (
    compute_purse,
    get_waiting,
    invitation_to,
    list_own_tables,
    may_see,
)
from tables.texts import table_texts
from wallet.api import has_own_limits
from wallet.money import Currency

# No table has seats beyond this number; it guards the database from larger ones.
_MOST_SEATS = 99
# Parts of the page that a game replaces by a template of this name.
_GAMES_MAY_REPLACE = ("own", "sheets", "sheet_title")


@never_cache
@require_safe
def table(request: HttpRequest, table_id: int) -> HttpResponse:
    player = player_at(request, table_id)
    invite = invite_in(request.GET) or get_remembered_invitation(request.session, table_id)
    if not may_see(table_id=table_id, user_id=player, invite=invite):
        raise Http404
    current = snapshot_for(table_id=table_id, user_id=player)
    if current is None or not has_page(current.state["table"]["game"]):
        raise Http404
    first = {
        "epoch": current.epoch,
        "v": current.version,
        "now": current.now,
        "state": current.state,
    }
    learns = is_learning(table_id=table_id, user_id=player)
    is_guest = player is not None and request.user.pk is None
    is_slow = current.state["rules"].get("turn_seconds", 0) >= SLOW_FROM_SECONDS
    folder = f"games/{current.state['table']['game']}"
    entrance = _entrance(request, player, invite, current.state["table"])
    # Only here: a part of the page that is fetched beside a form would write over the session of that form's guest.
    if entrance["invite"] and request.user.pk is None:
        remember_invitation(request.session, table_id, entrance["invite"])
    context = {
        "table": {**current.state["table"], **words_of_table(table_id)},
        "game_templates": folder,
        "parts": {
            part: [f"{folder}/_{part}.html", f"lobby/table_page/_{part}.html"]
            for part in _GAMES_MAY_REPLACE
        },
        "snapshot": first,
        "texts": table_texts(
            current.state["table"]["game"],
            learns=learns,
            is_slow=is_slow,
            pays_points=current.state["table"]["stake"] == "per_point",
        ),
        "learns": learns,
        "is_slow": is_slow,
        "is_guest": is_guest,
        "reached": _find_reached(request, table_id),
        "alone": None if is_slow else _find_alone(table_id, current.state),
        "guest_form": _guest_form(request, player, entrance["invite"], table_id),
        **entrance,
        **_room(
            get_company(table_id=table_id, viewer=player) if entrance["invite_link"] else None,
            entrance["invite_link"],
        ),
        "chat": _chat(player, current.state["table"], is_guest=is_guest),
        **(_practice(table_id, player) if current.state["table"]["practice"] else {}),
        **_list_other_tables(request, table_id),
    }
    return render(request, "lobby/table_page/table.html", context)


@never_cache
@require_safe
def moves(request: HttpRequest, table_id: int) -> JsonResponse:
    """Return the events of the running or last match up to a version, for the list of moves.

    With `for_me`, return only the events of moves that a bot has made for the requesting player.
    """
    asked = request.GET.get("v", "")
    version = parse_number(asked) or 0
    table_id = min(table_id, LARGEST_ID)
    if "for_me" in request.GET:
        played = list_stand_in_events(table_id=table_id, user_id=player_at(request, table_id))
        return JsonResponse({"events": played})
    events = list_events_until(
        table_id=table_id, user_id=player_at(request, table_id), version=version
    )
    return JsonResponse({"events": events})


@never_cache
@require_safe
def company(request: HttpRequest, table_id: int) -> HttpResponse:
    """Render the people of a private table, as a part of its page."""
    invite = invite_in(request.GET) or get_remembered_invitation(request.session, table_id)
    viewer = player_at(request, table_id)
    seen = None
    if may_see(table_id=table_id, user_id=viewer, invite=invite):
        seen = get_company(table_id=min(table_id, LARGEST_ID), viewer=viewer)
    if seen is None:
        raise Http404
    state = {"id": table_id, "currency": seen.table.currency, "event_url": seen.table.event_url}
    entrance = _entrance(request, viewer, invite, state)
    context = {
        **entrance,
        **_room(seen, entrance["invite_link"]),
        "table": {**state, **words_of_table(table_id)},
    }
    return render(request, "lobby/table_page/_room.html", context)


@never_cache
@require_safe
def player(request: HttpRequest, table_id: int, seat: int) -> HttpResponse:
    """Render the card of a seat's player, as a part of the table's page."""
    invite = invite_in(request.GET) or get_remembered_invitation(request.session, table_id)
    viewer = player_at(request, table_id)
    is_seen = may_see(table_id=table_id, user_id=viewer, invite=invite)
    card = None
    if is_seen:
        card = player_card(table_id=table_id, seat=min(seat, _MOST_SEATS), viewer=viewer)
    if card is None:
        raise Http404
    may_act = card.player.pk != viewer and is_host(table_id=table_id, user_id=viewer)
    talks = chat_is_on() and viewer is not None
    context = {
        "card": card,
        "table_id": table_id,
        "invite": invite,
        "is_own": card.player.pk == viewer,
        "wants_quiet": request.user.is_authenticated and is_quiet(request.user),
        "may_pass_on": may_act and not card.player.is_bot,
        "may_report": talks and card.player.pk != viewer and not card.player.is_bot,
        "is_ignored": viewer is not None and card.player.pk in get_ignored_ids(viewer),
        "reasons": ReportReason.choices,
        **(_practice(table_id, viewer) if card.player.is_bot else {}),
    }
    return render(request, "lobby/table_page/_player.html", context)


def _room(company: TableCompany | None, link: str) -> dict[str, Any]:
    """Return the context for the waiting room of a private table.

    Without the table's `link` no waiting room is shown.
    """
    if company is None or not link:
        return {"company": None}
    words = _("Play %(game)s with me, %(title)s:") % {
        "game": company.game_title,
        "title": format_title(company.table),
    }
    return {"company": company, "whatsapp_link": whatsapp_link(words, link)}


def _practice(table_id: int, viewer: int | None) -> dict[str, Any]:
    """Return the bots' strength and, if the viewer may change it, the strengths to choose from."""
    chooses = chooses_bot_strength(table_id=table_id, user_id=viewer)
    strength, strengths = bot_strengths_at(table_id)
    return {"strength": strength, "strengths": strengths if chooses else ()}


def _find_alone(table_id: int, state: dict[str, Any]) -> Alone | None:
    """Return the facts for a player who waits alone at a table, or None for everybody else."""
    table, seats = state["table"], state["seats"]
    is_alone = state["you"]["seat"] is not None and sum(bool(one["player"]) for one in seats) == 1
    waits = table["status"] == "waiting" and not (table["practice"] or table["event_url"])
    return describe_waiting_alone(table_id) if is_alone and waits else None


def _find_reached(request: HttpRequest, table_id: int) -> list[Any]:
    """Return the titles of new achievements, to be shown with the result.

    Return an empty list for visitors, for players who turned achievements off, and for players who have set
    limits of their own.
    """
    user = request.user
    if not user.is_authenticated or is_quiet(user):
        return []
    reached = list_reached_lately(table_id=table_id, user_id=user.pk)
    return reached if reached and not has_own_limits(user.pk) else []


def _list_other_tables(request: HttpRequest, table_id: int) -> dict[str, Any]:
    """Return the player's other tables, for the tabs in the table's bar."""
    user_id = request.user.pk
    others = [] if user_id is None else list_own_tables(user_id, but=table_id, is_slow=False)
    return {"own_tables": others, "own_ids": ",".join(str(table.id) for table in others)}


def _chat(player: int | None, table: dict[str, Any], *, is_guest: bool) -> dict[str, Any] | None:
    """Return the chat's phrases and the players whom this viewer ignores, or None without a chat.

    A visitor without an account only reads the spectators' chat.
    """
    if not (chat_is_on() and table["chat"]):
        return None
    if player is None:
        return {"emotes": [phrase.code for phrase in PHRASES if phrase.is_emote]}
    allows_words = settings.TABLE_CHAT == "all" and not is_guest
    return {
        "player": player,
        "phrases": list_phrases(),
        # All emotes, so that a browser that hides them also recognizes them in old lines.
        "emotes": [phrase.code for phrase in PHRASES if phrase.is_emote],
        "allows_words": allows_words,
        "silence": describe_silence(player, now=timezone.now()) if allows_words else None,
        "reasons": ReportReason.choices,
        "ignored": list_ignored_players(player),
    }


def _guest_form(
    request: HttpRequest, player: int | None, code: str, table_id: int
) -> GuestForm | None:
    """Return the form with which a visitor who has the link sits down without an account.

    Return None if that is not possible. A seated guest gets the form too, to sit down again after losing the seat.
    """
    if request.user.pk is not None or not code or not is_open_to_guests(table_id):
        return None
    name, wish = ("" if player is None else get_own_name(player)), take_wish(request.session)
    form = GuestForm(
        initial={
            "player_name": wish["name"] or name,
            "adult": bool(name),
            "terms": bool(name),
            "press": secrets.token_hex(PRESS_BYTES),
        }
    )
    form.refusal = wish["error"]
    return form


def _entrance(
    request: HttpRequest, player: int | None, invite: str, table: dict[str, Any]
) -> dict[str, Any]:
    """Return the context for ways to the table: a private table's link, the waiting list, and the player's money.

    `purse` is the amount that the player can bring, or None for a visitor.
    """
    table_id, currency = table["id"], Currency(table["currency"])
    waiting = get_waiting(table_id=table_id, user_id=player)
    code, host = invitation_to(table_id=table_id, user_id=player, invite=invite)
    # Nobody can be invited to an event's table.
    link = (
        request.build_absolute_uri(build_page_address(table_id, code))
        if code and not table["event_url"]
        else ""
    )
    return {
        "invite": code,
        "invite_link": link,
        "invite_qr": qr_code(link) if link else "",
        "host": host,
        "waiting": waiting,
        "purse": None if player is None else compute_purse(player, currency, waiting),
    }
