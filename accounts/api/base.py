"""The base of the API's views and of its paginated responses."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, Final

from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.serializers import IntegerField, Serializer
from rest_framework.views import APIView

from core.refusals import AnyRefusal
from core.throttling import Taken

# The extension of an operation's description that config/api/problems.py turns into its problems.
REFUSALS: Final = "x-refusals"


def refuses(*kinds: AnyRefusal) -> dict[str, Any]:
    """Declare that an operation may answer with these refusals. Return the `extensions` for its description.

    The refusals that every operation may answer with need not be listed.
    """
    return {REFUSALS: kinds}


@dataclass(frozen=True, slots=True)
class _Input:
    """The parameters and body fields that an operation accepts, according to its description."""

    parameters: Collection[str]
    fields: Collection[str]


class ApiView(APIView):
    """A view that accepts only the parameters and fields in its description, and reports rate limits.

    Its rate limit headers follow the IETF draft (draft-ietf-httpapi-ratelimit-headers).
    """

    _throttles: Sequence[Any] = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse unknown parameters and fields, so that a program learns of a misspelled name."""
        super().initial(request, *args, **kwargs)
        method = "get" if request.method == "HEAD" else str(request.method).lower()
        known = _describe_input(self, method)
        if known is None:
            return
        unknown = {
            name: ["There is no such parameter."]
            for name in request.query_params
            if name not in known.parameters
        }
        if method != "get" and isinstance(request.data, Mapping):
            unknown |= {
                name: ["There is no such field."]
                for name in request.data
                if name not in known.fields
            }
        if unknown:
            raise ValidationError(unknown)

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


def _describe_input(view: Any, method: str) -> _Input | None:
    """Return the query parameters and body fields of an operation, or None if the operation has no description."""
    described = getattr(getattr(view, method, None), "kwargs", {})
    if "schema" not in described:
        return None
    schema = described["schema"]()
    schema.view, schema.method = view, method.upper()
    body = schema.get_request_serializer() if method != "get" else None
    return _Input(
        frozenset(_list_parameters(schema.get_override_parameters())),
        frozenset() if body is None else frozenset(body().fields),
    )


def _list_parameters(described: Sequence[Any]) -> Iterator[str]:
    for one in described:
        if isinstance(one, OpenApiParameter):
            if one.location == OpenApiParameter.QUERY:
                yield one.name
        else:
            yield from one().fields


class PageQuery(Serializer[Any]):
    """The query parameters for pagination."""

    cursor = IntegerField(
        min_value=1,
        max_value=2**53,
        required=False,
        help_text="`next` of the page before; without it the first page",
    )


class PageSerializer(Serializer[object]):
    # Subclasses add `results`, and a docstring here would stand in their description.
    next = IntegerField(allow_null=True, help_text="`cursor` of the next page; null: none")
