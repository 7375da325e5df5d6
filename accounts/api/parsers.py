"""The parser for the bodies of API requests."""

from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from core.values.sent_json import BadJSON, check_json


class BodyParser(JSONParser):
    """Parses JSON. Refuses JSON that is nested too deeply, and strings that the database cannot store.

    Raises ParseError, which answers 400.
    """

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        try:
            data = super().parse(stream, media_type, parser_context)
            check_json(data)
        except RecursionError:
            raise ParseError("This JSON is nested too deeply.") from None
        except BadJSON as error:
            raise ParseError(str(error)) from None
        return data
