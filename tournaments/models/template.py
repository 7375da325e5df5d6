"""An operator's templates: the terms and the schedule from which tournaments are created."""

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.terms import Terms, rules_of_rake, rules_of_terms
from tournaments.rules.schedule import InvalidSchedule, parse_schedule


class TournamentTemplate(Terms):
    """A template. While it is open, it creates tournaments as far ahead as they are announced."""

    schedule = models.CharField(
        _("schedule"),
        max_length=100,
        blank=True,
        help_text=_(
            "Minute, hour, day of the month, month, day of the week, as in a crontab: "
            "“*/30 * * * *” is every half hour, “0 20 * * sat” Saturdays at 20:00. "
            "Empty: tournaments are made by hand."
        ),
    )
    announce_seconds = models.PositiveIntegerField(
        _("announced, in seconds before the start"), default=86_400
    )
    registration_seconds = models.PositiveIntegerField(
        _("registration opens, in seconds before the start"), default=3_600
    )
    rake_bps = models.PositiveIntegerField(
        _("service fee"),
        null=True,
        blank=True,
        help_text=_("In hundredths of a percent. Empty: as the fee schedules say."),
    )
    ticket_for = models.ForeignKey(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="satellites",
        verbose_name=_("pays tickets for"),
        help_text=_("A satellite pays seats in tournaments of this template instead of money."),
    )
    # The code of a template in the starting schedule (tournaments/running/starting_schedule.py).
    starting = models.CharField(
        max_length=20, default="", db_default="", blank=True, editable=False
    )
    is_open = models.BooleanField(
        _("open"), default=True, help_text=_("Whether tournaments are made by the schedule.")
    )

    class Meta:
        verbose_name = _("tournament template")
        verbose_name_plural = _("tournament templates")
        constraints = [
            *rules_of_terms("a_tournament_template"),
            *rules_of_rake("a_tournament_template"),
            models.UniqueConstraint(
                fields=["starting"],
                condition=~models.Q(starting=""),
                name="a_starting_template_is_there_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} (template #{self.pk})"

    def clean(self) -> None:
        try:
            if self.schedule:
                parse_schedule(self.schedule)
        except InvalidSchedule as invalid:
            raise ValidationError({"schedule": str(invalid)}) from invalid
        target = self.ticket_for
        if target is None:
            return
        if target.entry_fee == 0 or target.currency != self.currency:
            raise ValidationError(
                {
                    "ticket_for": _(
                        "A ticket is for a tournament with an entry fee in this currency."
                    )
                }
            )
        if target.pk == self.pk:
            raise ValidationError(
                {
                    "ticket_for": _(
                        "A satellite cannot pay tickets for itself: choose another template."
                    )
                }
            )
