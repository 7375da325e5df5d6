"""Reading about people."""

from django.conf import settings
from django.db.models import Exists, OuterRef, QuerySet

from accounts.models import IdentityCheck


def identity_is_asked_for() -> bool:
    """Only where cash is played for: elsewhere nobody's documents are of any use."""
    return bool(settings.CASH_PLAY != "off")


def latest_identity_check(user_id: int) -> IdentityCheck | None:
    return IdentityCheck.objects.filter(user_id=user_id).order_by("-submitted_at", "-pk").first()


def identity_is_approved(user_id: int) -> bool:
    return _approved().filter(user_id=user_id).exists()


def identity_approved(column: str) -> Exists:
    """The same as a condition of a query, whose `column` has the user's id."""
    return Exists(_approved().filter(user_id=OuterRef(column)))


def _approved() -> QuerySet[IdentityCheck]:
    return IdentityCheck.objects.filter(state=IdentityCheck.State.APPROVED)
