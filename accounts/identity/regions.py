from datetime import date

from django.db import transaction
from django.utils.translation import get_language

from accounts.identity.rules import age_on
from accounts.models import IdentityCheck, Residence, User
from accounts.refusals import RegionIsStated
from core.models import Region
from core.site.content import site_has_changed


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


# The states and union territories of India. What their laws say of cash is the operator's to write down:
# it changes, and courts have a say in it.
INDIA = (
    ("IN-AN", "Andaman and Nicobar Islands"),
    ("IN-AP", "Andhra Pradesh"),
    ("IN-AR", "Arunachal Pradesh"),
    ("IN-AS", "Assam"),
    ("IN-BR", "Bihar"),
    ("IN-CH", "Chandigarh"),
    ("IN-CG", "Chhattisgarh"),
    ("IN-DH", "Dadra and Nagar Haveli and Daman and Diu"),
    ("IN-DL", "Delhi"),
    ("IN-GA", "Goa"),
    ("IN-GJ", "Gujarat"),
    ("IN-HR", "Haryana"),
    ("IN-HP", "Himachal Pradesh"),
    ("IN-JK", "Jammu and Kashmir"),
    ("IN-JH", "Jharkhand"),
    ("IN-KA", "Karnataka"),
    ("IN-KL", "Kerala"),
    ("IN-LA", "Ladakh"),
    ("IN-LD", "Lakshadweep"),
    ("IN-MP", "Madhya Pradesh"),
    ("IN-MH", "Maharashtra"),
    ("IN-MN", "Manipur"),
    ("IN-ML", "Meghalaya"),
    ("IN-MZ", "Mizoram"),
    ("IN-NL", "Nagaland"),
    ("IN-OD", "Odisha"),
    ("IN-PY", "Puducherry"),
    ("IN-PB", "Punjab"),
    ("IN-RJ", "Rajasthan"),
    ("IN-SK", "Sikkim"),
    ("IN-TN", "Tamil Nadu"),
    ("IN-TS", "Telangana"),
    ("IN-TR", "Tripura"),
    ("IN-UP", "Uttar Pradesh"),
    ("IN-UK", "Uttarakhand"),
    ("IN-WB", "West Bengal"),
)


@transaction.atomic
def state_region(*, user_id: int, region_id: int) -> Residence:
    """The player's own word, once: staff change it. Raises RegionIsStated."""
    User.objects.select_for_update(no_key=True).only("pk").get(pk=user_id)
    if Residence.objects.filter(user_id=user_id).exists():
        raise RegionIsStated
    return Residence.objects.create(user_id=user_id, region_id=region_id)


@transaction.atomic
def add_regions_of_india() -> int:
    """Those that are not there yet, with cash allowed; how many."""
    known = set(Region.objects.values_list("code", flat=True))
    new = [Region(code=code, name=name) for code, name in INDIA if code not in known]
    Region.objects.bulk_create(new)
    site_has_changed()
    return len(new)
