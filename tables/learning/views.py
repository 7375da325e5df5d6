"""The way of a newcomer to a first deal."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.refusals import AccountRefusal
from tables.catalog import offered_games, usual_game
from tables.learning.lessons import begin_as_guest, begin_lesson
from tables.learning.rule_views import games_with, page_of_game
from tables.learning.selectors import has_played
from tables.refusals import Refusal
from wallet.refusals import WalletRefusal


@never_cache
@require_safe
def learn(request: HttpRequest, game: str | None = None) -> HttpResponse:
    game = game or usual_game().code
    page = page_of_game(game, "learn")
    user_id = request.user.pk
    context = {
        "has_played": user_id is not None and has_played(user_id),
        "game": game,
        "games": games_with("learn"),
    }
    return render(request, page, context)


@require_POST
def begin(request: HttpRequest) -> HttpResponse:
    """Sit down at a table of one's own; its page has a coach. Without an account it is a guest's."""
    game = request.POST.get("game", usual_game().code)
    if game not in offered_games():
        raise Http404
    try:
        if request.user.pk is None:
            table_id = begin_as_guest(request, game=game)
        else:
            table_id = begin_lesson(user_id=request.user.pk, game=game)
    except (Refusal, AccountRefusal, WalletRefusal) as refusal:
        messages.error(request, str(refusal))
        return redirect("learn_game", game)
    return redirect("tables:table", table_id)
