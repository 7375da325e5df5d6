"""The page that lists the REST API's operations, generated from its description, and Swagger UI."""

from dataclasses import dataclass
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

from config.api.problems import OF_REQUESTS, list_codes, list_error_codes


@dataclass(frozen=True, slots=True)
class _Operation:
    method: str
    path: str
    text: str
    parameters: tuple[str, ...]
    body: tuple[str, ...]
    # The codes of the operation's own errors, besides those that any request may get.
    codes: tuple[str, ...]


@require_safe
def api_docs(request: HttpRequest) -> HttpResponse:
    return render(
        request, "pages/api.html", {"operations": _list_operations(), "errors": list_error_codes()}
    )


@require_safe
def swagger(request: HttpRequest) -> HttpResponse:
    """Show Swagger UI, which sends requests from the page with the session or a token."""
    return render(request, "pages/swagger.html")


@cache
def _list_operations() -> list[_Operation]:
    generator: Any = SchemaGenerator  # it has no types
    schema = generator().get_schema(request=None, public=True)
    return [
        _Operation(
            method=method.upper(),
            path=path,
            text=operation.get("description", ""),
            parameters=tuple(
                parameter["name"]
                for parameter in operation.get("parameters", [])
                if parameter["in"] != "path"
            ),
            body=_list_fields(schema, operation),
            codes=_list_own_codes(schema, operation),
        )
        for path, operations in schema["paths"].items()
        for method, operation in operations.items()
    ]


def _list_own_codes(schema: Any, operation: Any) -> tuple[str, ...]:
    codes = list_codes(operation, schema["components"]).values()
    return tuple(sorted({code for of_status in codes for code in of_status} - OF_REQUESTS.keys()))


def _list_fields(schema: Any, operation: Any) -> tuple[str, ...]:
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if content is None:
        return ()
    name = content["schema"]["$ref"].rpartition("/")[2]
    return tuple(schema["components"]["schemas"][name]["properties"])
