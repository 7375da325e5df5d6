"""One tournament, with its own copy of its terms."""

import secrets
from collections.abc import Mapping
from hmac import compare_digest
from urllib.parse import urlencode

from django.conf import settings
from django.db import models
from django.db.models import Q, Value
from django.db.models.functions import Now
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.engine.base import JSON
from tournaments.models.template import TournamentTemplate
from tournaments.models.terms import PrizeKind, Terms, rules_of_rake, rules_of_terms
from tournaments.rules.lifecycle import OVER, RUNNING, LifecycleStatus
from wallet import money
from wallet.money import Currency

SEED_BYTES = 32


class TournamentStatus(models.TextChoices):
    ANNOUNCED = LifecycleStatus.ANNOUNCED.value, _("Announced")
    REGISTERING = LifecycleStatus.REGISTERING.value, _("Open for registration")
    PLAYING = LifecycleStatus.PLAYING.value, _("Running")
    BREAK = LifecycleStatus.BREAK.value, _("Break")
    FINISHED = LifecycleStatus.FINISHED.value, _("Finished")
    CANCELLED = LifecycleStatus.CANCELLED.value, _("Cancelled")


def new_seed() -> bytes:
    return secrets.token_bytes(SEED_BYTES)


class Tournament(Terms):
    """A tournament. `due_at` is when the next step is due if that step depends on time only.

    `seats_taken` is the number of entrants with a place.
    """

    template = models.ForeignKey(
        TournamentTemplate,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="tournaments",
        verbose_name=_("tournament template"),
    )
    ticket_for = models.ForeignKey(
        TournamentTemplate,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("pays tickets for"),
    )
    rule_changes = models.JSONField(
        _("own rules"), default=dict, db_default=Value({}, models.JSONField()), blank=True
    )
    rake_bps = models.PositiveIntegerField(_("service fee"), default=0)
    rake_cap = models.BigIntegerField(_("highest fee"), null=True, blank=True)
    opens_at = models.DateTimeField(_("registration opens"))
    starts_at = models.DateTimeField(_("start"))
    created_at = models.DateTimeField(_("created at"), db_default=Now())
    # Opened by a player for friends: not listed, and open to holders of the code.
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+",
        verbose_name=_("opened by"),
    )  # fmt: skip
    invite_code = models.CharField(
        _("invitation"),
        max_length=16,
        default="",
        db_default="",
        blank=True,
        help_text=_("Only players who have this code may enter. If empty, anybody may."),
    )

    status = models.CharField(
        _("status"), max_length=12, choices=TournamentStatus, default=TournamentStatus.ANNOUNCED
    )
    paused_at = models.DateTimeField(_("paused at"), null=True, blank=True)
    broken_at = models.DateTimeField(_("out of order since"), null=True, blank=True)
    broken_reason = models.TextField(_("why it is out of order"), blank=True, default="")
    cancel_reason = models.TextField(_("why it was cancelled"), blank=True, default="")
    # Random seating derives from this seed, so that it can be repeated and checked.
    seed = models.BinaryField(max_length=SEED_BYTES, default=new_seed)
    seats_taken = models.PositiveIntegerField(_("players"), default=0)
    round_number = models.PositiveSmallIntegerField(_("round"), default=0)
    late_until = models.DateTimeField(_("late registration until"), null=True, blank=True)
    next_round_at = models.DateTimeField(_("next round"), null=True, blank=True)
    due_at = models.DateTimeField(_("next step"), null=True, blank=True)
    started_at = models.DateTimeField(_("started at"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended at"), null=True, blank=True)
    # When a cancelled tournament had closed its tables and refunded its fees
    # (tournaments/running/cancelling.py).
    wound_up_at = models.DateTimeField(_("wound up at"), null=True, blank=True)
    # Amounts moved at the end: paid_in, rake, overlay, prizes.
    settlement = models.JSONField(_("settlement"), null=True, blank=True)

    class Meta:
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        indexes = [
            models.Index(
                fields=["due_at"],
                name="tournament_due",
                condition=Q(due_at__isnull=False, paused_at=None, broken_at=None),
            ),
            models.Index(fields=["status", "starts_at"], name="tournament_by_status"),
            models.Index(
                fields=["ended_at"],
                name="tournament_to_wind_up",
                condition=Q(status=TournamentStatus.CANCELLED, wound_up_at=None),
            ),
        ]
        constraints = [
            *rules_of_terms("a_tournament"),
            *rules_of_rake("a_tournament"),
            models.UniqueConstraint(
                fields=["template", "starts_at"], name="a_template_starts_one_tournament_at_a_time"
            ),
            models.CheckConstraint(
                condition=Q(invite_code="") | Q(currency=Currency.CHIPS),
                name="a_private_tournament_is_for_chips",
            ),
            models.CheckConstraint(
                condition=Q(seats_taken__gte=0), name="a_tournament_has_no_negative_field"
            ),
        ]

    def get_changed_rules(self) -> Mapping[str, JSON]:
        """Return the differences from the preset, as copied when the tournament was created.

        The house rules themselves may have been changed later.
        """
        changes: Mapping[str, JSON] = self.rule_changes
        return changes

    def __str__(self) -> str:
        return f"{self.name} (#{self.pk})"

    def get_absolute_url(self) -> str:
        return reverse("tournaments:tournament", args=[self.pk])

    @property
    def is_private(self) -> bool:
        return bool(self.invite_code)

    @property
    def invite_url(self) -> str:
        """Return the URL of the page for invited players."""
        path = self.get_absolute_url()
        return f"{path}?{urlencode({'invite': self.invite_code})}" if self.is_private else path

    def admits(self, invite: str) -> bool:
        """Return whether `invite` is this tournament's code. A tournament that is not private admits everybody."""
        return (
            compare_digest(self.invite_code.encode(), invite.encode(errors="surrogatepass"))
            or not self.is_private
        )

    @property
    def kind(self) -> PrizeKind:
        if self.ticket_for_id is not None:
            return PrizeKind.SATELLITE
        if self.entry_fee == 0:
            return PrizeKind.FREE
        return PrizeKind.CASH if self.currency == Currency.INR else PrizeKind.CHIPS

    @property
    def is_for_cash(self) -> bool:
        """Return whether the entry fee is in cash, whatever the prizes are."""
        return self.entry_fee > 0 and self.currency == Currency.INR

    @property
    def is_over(self) -> bool:
        return LifecycleStatus(self.status) in OVER

    @property
    def is_running(self) -> bool:
        return LifecycleStatus(self.status) in RUNNING

    @property
    def fee_rake(self) -> int:
        """Return the house's part of one entry fee, which does not go to the prize pool (R10.2)."""
        return money.rake(self.entry_fee, bps=self.rake_bps, cap=self.rake_cap)
