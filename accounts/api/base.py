"""The base of the API's views and of its paginated responses."""

from collections.abc import Sequence
from math import ceil
from typing import Any

from rest_framework.serializers import IntegerField, Serializer
from rest_framework.views import APIView

from core.throttling import Taken


class ApiView(APIView):
    """A view that reports rate limits in the IETF draft's headers (draft-ietf-httpapi-ratelimit-headers)."""

    _throttles: Sequence[Any] = ()

    def get_throttles(self) -> Any:
        self._throttles = super().get_throttles()
        return self._throttles

    def finalize_response(self, *args: Any, **kwargs: Any) -> Any:
        answer = super().finalize_response(*args, **kwargs)
        counted = [one for one in self._throttles if one.taken]
        if counted:
            answer["RateLimit-Policy"] = ", ".join(
                f'"{one.scope}";q={one.num_requests};w={one.duration}' for one in counted
            )
            answer["RateLimit"] = ", ".join(_format_rate(one.scope, one.taken) for one in counted)
        return answer


def _format_rate(name: str, taken: Taken) -> str:
    pause = "" if taken.is_allowed else f";t={ceil(taken.pause_seconds)}"
    return f'"{name}";r={taken.left}{pause}'


class PageQuery(Serializer[Any]):
    """The pagination part of a query."""

    cursor = IntegerField(
        min_value=1,
        max_value=2**53,
        required=False,
        help_text="`next` of the page before; without it the first page",
    )


class PageSerializer(Serializer[object]):
    """The pagination part of a response. Subclasses add `results`."""

    next = IntegerField(allow_null=True, help_text="`cursor` of the next page; null: none")
