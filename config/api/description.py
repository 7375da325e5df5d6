"""The REST API's OpenAPI description: its shared parts, its examples, and one name for each set of values."""

import json
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest

from config.api.deal_schemas import build_record_schema
from config.api.problems import add_problems, build_components, describe_headers
from config.api.promises import OLD_NAMES
from core.site.content import get_default_site, site
from core.values.numbers import LARGEST_ID

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
# By the name of the schema.
EXAMPLES: Final = json.loads(Path(__file__).with_name("examples.json").read_text())
_END_OF_SENTENCE = re.compile(r"[.;:](?=\s|$)")


def complete(
    result: dict[str, Any], *, request: HttpRequest | None = None, **_rest: Any
) -> dict[str, Any]:
    """Complete the OpenAPI document: add problems, examples, summaries and bounds of ids, and share sets of values.

    A hook of drf-spectacular. Without a request (`manage.py check`) it does not ask the database for the site's
    name, because the database may be empty.
    """
    name = (get_default_site() if request is None else site()).name
    result["info"] |= {"title": name, "version": read_version()}
    result["servers"] = [{"url": _find_address(request)}]
    components = result["components"]
    for part, found in build_components().items():
        components.setdefault(part, {}).update(found)
    components["headers"] = _HEADERS
    components["schemas"]["DealRecord"] = build_record_schema()
    for method, operation in _list_operations(result["paths"]):
        for answer in operation["responses"].values():
            answer["headers"] = describe_headers("RateLimit-Policy", "RateLimit")
        _describe(operation)
        add_problems(operation, method, components)
        for parameter in operation.get("parameters", []):
            if parameter["in"] == "path":
                parameter["schema"] |= {"minimum": 0, "maximum": LARGEST_ID}
            _share_values(operation, parameter, components["schemas"])
        _describe_defaults(operation, components["schemas"])
    _share_values_of_fields(components["schemas"])
    _mark_old_names(components["schemas"])
    for _method, operation in _list_operations(result.get("webhooks", {})):
        _describe(operation)
    for part in ("schemas", "responses", "examples"):
        components[part] = dict(sorted(components[part].items()))
    return result


@cache
def read_version() -> str:
    """Return the number of the release that the site runs."""
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text())
    return str(project["project"]["version"])


def _find_address(request: HttpRequest | None) -> str:
    """Return the address at which the description was requested, so that its readers call the same server."""
    asked_at = settings.SITE_URL if request is None else request.build_absolute_uri("/")
    return str(asked_at).rstrip("/")


def _list_operations(paths: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for operations in paths.values():
        yield from operations.items()


def _describe(operation: dict[str, Any]) -> None:
    """Give an operation its summary, and examples of its request and responses."""
    operation["summary"] = _END_OF_SENTENCE.split(operation["description"])[0]
    for part in (operation.get("requestBody", {}), *operation["responses"].values()):
        for content in part.get("content", {}).values():
            name = content["schema"].get("$ref", "").rpartition("/")[2]
            if name in EXAMPLES:
                content["example"] = EXAMPLES[name]


def _share_values(
    operation: dict[str, Any], parameter: dict[str, Any], schemas: dict[str, Any]
) -> None:
    """Move a parameter's set of values to a named schema, to which fields can refer as well."""
    values = parameter["schema"].pop("enum", None)
    if values is None:
        return
    name = _name_values(operation, parameter["name"], values, schemas)
    schemas.setdefault(name, {"type": parameter["schema"].pop("type"), "enum": values})
    for implied in ("type", "minLength"):
        parameter["schema"].pop(implied, None)
    shared = {"$ref": f"#/components/schemas/{name}"}
    more = parameter["schema"]
    parameter["schema"] = {"allOf": [shared], **more} if more else shared


def _share_values_of_fields(schemas: dict[str, Any]) -> None:
    """Let a field refer to the named schema with the same set of values, where drf-spectacular does not do so."""
    named = {
        tuple(schema["enum"]): {"$ref": f"#/components/schemas/{name}"}
        for name, schema in schemas.items()
        if "enum" in schema
    }
    for schema in schemas.values():
        fields = schema.get("properties", {})
        for name, field in fields.items():
            if shared := named.get(tuple(field.get("enum", ()))):
                said = field.get("description")
                fields[name] = {"allOf": [shared], "description": said} if said else shared


def _mark_old_names(schemas: dict[str, Any]) -> None:
    for name, old_names in OLD_NAMES.items():
        fields = schemas[name]["properties"]
        for old, new in old_names.items():
            field = {"allOf": [fields[old]]} if "$ref" in fields[old] else fields[old]
            said = f"an old name, gone in the next release: use `{new}`"
            fields[old] = {**field, "deprecated": True, "description": said}


def _name_values(
    operation: dict[str, Any], parameter: str, values: list[Any], schemas: dict[str, Any]
) -> str:
    for name, schema in schemas.items():
        if schema.get("enum") == values:
            return name
    short = f"{parameter.capitalize()}Enum"
    return f"{operation['operationId'].capitalize()}{short}" if short in schemas else short


def _describe_defaults(operation: dict[str, Any], schemas: dict[str, Any]) -> None:
    """Replace the `default` of body fields by a sentence in their descriptions.

    Some generators conclude from a `default` that the field is always there, and make callers send it.
    """
    for content in operation.get("requestBody", {}).get("content", {}).values():
        sent = schemas[content["schema"]["$ref"].rpartition("/")[2]]
        for field in sent["properties"].values():
            if "default" in field:
                without = f"without it `{json.dumps(field.pop('default'))}`"
                said = field.get("description", "")
                field["description"] = f"{said}; {without}" if said else without
