from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from wallet.cash import cash_is_on
from wallet.ledger.balances import get_player_balances


def balances(request: HttpRequest) -> dict[str, Any]:
    """Add `cash_is_on` and `wallet_balances` for signed-in players.

    The balances cost one query, made only by a page that shows them.
    """
    user_id = request.user.pk if hasattr(request, "user") else None
    if user_id is None:
        return {}
    return {
        "wallet_balances": SimpleLazyObject(lambda: get_player_balances(user_id)),
        "cash_is_on": cash_is_on(),
    }
