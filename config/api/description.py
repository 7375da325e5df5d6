"""Parts of the REST API's description that all operations share."""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from django.http import HttpRequest
from django.utils.translation import override

from accounts.models import Scope
from core.refusals import Refusal
from core.site.content import get_default_site, site
from core.values.numbers import LARGEST_ID

PROBLEM_JSON: Final = "application/problem+json"
_PROBLEM = {
    "type": "object",
    "description": "Why a request was not carried out (RFC 9457); nothing has changed.",
    "required": ["type", "title", "status", "detail", "code", "fields"],
    "properties": {
        "type": {"type": "string", "format": "uri-reference", "description": "explains `code`"},
        "title": {"type": "string", "description": "what `code` says, always in English"},
        "status": {"type": "integer", "description": "that of the answer"},
        "detail": {"type": "string", "description": "for people, in their language"},
        "code": {"$ref": "#/components/schemas/ErrorCode"},
        "fields": {
            "type": "object",
            "additionalProperties": {"type": "array", "items": {"type": "string"}},
            "description": "what is wrong with each field; empty but for `invalid`",
        },
        "scope": {
            "type": "string",
            "enum": [scope.value for scope in Scope],
            "description": "with `permission_denied`: the right that the token lacks",
        },
        "tables": {
            "type": "array",
            "description": "with `too_many_tables` alone: where the player sits",
            "items": {
                "type": "object",
                "required": ["id", "name"],
                "properties": {"id": {"type": "integer"}, "name": {"type": "string"}},
            },
        },
    },
}
_ALWAYS = {
    "400": "The request is malformed.",
    "401": "The token is missing, unknown, revoked or expired.",
    "403": "The token may not do that.",
    "404": "There is nothing here, or nothing of this player's.",
    "429": "Too many requests; `Retry-After` says when to come again.",
    "503": "`busy`: somebody else changes this right now; nothing was done, ask again.",
}
_HEADERS = {
    "RateLimit-Policy": {
        "schema": {"type": "string"},
        "description": "Each limit by its name: `q` requests within any `w` seconds.",
        "example": '"user";q=600;w=60',
    },
    "RateLimit": {
        "schema": {"type": "string"},
        "description": "`r` requests are left of each limit. With 429 there is room in `t` seconds.",
        "example": '"user";r=599',
    },
    "Retry-After": {"schema": {"type": "integer"}, "description": "Come again in so many seconds."},
}
_RATES = ("RateLimit-Policy", "RateLimit")
# By the name of the schema.
_EXAMPLES: Final = json.loads(Path(__file__).with_name("examples.json").read_text())
_END_OF_SENTENCE = re.compile(r"[.;:]")
_OF_ACTS = {"409": "Refused.", "415": "The body is not JSON."}


def complete(
    result: dict[str, Any], *, request: HttpRequest | None = None, **_rest: Any
) -> dict[str, Any]:
    """Complete the OpenAPI document: common errors, bounds of ids, and a summary line for each operation.

    A hook of drf-spectacular. Without a request (`manage.py check`) it does not ask the database for the
    site's name: the database may be empty.
    """
    result["info"]["title"] = (get_default_site() if request is None else site()).name
    components = result["components"]
    components["schemas"] |= {"Problem": _PROBLEM, "ErrorCode": _list_codes()}
    components["headers"] = _HEADERS
    components["responses"] = {
        _name_problem(status): _describe_problem(status, meaning)
        for status, meaning in (_ALWAYS | _OF_ACTS).items()
    }
    for operations in result["paths"].values():
        for method, operation in operations.items():
            operation["summary"] = _END_OF_SENTENCE.split(operation["description"])[0]
            errors = _ALWAYS if method == "get" else _ALWAYS | _OF_ACTS
            for answer in operation["responses"].values():
                answer["headers"] = _describe_headers(*_RATES)
                _show_example(answer)
            _show_example(operation.get("requestBody", {}))
            for status in errors:
                answer = {"$ref": f"#/components/responses/{_name_problem(status)}"}
                operation["responses"].setdefault(status, answer)
            for parameter in operation.get("parameters", []):
                if parameter["in"] == "path":
                    parameter["schema"] |= {"minimum": 0, "maximum": LARGEST_ID}
    return result


def _list_codes() -> dict[str, Any]:
    told = list_error_codes()
    lines = [
        f"* `{code}`: {sentence}" if sentence else f"* `{code}`" for code, sentence in told.items()
    ]
    return {
        "type": "string",
        "enum": list(told),
        "description": "For programs. What each says to people:\n\n" + "\n".join(lines),
    }


def _name_problem(status: str) -> str:
    return f"Problem{status}"


def _describe_problem(status: str, meaning: str) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Problem"}
    retry = ["Retry-After"] if status in {"429", "503"} else []
    return {
        "description": meaning,
        "headers": _describe_headers(*_RATES, *retry),
        "content": {PROBLEM_JSON: {"schema": schema, "example": _EXAMPLES["Problem"]}},
    }


def _show_example(part: dict[str, Any]) -> None:
    for content in part.get("content", {}).values():
        name = content["schema"].get("$ref", "").rpartition("/")[2]
        if name in _EXAMPLES:
            content["example"] = _EXAMPLES[name]


def _describe_headers(*names: str) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


_OWN_PACKAGES: Final = (
    "accounts",
    "config",
    "core",
    "history",
    "lobby",
    "players",
    "tables",
    "tournaments",
    "wallet",
)
# Responses that any request may get.
OF_REQUESTS: Final = {
    "authentication_failed": "The token is unknown, revoked or expired.",
    "busy": "Somebody else changes this right now. Nothing was done; try again.",
    "error": "Something is wrong with the request.",
    "invalid": "Some fields are wrong; `fields` says which.",
    "method_not_allowed": "There is such an address, but not for this method.",
    "not_acceptable": "The answer is JSON alone.",
    "not_authenticated": "A token is needed.",
    "not_found": "There is nothing here.",
    "parse_error": "The body is not what it says it is.",
    "permission_denied": "The token may not do that.",
    "throttled": "Too many requests.",
    "unavailable": "The site is out of order for a moment. It is unknown whether this was done; look, then try again.",
    "unsupported_media_type": "The body is not JSON.",
}


@cache
def list_error_codes() -> dict[str, str]:
    """Return the errors by code, in alphabetical order."""
    with override("en"):
        told = {kind.code: str(_get_message(kind)) for kind in _list_kinds(Refusal)}
    return dict(sorted({**OF_REQUESTS, **told}.items()))


def _list_kinds(refusal: Any) -> Iterator[Any]:
    for kind in refusal.__subclasses__():
        if kind.__module__.partition(".")[0] in _OWN_PACKAGES:
            if "code" in vars(kind):
                yield kind
            yield from _list_kinds(kind)


def _get_message(kind: Any) -> object:
    # Some refusals carry current figures in their sentence; the first line of their docstring describes
    # them.
    spoken = vars(kind).get("message")
    return spoken or (kind.__doc__ or "").strip().partition("\n")[0]
