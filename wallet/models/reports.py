"""Figures of finished days, weeks and months, so that no report reads the ledger from its beginning."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from wallet.models.ledger import CURRENCIES


class ReportPeriod(models.Model):
    """A day, week or month of the site's time with its figures. `is_final` means that they cannot change any more."""

    class Length(models.TextChoices):
        DAY = "D", _("day")
        WEEK = "W", _("week")
        MONTH = "M", _("month")

    length = models.CharField(max_length=1, choices=Length.choices)
    begins = models.DateField()
    computed_at = models.DateTimeField()
    is_final = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("period of a report")
        verbose_name_plural = _("periods of reports")
        db_table = "wallet_report_period"
        constraints = [
            models.UniqueConstraint(
                fields=["length", "begins"], name="wallet_report_period_comes_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.length} {self.begins}"


class ReportFigure(models.Model):
    """A figure of a period: `amount` in the currency's smallest unit, and the `number` of items that it sums up.

    Columns by which a figure is not split are empty or zero. `rate` is in basis points.
    """

    period = models.ForeignKey(ReportPeriod, models.CASCADE, related_name="figures")
    name = models.CharField(max_length=40)
    currency = models.TextField(choices=CURRENCIES, blank=True, default="")
    game = models.TextField(blank=True, default="")
    format = models.TextField(blank=True, default="")
    stake = models.BigIntegerField(default=0)
    rate = models.IntegerField(default=0)
    amount = models.BigIntegerField(default=0)
    number = models.BigIntegerField(default=0)

    class Meta:
        verbose_name = _("figure of a report")
        verbose_name_plural = _("figures of reports")
        db_table = "wallet_report_figure"
        constraints = [
            models.UniqueConstraint(
                fields=["period", "name", "currency", "game", "format", "stake", "rate"],
                name="wallet_report_figure_comes_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.amount} {self.currency}"
