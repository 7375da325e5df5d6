"""Chips that the house gave to accounts of one place."""

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from accounts.models.origins import WithOrigin


class FreeChips(WithOrigin):
    """That some account was given chips from this browser and address; which one is not stored.

    Rows are deleted when no bound counts them any more (wallet/chips/bounds.py).
    """

    class Kind(models.TextChoices):
        WELCOME = "welcome", _("Welcome chips")
        PRACTICE = "practice", _("Practice chips")

    kind = models.CharField(max_length=10, choices=Kind)
    given_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = _("chips given")
        verbose_name_plural = _("chips given")
        permissions = [("adjust_chips", "Can give chips to players and take them")]
        indexes = [
            models.Index(fields=["device_mark", "kind", "given_at"], name="chips_of_a_device"),
            models.Index(fields=["address_mark", "kind", "given_at"], name="chips_of_an_address"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} chips at {self.given_at}"
