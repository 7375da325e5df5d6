from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from wallet.selectors import player_balances


def balances(request: HttpRequest) -> dict[str, Any]:
    """`wallet_balances` for signed-in people: one query, made only by a page that shows it."""
    user_id = request.user.pk if hasattr(request, "user") else None
    if user_id is None:
        return {}
    return {"wallet_balances": SimpleLazyObject(lambda: player_balances(user_id))}
