"""Problems in the REST API's description: their schema, their codes, and an example of each."""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from typing import Any, Final

from django.utils.translation import override

from accounts.api.base import REFUSALS
from accounts.api_tokens.services import HEADER
from accounts.models import Scope
from accounts.refusals import KEY_MISSING, KEY_USED_OTHERWISE
from core.refusals import DECLARED, AnyRefusal, Refusal

PROBLEM_JSON: Final = "application/problem+json"
# The address in examples that several operations share.
DOCS: Final = "/api/v1/docs/"
PROBLEM: Final = {
    "type": "object",
    "description": "Why a request was not carried out (RFC 9457); nothing has changed.",
    "required": ["type", "title", "status", "detail", "code", "fields"],
    "properties": {
        "type": {"type": "string", "format": "uri-reference", "description": "explains `code`"},
        "title": {"type": "string", "description": "what `code` says, always in English"},
        "status": {"type": "integer", "description": "that of the answer"},
        "detail": {"type": "string", "description": "for people, in their language"},
        "code": {"$ref": "#/components/schemas/ErrorCode"},
        "fields": {"$ref": "#/components/schemas/ProblemFields"},
        "scope": {
            "type": "string",
            "enum": [scope.value for scope in Scope],
            "description": "with `permission_denied`: the right that the token lacks",
        },
        "tables": {
            "type": "array",
            "description": "with `too_many_tables` alone: where the player sits",
            "items": {"$ref": "#/components/schemas/NamedTable"},
        },
    },
}
# These schemas have names because some generators merge an operation's problem with the general one. They would have
# to give each of these parts two names, which they cannot.
_PARTS: Final = {
    "ProblemFields": {
        "type": "object",
        "additionalProperties": {"type": "array", "items": {"type": "string"}},
        "description": "what is wrong with each field; empty but for `invalid`",
    },
    "NamedTable": {
        "type": "object",
        "required": ["id", "name"],
        "properties": {"id": {"type": "integer"}, "name": {"type": "string"}},
    },
}
# What each status of a problem says, and its codes that do not depend on the operation.
_STATUSES: Final = {
    "400": ("The request is malformed.", ("invalid", "parse_error")),
    "401": (
        "The token is missing, unknown, revoked or expired.",
        ("authentication_failed", "not_authenticated"),
    ),
    "403": ("The token may not do that.", ("permission_denied",)),
    "404": ("There is nothing here, or nothing of this player's.", ("not_found",)),
    "406": ("The answer is JSON alone.", ("not_acceptable",)),
    "409": ("Refused; nothing has changed.", ()),
    "415": ("The body is not JSON.", ("unsupported_media_type",)),
    "429": ("Too many requests; `Retry-After` says when to come again.", ("throttled",)),
    "503": (
        "Out of order for a moment. `busy`: nothing was done, ask again.",
        ("busy", "unavailable"),
    ),
}
_OF_EVERY_OPERATION: Final = ("400", "401", "403", "406", "429", "503")
_RETRIED: Final = {"429", "503"}
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
    "origin_not_allowed": "A page of this origin may not open a socket here.",
    "parse_error": "The body is not what it says it is.",
    "permission_denied": "The token may not do that.",
    "throttled": "Too many requests.",
    "unavailable": "The site is out of order for a moment. It is unknown whether this was done; look, then try again.",
    "unsupported_media_type": "The body is not JSON.",
}
# Additional fields of a problem with this code.
_FACTS: Final[dict[str, dict[str, Any]]] = {
    "invalid": {"fields": {"seet": ["There is no such field."]}},
    "permission_denied": {"scope": Scope.MONEY.value},
    "too_many_tables": {"tables": [{"id": 41, "name": "Peepal Room"}]},
}


@cache
def list_error_codes() -> dict[str, str]:
    """Return a mapping from each error's code to its sentence, sorted by code."""
    with override("en"):
        kinds: Iterable[AnyRefusal] = chain(_list_classes(Refusal), DECLARED)
        told = {kind.code: _describe(kind) for kind in kinds}
    return dict(sorted({**OF_REQUESTS, **told}.items()))


def build_components() -> dict[str, dict[str, Any]]:
    """Return those components of the description that the problems of all operations share."""
    told = list_error_codes()
    lines = [
        f"* `{code}`: {sentence}" if sentence else f"* `{code}`" for code, sentence in told.items()
    ]
    codes = {
        "type": "string",
        "enum": list(told),
        "description": "For programs; each operation names its own. What each says to people:\n\n"
        + "\n".join(lines),
    }
    examples = {
        code: _build_example(int(status), code, OF_REQUESTS[code])
        for status, (_meaning, of_status) in _STATUSES.items()
        for code in of_status
    }
    return {
        "schemas": {**_PARTS, "Problem": PROBLEM, "ErrorCode": codes},
        "responses": {
            f"Problem{status}": _describe_problem(status, of_status)
            for status, (_meaning, of_status) in _STATUSES.items()
            if of_status
        },
        "examples": examples,
    }


