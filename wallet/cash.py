"""The switch of play for cash in this installation."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse

from core.refusals import Refusal
from wallet.refusals import CASH_IS_OFF

MODES = ("off", "sandbox", "live")


def cash_is_on() -> bool:
    """Return whether players may play for cash on this site."""
    return bool(settings.CASH_PLAY != "off")


def require_cash() -> None:
    """Raise CASH_IS_OFF unless players may play for cash."""
    if not cash_is_on():
        raise Refusal(CASH_IS_OFF)


def hide_without_cash(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a view to answer 404 while cash is off."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not cash_is_on():
            raise Http404
        return view(request, *args, **kwargs)

    return guarded
