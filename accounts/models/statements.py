"""Statements that a player has made: their place of residence and the pages they accepted."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from core.models.site import PageVersion, Region


class Residence(models.Model):
    """A player's residence as stated by them or by staff. The newest row counts."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="residences",
        verbose_name=_("player"),
    )
    region = models.ForeignKey(Region, models.PROTECT, related_name="+", verbose_name=_("region"))
    stated_at = models.DateTimeField(_("stated"), db_default=Now())
    # None: the player themself.
    stated_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="+",
        null=True,
        editable=False,
        verbose_name=_("stated by"),
    )

    class Meta:
        verbose_name = _("residence")
        verbose_name_plural = _("residences")

    def __str__(self) -> str:
        return f"{self.user_id}: {self.region_id}"


class PageAcceptance(models.Model):
    """A player has accepted a version, once, at this moment."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("player")
    )
    version = models.ForeignKey(PageVersion, models.PROTECT, related_name="acceptances")
    accepted_at = models.DateTimeField(_("accepted"))

    class Meta:
        verbose_name = _("accepted page")
        verbose_name_plural = _("accepted pages")
        db_table = "accounts_page_acceptance"
        constraints = [
            models.UniqueConstraint(
                fields=["user", "version"], name="accounts_page_acceptance_comes_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.version_id}"
