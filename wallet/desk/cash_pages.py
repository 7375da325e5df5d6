from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse

from wallet.cash import cash_is_on


def where_cash_is_on(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not cash_is_on():
            raise Http404
        return view(request, *args, **kwargs)

    return guarded
