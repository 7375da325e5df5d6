from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.models.users import PlayerRequest
from core.refusals import Refusal
from wallet.bonuses.campaigns import list_codes_for_friends, use_code
from wallet.bonuses.selectors import compute_progress, list_bonuses
from wallet.cash import hide_without_cash

_SHOWN = 20
_LONGEST_CODE = 60


@hide_without_cash
@login_required
def bonuses(request: PlayerRequest) -> HttpResponse:
    """Show each bonus, the play needed for its next chunk, and the codes for friends."""
    rows = [compute_progress(bonus) for bonus in list_bonuses(request.user.pk)[:_SHOWN]]
    friends = list_codes_for_friends(request.user.pk, now=timezone.now())
    return render(request, "wallet/bonuses.html", {"rows": rows, "friends": friends})


@hide_without_cash
@login_required
@require_POST
def redeem(request: PlayerRequest) -> HttpResponse:
    """Redeem a campaign's code."""
    text = request.POST.get("code", "")[:_LONGEST_CODE]
    try:
        use_code(user_id=request.user.pk, text=text, now=timezone.now())
    except Refusal as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(
            request, _("The bonus is yours. This page says how it is released as you play.")
        )
    return redirect("wallet:bonuses")
