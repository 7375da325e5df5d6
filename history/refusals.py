"""Refusals of requests about past deals and of requests to the staff."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from core.refusals import RefusalKind

NOTHING_WRITTEN: Final = RefusalKind(
    "nothing_written", _("Write what it is about, in at most 2,000 characters.")
)
TOO_MANY_CASES: Final = RefusalKind(
    "too_many_cases", _("You have written a lot already; wait for our answers or write tomorrow.")
)
CASE_IS_CLOSED: Final = RefusalKind("case_is_closed", _("This request is closed; write a new one."))
NO_SUCH_DEAL: Final = RefusalKind(
    "no_such_deal", _("This deal is not over yet, or you were not in it.")
)
