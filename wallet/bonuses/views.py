from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render

from accounts.requests import PlayerRequest
from wallet.bonuses.selectors import bonuses_of, progress_of
from wallet.desk.cash_pages import where_cash_is_on

_SHOWN = 20


@where_cash_is_on
@login_required
def bonuses(request: PlayerRequest) -> HttpResponse:
    """Each bonus, and what has to be played for the next part of it."""
    rows = [progress_of(bonus) for bonus in bonuses_of(request.user.pk)[:_SHOWN]]
    return render(request, "wallet/bonuses.html", {"rows": rows})
