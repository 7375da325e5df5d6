"""The base of every app's refusals, by which views, the API and sockets catch them."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Refusal(Exception):  # noqa: N818 - an expected answer, not an error
    """What was asked for was not done, and nothing has changed unless the raising function says otherwise.

    `code` is for programs, `message` (also `str()`) the sentence for people in the reader's language, `status` the
    HTTP status of the API's answer, `detail` for the log alone.
    """

    code = "refused"
    message: str | Promise = _("This cannot be done.")
    status = 409

    def __init__(self, message: str | Promise = "", *, code: str = "", detail: str = "") -> None:
        self.message = message or self.message
        self.code = code or self.code
        super().__init__(detail or self.code)

    def __str__(self) -> str:
        return str(self.message)

    def data(self) -> Mapping[str, Any]:
        """Return the facts that the API adds to code and message."""
        return {}


class SwitchedOff(Refusal):
    code = "switched_off"
    message = _("This is switched off at the moment. Come back a little later.")
