from datetime import date

from django.utils.translation import get_language

from accounts.identity.rules import age_on
from accounts.models import IdentityCheck, Residence
from core.models import Region


def region_of(user_id: int) -> Region | None:
    """Return the player's region as last stated."""
    stated = Residence.objects.filter(user_id=user_id).select_related("region")
    newest = stated.order_by("-stated_at", "-pk").first()
    return None if newest is None else newest.region


def proven_age(user_id: int, *, today: date) -> int | None:
    """In whole years, by an approved identity; None without one."""
    approved = IdentityCheck.objects.filter(user_id=user_id, state=IdentityCheck.State.APPROVED)
    born_on = approved.values_list("born_on", flat=True).first()
    return None if born_on is None else age_on(today, born_on=born_on)


def region_choices() -> list[tuple[int, str]]:
    """Number and name in the reader's language."""
    in_hindi = get_language() == "hi"
    rows = Region.objects.values_list("pk", "name", "name_hi")
    names = [(pk, name_hi if in_hindi and name_hi else name) for pk, name, name_hi in rows]
    return sorted(names, key=lambda row: row[1])
