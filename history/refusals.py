"""Refusals about requests to the staff and past deals."""

from django.utils.translation import gettext_lazy as _

from core.refusals import Refusal


class NothingWritten(Refusal):
    code = "nothing_written"
    message = _("Write what it is about, in at most 2,000 characters.")


class TooManyCases(Refusal):
    code = "too_many_cases"
    message = _("You have written a lot already; wait for our answers or write tomorrow.")


class CaseIsClosed(Refusal):
    code = "case_is_closed"
    message = _("This request is closed; write a new one.")


class NoSuchDeal(Refusal):
    code = "no_such_deal"
    message = _("This deal is not over yet, or you were not in it.")
