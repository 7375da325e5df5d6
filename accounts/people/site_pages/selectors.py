"""Reading the pages that bind, and who has accepted them."""

from django.db.models import Max, QuerySet
from django.utils.translation import get_language

from accounts.models.statements import PageAcceptance
from core.models.site import PageKind, PageVersion


def versions_of(kind: str) -> QuerySet[PageVersion]:
    """The published ones, the newest first."""
    published = PageVersion.objects.filter(kind=kind, published_at__isnull=False)
    return published.order_by("-number")


def text_of(version: PageVersion) -> str:
    """In the reader's language where it is written in it."""
    in_hindi = get_language() == "hi" and version.text_hi
    return version.text_hi if in_hindi else version.text


def accepted_terms(user_id: int) -> int:
    """The newest version of the terms that the player has accepted; 0: none."""
    accepted = PageAcceptance.objects.filter(user_id=user_id, version__kind=PageKind.TERMS)
    return accepted.aggregate(newest=Max("version__number"))["newest"] or 0
