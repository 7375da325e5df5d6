"""How many requests the API takes: of a player, of an address that shows no token, of wrong tokens.

DRF's own reads what it has counted and writes it back later, so that requests side by side pass.
"""

from typing import Any

from django.http import HttpRequest
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import AnonRateThrottle, SimpleRateThrottle, UserRateThrottle

from core import throttling
from core.throttling import Rate


class Counted(SimpleRateThrottle):
    num_requests: int | None
    duration: int | None
    pause_seconds = 0.0

    def allow_request(self, request: Request, view: Any) -> bool:
        key = self.get_cache_key(request, view)
        if key is None:
            return True
        self.pause_seconds = self.count(key)
        return self.pause_seconds == 0

    def count(self, key: str) -> float:
        """One more of these; the pause if that is too many."""
        if self.num_requests is None or self.duration is None:
            return 0.0
        return throttling.take(Rate(f"api:{key}", self.num_requests, self.duration)).pause_seconds

    def wait(self) -> float:
        return self.pause_seconds

    def get_ident(self, request: Request | HttpRequest) -> str:
        return throttling.household(request)


class OfAddress(Counted, AnonRateThrottle):
    """Who shows neither token nor session."""


class OfPlayer(Counted, UserRateThrottle):
    """Of an account, from any address."""


class _OfWrongTokens(Counted):
    scope = "wrong_tokens"


def count_wrong_token(request: Request) -> None:
    """Raises Throttled. A right token is never refused for the wrong ones of its neighbours."""
    pause = pause_of_wrong_token(throttling.household(request))
    if pause:
        raise Throttled(pause)


def pause_of_wrong_token(address: str) -> float:
    """Count one more from this household, by the API or a socket; the pause if it is too many."""
    return _OfWrongTokens().count(f"wrong-token:{address}")
