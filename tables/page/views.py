from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from tables.chat.phrases import PHRASES, phrases_offered
from tables.chat.selectors import ignored_players
from tables.learning.selectors import is_learning
from tables.live.delayed_view import snapshot_for
from tables.models import ReportReason
from tables.page.texts import table_texts
from tables.play.offered import has_page
from tables.seating.addresses import invite_in, page_of
from tables.seating.selectors import invite_code, may_see, purse_of, waiting_for
from wallet.money import Currency


@never_cache
@require_GET
def table(request: HttpRequest, table_id: int) -> HttpResponse:
    invite = invite_in(request.GET)
    if not may_see(table_id=table_id, user_id=request.user.pk, invite=invite):
        raise Http404
    current = snapshot_for(table_id=table_id, user_id=request.user.pk)
    if current is None or not has_page(current.state["table"]["game"]):
        raise Http404
    first = {
        "epoch": current.epoch,
        "v": current.version,
        "now": current.now,
        "state": current.state,
    }
    learns = is_learning(table_id=table_id, user_id=request.user.pk)
    context = {
        "table": current.state["table"],
        "game_templates": f"games/{current.state['table']['game']}",
        "snapshot": first,
        "texts": table_texts(current.state["table"]["game"], learns=learns),
        "learns": learns,
        **_entrance(request, table_id, Currency(current.state["table"]["currency"])),
        "chat": _chat(request),
    }
    return render(request, "tables/table.html", context)


def _chat(request: HttpRequest) -> dict[str, Any] | None:
    """What the drawer offers to say, and whom this player does not hear; None without a chat."""
    if settings.TABLE_CHAT == "off" or request.user.pk is None:
        return None
    return {
        "phrases": phrases_offered(),
        # Of all, so that a browser that hides them knows those of old lines too.
        "emotes": [phrase.code for phrase in PHRASES if phrase.is_emote],
        "allows_words": settings.TABLE_CHAT == "all",
        "reasons": ReportReason.choices,
        "ignored": ignored_players(request.user.pk),
    }


def _entrance(request: HttpRequest, table_id: int, currency: Currency) -> dict[str, Any]:
    """How to come to this table: the link of a private one, the list of those who wait, and what
    can be brought, None for who is not signed in."""
    user_id = request.user.pk
    waiting = waiting_for(table_id=table_id, user_id=user_id)
    code = invite_code(table_id=table_id, user_id=user_id) or invite_in(request.GET)
    link = request.build_absolute_uri(page_of(table_id, code)) if code else ""
    return {
        "invite": code,
        "invite_link": link,
        "waiting": waiting,
        "purse": None if user_id is None else purse_of(user_id, currency, waiting),
    }