def add_problems(operation: dict[str, Any], method: str, components: dict[str, Any]) -> None:
    """Add the problems of an operation to its description: its own refusals, and the general errors.

    General errors depend only on the method and on whether the path has parameters.
    """
    own: dict[str, set[str]] = {}
    for kind in _list_refusals(operation):
        with override("en"):
            sentence = _describe(kind)
        components["examples"].setdefault(
            kind.code, _build_example(kind.status, kind.code, sentence)
        )
        own.setdefault(str(kind.status), set()).add(kind.code)
    for status in sorted({*_list_statuses(operation, method), *own}):
        answer = {"$ref": f"#/components/responses/Problem{status}"}
        if status in own:
            codes = sorted({*_STATUSES[status][1], *own[status]})
            name = f"{_camelize(operation['operationId'])}Refusal" if status == "409" else "Problem"
            if status == "409":
                components["schemas"][name] = _narrow(operation["operationId"], codes)
            answer = _describe_problem(status, codes, schema=name)
        operation["responses"][status] = answer


def list_codes(operation: dict[str, Any], components: dict[str, Any]) -> dict[str, set[str]]:
    """Return the error codes that the description lists for an operation, by HTTP status."""
    found = {}
    for status, answer in operation["responses"].items():
        name = answer.get("$ref", "").rpartition("/")[2]
        described = components["responses"][name] if name else answer
        content = described.get("content", {})
        if PROBLEM_JSON in content:
            found[status] = set(content[PROBLEM_JSON]["examples"])
    return found


def _list_refusals(operation: dict[str, Any]) -> list[AnyRefusal]:
    """Remove the refusals from the operation's description and return them.

    If the operation takes an idempotency key, the result also has the refusals for a missing or wrong key.
    """
    kinds = [*operation.pop(REFUSALS, ())]
    if any(parameter["name"] == HEADER for parameter in operation.get("parameters", [])):
        kinds += [KEY_MISSING, KEY_USED_OTHERWISE]
    return kinds


def _list_statuses(operation: dict[str, Any], method: str) -> Iterator[str]:
    yield from _OF_EVERY_OPERATION
    if any(parameter["in"] == "path" for parameter in operation.get("parameters", [])):
        yield "404"
    if method != "get":
        yield "415"


def _narrow(operation_id: str, codes: Iterable[str]) -> dict[str, Any]:
    return {
        "description": f"Why `{operation_id}` was refused.",
        "allOf": [{"$ref": "#/components/schemas/Problem"}],
        "type": "object",
        "required": ["code"],
        "properties": {"code": {"type": "string", "enum": [*codes]}},
    }


def _describe_problem(
    status: str, codes: Iterable[str], *, schema: str = "Problem"
) -> dict[str, Any]:
    headers = ["RateLimit-Policy", "RateLimit"]
    return {
        "description": _STATUSES[status][0],
        "headers": describe_headers(*headers, *(["Retry-After"] if status in _RETRIED else [])),
        "content": {
            PROBLEM_JSON: {
                "schema": {"$ref": f"#/components/schemas/{schema}"},
                "examples": {code: {"$ref": f"#/components/examples/{code}"} for code in codes},
            }
        },
    }


def describe_headers(*names: str) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _build_example(status: int, code: str, sentence: str) -> dict[str, Any]:
    problem = {
        "type": f"{DOCS}#{code}",
        "title": list_error_codes()[code],
        "status": status,
        "detail": sentence,
        "code": code,
        "fields": {},
        **_FACTS.get(code, {}),
    }
    return {"summary": list_error_codes()[code], "value": problem}


def _camelize(operation_id: str) -> str:
    return "".join(word.capitalize() for word in operation_id.split("_"))


def _list_classes(refusal: type[Refusal]) -> Iterator[type[Refusal]]:
    for kind in refusal.__subclasses__():
        if kind.__module__.partition(".")[0] in _OWN_PACKAGES:
            yield kind
            yield from _list_classes(kind)


def _describe(kind: AnyRefusal) -> str:
    # Some refusals have current figures in their sentence; the first line of their docstring describes them.
    sentence = vars(kind).get("message")
    return str(sentence or (kind.__doc__ or "").strip().partition("\n")[0])
