from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.requests import PlayerRequest
from accounts.throttling.origins import origin_of
from wallet.chips.welcome import reload_chips as reload_chips_now
from wallet.money import Currency, format_amount
from wallet.refusals import WalletRefusal


@login_required
@require_POST
def reload_chips(request: PlayerRequest) -> HttpResponse:
    try:
        amount = reload_chips_now(
            user_id=request.user.pk, today=timezone.localdate(), origin=origin_of(request)
        )
    except WalletRefusal as refusal:
        messages.error(request, str(refusal))
    else:
        chips = format_amount(amount, Currency.CHIPS)
        messages.success(request, _("You got %(chips)s practice chips.") % {"chips": chips})
    return redirect("wallet:statement")
