"""The base class of all refusals, which views, the API and sockets catch."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

# Every kind that a module of the site has declared.
DECLARED: Final[list["RefusalKind"]] = []


@dataclass(frozen=True)
class RefusalKind:
    """A reason for refusing a request.

    `code` is for programs, `message` for people, `status` is the status of the API's response. Declare each kind
    once in the app's `refusals`, and raise `Refusal(KIND)`.
    """

    code: str
    message: str | Promise
    status: int = 409

    def __post_init__(self) -> None:
        DECLARED.append(self)


class Refusal(Exception):  # noqa: N818 - an expected answer, not an error
    """A request was refused. Nothing has changed, unless the raising function says otherwise.

    `code` is for programs, `message` (also `str()`) is the sentence for people in the reader's language, `status`
    is the HTTP status of the API's response, and `detail` is only for the log. Make a subclass if a caller has to
    catch the refusal separately, or if the refusal has data of its own.
    """

    code = "refused"
    message: str | Promise = _("This cannot be done.")
    status = 409

    def __init__(
        self,
        kind: RefusalKind | None = None,
        *,
        code: str = "",
        message: str | Promise = "",
        detail: str = "",
    ) -> None:
        self.kind = kind
        if kind is not None:
            self.code, self.message, self.status = kind.code, kind.message, kind.status
        self.code = code or self.code
        self.message = message or self.message
        super().__init__(detail or self.code)

    def __str__(self) -> str:
        return str(self.message)

    def data(self) -> Mapping[str, Any]:
        """Return the data that the API adds to the code and the message."""
        return {}


# A reason for which an operation may be refused: a kind, or a subclass of Refusal with data of its own.
AnyRefusal: TypeAlias = RefusalKind | type[Refusal]


SWITCHED_OFF: Final = RefusalKind(
    "switched_off",
    _("This part of the site is switched off at the moment. Come back a little later."),
)
