"""Every code that an answer of the API may carry as an error, with what it says to people."""

from collections.abc import Iterator
from typing import Any, Final

from django.utils.translation import override

from accounts.refusals import AccountRefusal
from tables.refusals import Refusal as TableRefusal
from tournaments.refusals import Refusal as TournamentRefusal
from wallet.refusals import WalletRefusal

_REFUSALS: Final = (AccountRefusal, TableRefusal, TournamentRefusal, WalletRefusal)
_OWN_PACKAGES: Final = ("accounts", "config", "core", "tables", "tournaments", "wallet")
# Of any request, whatever it asks for.
OF_REQUESTS: Final = {
    "authentication_failed": "The token is unknown, revoked or expired.",
    "busy": "Somebody else changes this right now. Nothing was done; try again.",
    "error": "Something is wrong with the request.",
    "invalid": "Some fields are wrong; `fields` says which.",
    "method_not_allowed": "There is such an address, but not for this method.",
    "not_acceptable": "The answer is JSON alone.",
    "not_authenticated": "A token is needed.",
    "not_found": "There is nothing here.",
    "parse_error": "The body is not what it says it is.",
    "permission_denied": "The token may not do that.",
    "throttled": "Too many requests.",
    "unsupported_media_type": "The body is not JSON.",
}


def error_codes() -> dict[str, str]:
    """By code, in order of the alphabet."""
    with override("en"):
        told = {kind.code: str(_sentence_of(kind)) for one in _REFUSALS for kind in _kinds_of(one)}
    return dict(sorted({**OF_REQUESTS, **told}.items()))


def _kinds_of(refusal: Any) -> Iterator[Any]:
    for kind in refusal.__subclasses__():
        if kind.__module__.partition(".")[0] in _OWN_PACKAGES:
            if "code" in vars(kind):
                yield kind
            yield from _kinds_of(kind)


def _sentence_of(kind: Any) -> object:
    # Some say it with figures of the moment; their first line tells when.
    spoken = vars(kind).get("sentence") or vars(kind).get("message")
    return spoken or (kind.__doc__ or "").strip().partition("\n")[0]
