"""Reading the bodies of API requests."""

from collections.abc import Iterator, Mapping
from typing import IO, Any, Final

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

# No request nests this deep. Python's own limit depends on the stack below it, so a body that can be read
# could still fail later, where it is written or compared.
MOST_LEVELS: Final = 32


class BodyParser(JSONParser):
    """JSON of bounded depth whose texts can be stored. Raises ParseError, which answers 400."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        try:
            data = super().parse(stream, media_type, parser_context)
        except RecursionError:
            raise ParseError("This JSON is nested too deeply.") from None
        level: list[Any] = [data]
        for _depth in range(MOST_LEVELS):
            for text in level:
                if isinstance(text, str) and not _is_storable(text):
                    raise ParseError("A text holds what is no character.")
            level = [part for value in level for part in _list_parts(value)]
            if not level:
                return data
        raise ParseError("This JSON is nested too deeply.")


def _list_parts(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield from value
        yield from value.values()
    elif isinstance(value, list):
        yield from value


def _is_storable(text: str) -> bool:
    """Return whether this has no NUL and no lone surrogate, both of which JSON can escape."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text
