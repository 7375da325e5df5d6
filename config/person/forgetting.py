"""Where players were and with whom they exchanged chips is forgotten after 90 days."""

from datetime import datetime

from django.db.models import Q
from django.utils import timezone

from accounts.models.origins import KEPT
from tables.models import ChipsPassed, Seat
from wallet.chips.bounds import forget_free_chips


def forget_origins(*, now: datetime) -> int:
    """How many rows were emptied or deleted; doing it twice changes nothing more."""
    marked = ~Q(device_mark="", address_mark="")
    old = Seat.objects.filter(marked, left_at__lte=now - KEPT)
    emptied = old.update(device_mark="", address_mark="")
    days, _by_model = ChipsPassed.objects.filter(day__lt=timezone.localdate(now - KEPT)).delete()
    return emptied + days + forget_free_chips(now=now)
