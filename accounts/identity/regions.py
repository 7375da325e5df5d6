from datetime import date

from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from accounts.identity.rules import age_on
from accounts.models import IdentityCheck, Residence, User
from accounts.refusals import REGION_IS_STATED
from core.database.translated_texts import choose_text
from core.models import Region
from core.refusals import Refusal
from core.site.content import refresh_site_after_commit


def find_region(user_id: int) -> Region | None:
    """Return the region that was stated last for the player, or None."""
    stated = Residence.objects.filter(user_id=user_id).select_related("region")
    newest = stated.order_by("-stated_at", "-pk").first()
    return None if newest is None else newest.region


def compute_proven_age(user_id: int, *, today: date) -> int | None:
    """Return the player's age in whole years from an approved identity check, or None without one."""
    approved = IdentityCheck.objects.filter(user_id=user_id, state=IdentityCheck.State.APPROVED)
    born_on = approved.values_list("born_on", flat=True).first()
    return None if born_on is None else age_on(today, born_on=born_on)


def region_choices() -> list[tuple[int, str]]:
    """Return the id and name of each region, sorted by name in the reader's language."""
    rows = Region.objects.values_list("pk", "name", "words")
    names = [(pk, choose_text(words, "name", gettext(name))) for pk, name, words in rows]
    return sorted(names, key=lambda row: row[1])


# The states and union territories of India. Operators enter what each region's law says about cash play:
# laws change, and courts rule on them.
INDIA = (
    ("IN-AN", _("Andaman and Nicobar Islands")),
    ("IN-AP", _("Andhra Pradesh")),
    ("IN-AR", _("Arunachal Pradesh")),
    ("IN-AS", _("Assam")),
    ("IN-BR", _("Bihar")),
    ("IN-CH", _("Chandigarh")),
    ("IN-CG", _("Chhattisgarh")),
    ("IN-DH", _("Dadra and Nagar Haveli and Daman and Diu")),
    ("IN-DL", _("Delhi")),
    ("IN-GA", _("Goa")),
    ("IN-GJ", _("Gujarat")),
    ("IN-HR", _("Haryana")),
    ("IN-HP", _("Himachal Pradesh")),
    ("IN-JK", _("Jammu and Kashmir")),
    ("IN-JH", _("Jharkhand")),
    ("IN-KA", _("Karnataka")),
    ("IN-KL", _("Kerala")),
    ("IN-LA", _("Ladakh")),
    ("IN-LD", _("Lakshadweep")),
    ("IN-MP", _("Madhya Pradesh")),
    ("IN-MH", _("Maharashtra")),
    ("IN-MN", _("Manipur")),
    ("IN-ML", _("Meghalaya")),
    ("IN-MZ", _("Mizoram")),
    ("IN-NL", _("Nagaland")),
    ("IN-OD", _("Odisha")),
    ("IN-PY", _("Puducherry")),
    ("IN-PB", _("Punjab")),
    ("IN-RJ", _("Rajasthan")),
    ("IN-SK", _("Sikkim")),
    ("IN-TN", _("Tamil Nadu")),
    ("IN-TS", _("Telangana")),
    ("IN-TR", _("Tripura")),
    ("IN-UP", _("Uttar Pradesh")),
    ("IN-UK", _("Uttarakhand")),
    ("IN-WB", _("West Bengal")),
)


@transaction.atomic
def state_region(*, user_id: int, region_id: int) -> Residence:
    """Store the region that a player states, once; later only staff change it. Raises REGION_IS_STATED."""
    User.objects.select_for_update(no_key=True).only("pk").get(pk=user_id)
    if Residence.objects.filter(user_id=user_id).exists():
        raise Refusal(REGION_IS_STATED)
    return Residence.objects.create(user_id=user_id, region_id=region_id)


@transaction.atomic
def add_regions_of_india() -> int:
    """Add the regions of India that are missing, with cash allowed. Return how many were added."""
    known = set(Region.objects.values_list("code", flat=True))
    new = [Region(code=code, name=name) for code, name in INDIA if code not in known]
    Region.objects.bulk_create(new)
    refresh_site_after_commit()
    return len(new)
