"""Reading players' requests to the staff."""

from django.db.models import QuerySet

from tables.models import SupportCase, SupportMessage

CASES_SHOWN = 50


def cases_of(user_id: int) -> list[SupportCase]:
    """This player's newest cases, newest first, with their deals; without the evidence."""
    cases = SupportCase.objects.filter(user_id=user_id).defer("evidence").select_related("deal")
    return list(cases.order_by("-pk")[:CASES_SHOWN])


def case_of(user_id: int, *, case_id: int) -> SupportCase | None:
    """None if it is not this player's, or if there is none; without the evidence."""
    cases = SupportCase.objects.select_related("deal").defer("evidence")
    return cases.filter(pk=case_id, user_id=user_id).first()


def messages_of(case: SupportCase) -> QuerySet[SupportMessage]:
    """What player and staff wrote, oldest first."""
    return case.messages.order_by("pk")
