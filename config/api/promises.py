"""The REST API's promises to programs, one line each: operations, parameters, and fields of the responses.

docs/api-promises.txt lists those of the last release. To write it, run `python -m config.api.promises >
docs/api-promises.txt`.
"""

import os
from collections.abc import Iterator
from typing import Any, Final

Schema = dict[str, Any]

# Old names of fields with the new ones, by schema: kept in this release, gone in the next one (docs/protocol.md).
OLD_NAMES: Final = {
    "Chair": {"status": "state"},
    "OwnTable": {"deadline": "deadline_ms", "due_at": "due_at_ms"},
    "Table": {"status": "state"},
    "OneTable": {"status": "state"},
}


def list_promises(described: Schema) -> list[str]:
    """Return the promises that an OpenAPI document makes, one line each, sorted."""
    schemas = described["components"]["schemas"]
    found = {f"ERROR {line}" for line in _list_fields("", schemas["Problem"], schemas)}
    found |= {f"ERROR answers .code={code}" for code in schemas["ErrorCode"]["enum"]}
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            name = f"{method.upper()} {path}"
            found.add(name)
            found |= {f"{name} {line}" for line in _of_operation(operation, schemas)}
    return sorted(found)


def find_breaks(before: list[str], now: list[str]) -> list[str]:
    """Return the differences that break programs written for `before`."""
    gone = [line for line in set(before) - set(now) if " needs " not in line]
    # Report a removed whole only: an enum value is gone with its parameter, a part with its operation.
    told = [line for line in gone if not any(line.startswith(_begin(whole)) for whole in gone)]
    # A new operation may have any required parameters.
    new = [
        line
        for line in set(now) - set(before)
        if " needs " in line and line.partition(" needs ")[0] in before
    ]
    return sorted([f"no longer: {line}" for line in told] + [f"now: {line}" for line in new])


def _begin(whole: str) -> str:
    return whole.partition(":")[0] + ("=" if ":" in whole else " ")


def _of_operation(operation: Schema, schemas: Schema) -> Iterator[str]:
    for parameter in operation.get("parameters", []):
        yield from _list_input(parameter["name"], parameter["schema"], schemas)
        if parameter.get("required"):
            yield f"needs {parameter['name']}"
    for content in operation.get("requestBody", {}).get("content", {}).values():
        body = _resolve(content["schema"], schemas)
        for name, part in body["properties"].items():
            yield from _list_input(name, part, schemas)
        yield from (f"needs {name}" for name in body.get("required", []))
    for status, answer in operation["responses"].items():
        if status.startswith("2"):
            yield f"answers {status}"
            for content in answer.get("content", {}).values():
                yield from _list_fields("", content["schema"], schemas)


def _list_input(name: str, schema: Schema, schemas: Schema) -> Iterator[str]:
    resolved = _resolve(schema, schemas)
    yield f"takes {name}: {_format_type(resolved, schemas)}"
    yield from (f"takes {name}={value}" for value in resolved.get("enum", []))


def _list_fields(place: str, schema: Schema, schemas: Schema) -> Iterator[str]:
    resolved = _resolve(schema, schemas)
    if place:
        yield f"answers {place}: {_format_type(resolved, schemas)}"
    for part in resolved.get("oneOf", []):
        yield from _fields_within(place, _resolve(part, schemas), schemas)
    yield from _fields_within(place, resolved, schemas)


def _fields_within(place: str, schema: Schema, schemas: Schema) -> Iterator[str]:
    if "items" in schema:
        yield from _list_fields(f"{place}[]", schema["items"], schemas)
    for name, part in schema.get("properties", {}).items():
        is_sure = name in schema.get("required", [])
        yield from _list_fields(f"{place}.{name}" + ("" if is_sure else "?"), part, schemas)


def _format_type(schema: Schema, schemas: Schema) -> str:
    parts = schema.get("oneOf", [])
    if parts:
        return " or ".join(
            sorted({_format_type(_resolve(part, schemas), schemas) for part in parts})
        )
    kinds = schema.get("type", "string" if "enum" in schema else "any")
    return kinds if isinstance(kinds, str) else " or ".join(sorted(kinds))


def _resolve(schema: Schema, schemas: Schema) -> Schema:
    """Follow a reference, including one in `allOf` beside a description."""
    alone: Schema
    [alone] = schema.get("allOf", [schema])
    name = alone.get("$ref", "").rpartition("/")[2]
    found: Schema = schemas[name] if name else alone
    return found


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.local")
    import django  # noqa: PLC0415 - the settings come first

    django.setup()
    from drf_spectacular.generators import SchemaGenerator  # noqa: PLC0415 - as above

    generator: Any = SchemaGenerator  # it has no types
    print("\n".join(list_promises(generator().get_schema(request=None, public=True))))  # noqa: T201


if __name__ == "__main__":
    main()
