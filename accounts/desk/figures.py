"""Figures about people for the administration's first page."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from allauth.usersessions.models import UserSession
from django.db.models import Count, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.identity.services import identity_is_asked_for
from accounts.models import IdentityCheck, PastSession, User
from core.models import OutgoingEmail
from core.values.local_days import compute_day_start

# An e-mail still pending after this long is late.
LETTER_IS_LATE_AFTER = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure on the first page. `url` is the address of a list; `is_alarm` means that staff should act on it now."""

    label: str | Promise
    value: str
    url: str = ""
    is_alarm: bool = False

    @property
    def is_calm(self) -> bool:
        """Return whether the figure is 0."""
        return self.value.split(" ")[0] == "0"


def build_list_address(model: str, **filters: Any) -> str:
    """Return the address of a filtered list in the administration. `model` is written like "accounts_user"."""
    address = reverse(f"admin:{model}_changelist")
    plain = {
        name: value.isoformat(" ") if isinstance(value, datetime) else str(value)
        for name, value in filters.items()
    }
    return f"{address}?{urlencode(plain)}" if plain else address


def get_midnight_before(now: datetime) -> datetime:
    """Return the last midnight before `now` in the operator's time zone."""
    return timezone.localtime(compute_day_start(timezone.localdate(now)))


def list_people_figures(now: datetime) -> list[Figure]:
    today = get_midnight_before(now)
    numbers = User.objects.filter(is_bot=False).aggregate(
        all=Count("pk", filter=Q(closed_at=None)),
        new=Count("pk", filter=Q(date_joined__gte=today)),
        frozen=Count("pk", filter=~Q(frozen_at=None)),
    )
    signed_in, signed_out = (
        model.objects.filter(last_seen_at__gte=today).values("user_id")
        for model in (UserSession, PastSession)
    )
    seen = Q(pk__in=signed_in) | Q(pk__in=signed_out)
    active = User.objects.filter(seen, is_bot=False).count()
    player = {"is_bot__exact": 0}
    return [
        Figure(
            _("Registered"),
            str(numbers["all"]),
            build_list_address("accounts_user", **player, closed_at__isnull="True"),
        ),
        Figure(
            _("New today"),
            str(numbers["new"]),
            build_list_address("accounts_user", **player, date_joined__gte=today),
        ),
        Figure(
            _("Active today"),
            str(active),
            build_list_address("accounts_user", **player, seen="today"),
        ),
        Figure(
            _("Frozen"),
            str(numbers["frozen"]),
            build_list_address("accounts_user", **player, frozen_at__isempty=0),
        ),
    ]


def list_identity_figures(_now: datetime) -> list[Figure]:
    if not identity_is_asked_for():
        return []
    waiting = IdentityCheck.objects.filter(state=IdentityCheck.State.SUBMITTED).count()
    address = build_list_address(
        "accounts_identitycheck", state__exact=IdentityCheck.State.SUBMITTED
    )
    return [Figure(_("Identity checks waiting"), str(waiting), address)]


def list_email_figures(now: datetime) -> list[Figure]:
    late = OutgoingEmail.objects.filter(written_at__lt=now - LETTER_IS_LATE_AFTER).count()
    return [Figure(_("E-mails not sent"), str(late), is_alarm=late > 0)]
