"""What the description of the REST API says of every operation alike."""

import re
from typing import Any

from django.http import HttpRequest

from config.api.error_codes import error_codes
from core.site.content import default_site, site
from tables.play.lock import LARGEST_ID

_ERROR = {
    "type": "object",
    "description": "Why a request was not carried out; nothing has changed.",
    "required": ["code", "message", "fields"],
    "properties": {
        "code": {"$ref": "#/components/schemas/ErrorCode"},
        "message": {"type": "string", "description": "for people"},
        "fields": {
            "type": "object",
            "additionalProperties": {"type": "array", "items": {"type": "string"}},
            "description": "what is wrong with each field; empty but for `invalid`",
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
_END_OF_SENTENCE = re.compile(r"[.;:]")
_OF_ACTS = {"409": "Refused.", "415": "The body is not JSON."}


def complete(
    result: dict[str, Any], *, request: HttpRequest | None = None, **_rest: Any
) -> dict[str, Any]:
    """A hook of drf-spectacular: the errors that any operation may answer, bounds of ids, and
    a line about each operation for lists. Without a request (`manage.py check`) the database is not
    asked for the site's name: it may be empty."""
    result["info"]["title"] = (default_site() if request is None else site()).name
    result["components"]["schemas"] |= {"Error": _ERROR, "ErrorCode": _codes()}
    for operations in result["paths"].values():
        for method, operation in operations.items():
            operation["summary"] = _END_OF_SENTENCE.split(operation["description"])[0]
            errors = _ALWAYS if method == "get" else _ALWAYS | _OF_ACTS
            for status, meaning in errors.items():
                operation["responses"].setdefault(status, _answer(meaning))
            for parameter in operation.get("parameters", []):
                if parameter["in"] == "path":
                    parameter["schema"] |= {"minimum": 0, "maximum": LARGEST_ID}
    return result


def _codes() -> dict[str, Any]:
    told = error_codes()
    lines = [
        f"* `{code}`: {sentence}" if sentence else f"* `{code}`" for code, sentence in told.items()
    ]
    return {
        "type": "string",
        "enum": list(told),
        "description": "For programs. What each says to people:\n\n" + "\n".join(lines),
    }


def _answer(meaning: str) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Error"}
    return {"description": meaning, "content": {"application/json": {"schema": schema}}}
