"""The regions where people live, and the law there about cash."""

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from accounts.models.site import GREATEST_LEAST_AGE, LEAST_AGE


class Region(models.Model):
    """A place with a law of its own. Where there is no row, nobody is asked where they live."""

    code = models.CharField(
        _("code"),
        max_length=6,
        unique=True,
        validators=[
            RegexValidator(r"^[A-Z]{2}(-[A-Z0-9]{1,3})?\Z", _("Write a code such as IN-TG."))
        ],
        help_text=_("Of ISO 3166, such as IN-TG."),
    )
    name = models.CharField(_("name"), max_length=60)
    name_hi = models.CharField(_("name in Hindi"), max_length=60, blank=True)
    cash_is_refused = models.BooleanField(
        _("no cash"),
        default=False,
        help_text=_("Nobody who lives there brings cash or plays for it. Winnings are paid out."),
    )
    least_age = models.PositiveSmallIntegerField(
        _("least age"),
        default=LEAST_AGE,
        validators=[MinValueValidator(LEAST_AGE), MaxValueValidator(GREATEST_LEAST_AGE)],
        help_text=_(
            "For cash, in years. Where it is more than the site's, cash waits for an approved "
            "identity."
        ),
    )

    class Meta:
        verbose_name = _("region")
        verbose_name_plural = _("regions")
        ordering = ("name",)
        constraints = [
            models.CheckConstraint(
                condition=Q(least_age__gte=LEAST_AGE, least_age__lte=GREATEST_LEAST_AGE),
                name="accounts_region_is_for_adults",
            ),
        ]

    def __str__(self) -> str:
        return self.name


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
