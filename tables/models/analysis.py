"""The analyses of finished deals that players asked for."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from tables.models.match import Match


class AnalysisState(models.TextChoices):
    WAITING = "WAITING", _("waiting")
    RUNNING = "RUNNING", _("running")
    DONE = "DONE", _("done")
    FAILED = "FAILED", _("failed")


class SeatAnalysis(models.Model):
    """One seat of one deal. Only its player sees it.

    `deadline_at`: who has no answer by then may ask again, whatever has become of the job.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="+", db_index=False)
    deal = models.PositiveIntegerField(_("deal"))
    seat = models.PositiveSmallIntegerField(_("seat"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    game = models.CharField(_("game"), max_length=20)
    state = models.CharField(
        _("state"), max_length=8, choices=AnalysisState.choices, default=AnalysisState.WAITING
    )
    asked_at = models.DateTimeField(_("asked at"), db_default=Now())
    deadline_at = models.DateTimeField(_("deadline"))
    done_at = models.DateTimeField(_("done at"), null=True, blank=True)
    # In per cent.
    progress = models.PositiveSmallIntegerField(_("progress"), default=0)
    # Of the game's analysis; another version judges otherwise.
    version = models.PositiveSmallIntegerField(_("version"), default=0)
    # `games.engine.analysis.DealAnalysis.analyse`.
    report = models.JSONField(_("report"), null=True, blank=True)
    # Of the report, for sums: decisions, points given away, and these by kind of decision.
    decisions = models.PositiveSmallIntegerField(_("decisions"), default=0)
    lost = models.FloatField(_("points given away"), default=0)
    by_kind = models.JSONField(_("by kind"), default=dict)

    class Meta:
        verbose_name = _("analysis of a deal")
        verbose_name_plural = _("analyses of deals")
        constraints = [
            models.UniqueConstraint(
                fields=["match", "deal", "seat"], name="a_seat_of_a_deal_is_analysed_once"
            ),
            models.CheckConstraint(
                condition=~models.Q(state="DONE") | models.Q(report__isnull=False),
                name="a_finished_analysis_has_a_report",
            ),
        ]
        indexes = [
            models.Index(fields=["user", "asked_at"], name="analyses_of_a_player"),
            models.Index(
                fields=["asked_at"],
                condition=models.Q(state="WAITING"),
                name="analyses_that_wait",
            ),
            models.Index(
                fields=["done_at"], condition=models.Q(state="DONE"), name="analyses_of_the_field"
            ),
        ]

    def __str__(self) -> str:
        return f"analysis of match #{self.match_id}, deal {self.deal}, seat {self.seat}"
