"""oEmbed (oembed.com), with which other sites embed shared replays and show links to puzzles."""

from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import Resolver404, resolve, reverse
from django.utils.html import format_html
from django.views.decorators.http import require_safe

from core.site.content import site
from history.pages.views import get_shared_or_404
from history.puzzles.answering import find_puzzle
from history.puzzles.views import puzzle_view
from history.selectors import list_finished_deals
from tables.catalog import format_match_title

_WIDTH: Final = 800
_HEIGHT: Final = 640


@require_safe
def oembed(request: HttpRequest) -> HttpResponse:
    """Describe a page of this site to another site that wants to show it."""
    if request.GET.get("format", "json") != "json":
        return HttpResponse(status=501)
    found = _find(request.GET.get("url", ""))
    told: dict[str, Any] = {
        "version": "1.0",
        "provider_name": site().name,
        "provider_url": settings.SITE_URL,
    }
    if found.url_name == "puzzle":
        told |= _describe_puzzle(found.kwargs["puzzle_id"])
    else:
        told |= _describe_replay(request, **found.kwargs)
    return JsonResponse(told, headers={"Access-Control-Allow-Origin": "*"})


def _find(url: str) -> Any:
    """Return the resolved page for an address of this site. Raises Http404 if it is not one that may be embedded."""
    own = urlsplit(settings.SITE_URL)
    try:
        asked = urlsplit(url)
        found = resolve(asked.path)
    except (ValueError, Resolver404) as error:
        raise Http404 from error
    is_own = asked.netloc == own.netloc and asked.scheme in {"http", "https"}
    if not is_own or found.url_name not in {"shared_match", "shared_replay", "puzzle"}:
        raise Http404
    return found


def _describe_replay(request: HttpRequest, token: str, number: int | None = None) -> dict[str, Any]:
    match = get_shared_or_404(token).match
    deals = list_finished_deals(match)
    if number is None and deals:
        number = deals[0].number
    if number not in {deal.number for deal in deals}:
        raise Http404
    width, height = _read(request, "maxwidth", _WIDTH), _read(request, "maxheight", _HEIGHT)
    title = f"{format_match_title(match)} · {match.table.shown_name}"
    embed = settings.SITE_URL + reverse("shared_embed", args=[token, number])
    code = '<iframe src="{}" width="{}" height="{}" loading="lazy" title="{}"></iframe>'
    picture = settings.SITE_URL + reverse("shared_deal_picture", args=[token, number])
    return {
        "type": "rich",
        "title": title,
        "html": format_html(code, embed, width, height, title),
        "width": width,
        "height": height,
        "thumbnail_url": picture,
        "thumbnail_width": 1200,
        "thumbnail_height": 630,
    }


def _describe_puzzle(puzzle_id: int) -> dict[str, Any]:
    """Describe a puzzle as a link, because it is answered on its own page, which no other site may frame."""
    found = find_puzzle(puzzle_id)
    if found is None:
        raise Http404
    shown = puzzle_view(found, None)
    return {"type": "link", "title": f"{shown['game']}: {shown['title']}"}


def _read(request: HttpRequest, name: str, usual: int) -> int:
    """Return a size in pixels from the query: from 1 to `usual`, which is also the default."""
    text = request.GET.get(name, "")
    wanted = int(text) if text.isascii() and text.isdigit() and len(text) < len("100000") else usual
    return max(1, min(wanted, usual))
