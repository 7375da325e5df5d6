"""The pages of errors.

Under ASGI Django makes them in a thread of their own, whose database connection (the header shows a
balance) the end of the request does not close: it would stay taken from the pool.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.db import connections
from django.http import HttpResponse
from django.views import defaults


def _tidy(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    @wraps(view)
    def page(*args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(*args, **kwargs)
        finally:
            for connection in connections.all(initialized_only=True):
                if not connection.in_atomic_block:
                    connection.close_if_unusable_or_obsolete()

    return page


bad_request = _tidy(defaults.bad_request)
permission_denied = _tidy(defaults.permission_denied)
page_not_found = _tidy(defaults.page_not_found)
server_error = _tidy(defaults.server_error)
