"""JSON from others: its depth is limited, and its strings must be storable."""

import json
from collections.abc import Iterator
from typing import Any, Final

# No request nests this deep. Python's own limit depends on the stack below it, so a body that can be read
# could still fail later, where it is written or compared.
MOST_LEVELS: Final = 32


class BadJSON(ValueError):  # noqa: N818 - says what it is
    """The JSON cannot be accepted. The message says why."""


def read_json(body: bytes | str) -> Any:
    """Parse JSON and return its value. Raises BadJSON."""
    try:
        data = json.loads(body)
    except ValueError:
        raise BadJSON("This is no JSON.") from None
    except RecursionError:
        raise BadJSON("This JSON is nested too deeply.") from None
    check_json(data)
    return data


def check_json(data: Any) -> None:
    """Check parsed JSON. Raises BadJSON if a value is nested too deeply, or a string in it cannot be stored."""
    level: list[Any] = [data]
    for _depth in range(MOST_LEVELS):
        if any(isinstance(text, str) and not _is_storable(text) for text in level):
            raise BadJSON("A text holds what is no character.")
        level = [part for value in level for part in _list_parts(value)]
        if not level:
            return
    raise BadJSON("This JSON is nested too deeply.")


def _list_parts(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield from value
        yield from value.values()
    elif isinstance(value, list):
        yield from value


def _is_storable(text: str) -> bool:
    """Return whether the string has no NUL and no lone surrogate, both of which JSON can escape."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text
