"""The common part of a match's pages: the right to open them, and their addresses."""

from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from accounts.models import User
from tables.history.selectors import Viewing, link_of, viewed_by, viewed_by_link
from tables.models import Match
from tables.seating.invitations import remembered_event


def viewing_or_404(request: HttpRequest, match_id: int) -> Viewing:
    """Return the match as the signed-in reader may see it. Raises Http404."""
    if not isinstance(request.user, User):
        raise Http404
    invitation = partial(remembered_event, request.session)
    viewing = viewed_by(request.user, match_id=match_id, invitation=invitation)
    if viewing is None:
        raise Http404
    return viewing


def shared_or_404(token: str) -> Viewing:
    viewing = viewed_by_link(token)
    if viewing is None:
        raise Http404
    return viewing


def kept_out_of_search(answer: HttpResponse) -> HttpResponse:
    """A link is for whom a player gave it to."""
    answer["X-Robots-Tag"] = "noindex, nofollow"
    return answer


def own_token(request: HttpRequest, viewing: Viewing) -> str:
    if not viewing.is_player or request.user.pk is None:
        return ""
    return link_of(match_id=viewing.match.pk, user_id=request.user.pk)


def address_of(match: Match, token: str, number: int | None = None, part: str = "replay") -> str:
    """Return the address of a match or of one of its deals; with a token, the one that its holder may open."""
    prefix = "shared" if token else "deal"
    whose: list[Any] = [token] if token else [match.pk]
    if number is None:
        return reverse("shared_match" if token else "match", args=whose)
    return reverse(f"{prefix}_{part}", args=[*whose, number])
