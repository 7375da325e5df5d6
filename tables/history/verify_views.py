"""The page on which a finished deal is dealt again from its seeds."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models.users import PlayerRequest
from tables.history.match_pages import address_of, kept_out_of_search, shared_or_404, viewing_or_404
from tables.history.records import deal_record
from tables.history.selectors import Viewing
from tables.history.verification import verdict_on


@never_cache
@login_required
@require_safe
def verify(request: PlayerRequest, match_id: int, number: int) -> HttpResponse:
    viewing = viewing_or_404(request, match_id)
    return render(request, "history/verify.html", _context(viewing, number))


@never_cache
@require_safe
def shared_verify(request: HttpRequest, token: str, number: int) -> HttpResponse:
    viewing = shared_or_404(token)
    return kept_out_of_search(render(request, "history/verify.html", _context(viewing, number)))


def _context(viewing: Viewing, number: int) -> dict[str, Any]:
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
        "match_url": address_of(viewing.match, viewing.token),
        "record_url": address_of(viewing.match, viewing.token, number, "record"),
    }
