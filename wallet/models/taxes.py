"""Tax on winnings: the rules, and the tax of each finished year."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from wallet.money import BPS


class TaxRule(models.Model):
    """A tax on net winnings from a given day on. Of the valid rules, the newest applies."""

    code = models.CharField(
        _("rule"), max_length=40, help_text=_("The law that sets the rate, such as IN-194BA.")
    )
    rate_bps = models.IntegerField(
        _("rate"), help_text=_("In hundredths of a percent: 3000 is 30 %.")
    )
    threshold = models.BigIntegerField(
        _("threshold"),
        default=0,
        help_text=_("In paise. Net winnings up to this are taxed together with the next ones."),
    )
    valid_from = models.DateField(_("valid from"), unique=True)

    class Meta:
        verbose_name = _("tax rule")
        verbose_name_plural = _("tax rules")
        db_table = "wallet_tax_rule"
        constraints = [
            models.CheckConstraint(
                condition=Q(rate_bps__gte=0, rate_bps__lt=BPS),
                name="wallet_tax_rule_rate_is_a_share",
                violation_error_message=_("The rate must be 0 to 9999 hundredths of a percent."),
            ),
            models.CheckConstraint(
                condition=Q(threshold__gte=0),
                name="wallet_tax_rule_threshold_is_not_negative",
                violation_error_message=_("The threshold must not be negative."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.code}: {self.rate_bps / 100:g} %"


class YearEndTax(models.Model):
    """A player's untaxed net winnings at the end of a financial year.

    The figures are those of rule 133 (docs/money.md), in paise.
    """

    class State(models.TextChoices):
        DUE = "DUE", _("to be deducted")
        DEDUCTED = "DEDUCTED", _("deducted")
        NOTHING = "NOTHING", _("nothing to deduct")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("player")
    )
    year = models.IntegerField(
        _("financial year"), help_text=_("The calendar year in which the financial year began.")
    )
    withdrawn = models.BigIntegerField(_("withdrawn"))
    deposited = models.BigIntegerField(_("deposited"))
    opening = models.BigIntegerField(_("opening balance"))
    closing = models.BigIntegerField(_("closing balance"))
    taxed = models.BigIntegerField(_("net winnings taxed before"))
    net_winnings = models.BigIntegerField(_("net winnings"))
    tax = models.BigIntegerField(_("tax"))
    rule = models.ForeignKey(TaxRule, models.PROTECT, related_name="+", verbose_name=_("rule"))
    state = models.TextField(_("state"), choices=State.choices)
    deducted_at = models.DateTimeField(_("deducted at"), null=True)

    class Meta:
        verbose_name = _("year-end tax")
        verbose_name_plural = _("year-end taxes")
        db_table = "wallet_year_end_tax"
        constraints = [
            models.UniqueConstraint(
                fields=["user", "year"], name="wallet_year_end_tax_once_a_year"
            ),
            models.CheckConstraint(
                condition=Q(state="NOTHING", tax=0) | Q(~Q(state="NOTHING"), tax__gt=0),
                name="wallet_year_end_tax_has_its_state",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.year}: {self.tax}"
