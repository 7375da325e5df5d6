"""How many requests the API takes: of a player, of an address that shows no token, of wrong tokens.

DRF's own reads what it has counted and writes it back later, so that requests side by side pass.
"""

from typing import Any

from django.http import HttpRequest
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import AnonRateThrottle, SimpleRateThrottle, UserRateThrottle

from accounts import rates
from accounts.rates import Rate


class Counted(SimpleRateThrottle):
    num_requests: int | None
    duration: int | None
    pause_seconds = 0.0

    def allow_request(self, request: Request, view: Any) -> bool:
        key = self.get_cache_key(request, view)
        if key is None or self.num_requests is None or self.duration is None:
            return True
        taken = rates.take(Rate(f"api:{key}", self.num_requests, self.duration))
        self.pause_seconds = taken.pause_seconds
        return taken.is_allowed

    def wait(self) -> float:
        return self.pause_seconds

    def get_ident(self, request: Request | HttpRequest) -> str:
        return rates.household(request)


class OfAddress(Counted, AnonRateThrottle):
    """Who shows neither token nor session."""


class OfPlayer(Counted, UserRateThrottle):
    """Of an account, from wherever it calls."""


class _OfWrongTokens(Counted):
    scope = "wrong_tokens"

    def get_cache_key(self, request: Request, view: Any) -> str:
        return f"wrong-token:{self.get_ident(request)}"


def count_wrong_token(request: Request) -> None:
    """Raises Throttled. A right token is never refused for the wrong ones of its neighbours."""
    throttle = _OfWrongTokens()
    if not throttle.allow_request(request, None):
        raise Throttled(throttle.wait())
