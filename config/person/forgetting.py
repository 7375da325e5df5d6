"""The removal, after 90 days, of the places where players were and the players they exchanged chips with."""

from datetime import datetime

from django.db.models import Q
from django.utils import timezone

from accounts.models.sessions import KEPT
from tables.models import ChipsPassed, Seat
from wallet.api import forget_free_chips


def forget_origins(*, now: datetime) -> int:
    """Empty or delete the old rows. Returns how many; doing it twice changes nothing more."""
    marked = ~Q(device_mark="", address_mark="")
    old = Seat.objects.filter(marked, left_at__lte=now - KEPT)
    emptied = old.update(device_mark="", address_mark="")
    days, _by_model = ChipsPassed.objects.filter(day__lt=timezone.localdate(now - KEPT)).delete()
    return emptied + days + forget_free_chips(now=now)
