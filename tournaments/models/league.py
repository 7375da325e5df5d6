"""Leagues: players ranked by their best matches at public tables, with prizes from the house (R10.12)."""

from datetime import timedelta

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from core.database.translated_texts import InLanguages
from tables.catalog import title_of_format
from tables.models import Club, HouseRules
from tables.models.stakes import FORMAT_LENGTH, GAME_LENGTH
from tournaments.models.terms import three_prizes
from tournaments.rules.payouts import PayoutStep, PayoutTable, PayoutTableKind
from wallet.money import Currency

MOST_COUNTED = 500
MOST_MEETINGS = 50


class League(InLanguages):
    """A league, which ranks players by their best matches.

    A match is counted if it begins between `starts_at` and `ends_at` and ends before `settles_at`.
    `least_stake` is a point value or an entry fee, `pool` the sum of the prizes, both in the smallest unit of
    the currency. `payout_table` has the form described in `Terms`; its shares are always basis points. With
    `house_rules`, only tables with these rules are included.
    """

    worded = ("name", "description")

    name = models.CharField(_("name"), max_length=60)
    description = models.TextField(_("description"), max_length=500, blank=True, default="")
    game = models.CharField(_("game"), max_length=GAME_LENGTH)
    format = models.CharField(_("format"), max_length=FORMAT_LENGTH)
    house_rules = models.ForeignKey(
        HouseRules,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("house rules"),
    )
    # For a club's league: matches at its own tables count, between its members, and there are no prizes.
    club = models.ForeignKey(
        Club, models.PROTECT, null=True, blank=True, related_name="+", editable=False
    )
    currency = models.CharField(
        _("currency"),
        max_length=5,
        choices=[(c, c) for c in Currency],
        default=Currency.CHIPS,
        help_text=_("The currency of the tables that count, and of the prizes."),
    )
    least_stake = models.BigIntegerField(
        _("lowest stake"),
        default=0,
        validators=[MinValueValidator(0)],
        help_text=_(
            "The lowest point value or entry fee of the tables that count. 0: every stake counts."
        ),
    )
    counted = models.PositiveSmallIntegerField(
        _("best matches that count"),
        default=20,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_COUNTED)],
    )
    meetings = models.PositiveSmallIntegerField(
        _("matches that count between the same two players"),
        default=3,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_MEETINGS)],
        help_text=_("In later matches, the two get no points for finishing ahead of each other."),
    )
    starts_at = models.DateTimeField(_("start"))
    ends_at = models.DateTimeField(_("end"))
    settle_seconds = models.PositiveIntegerField(
        _("pay prizes after the end, in seconds"),
        default=7_200,
        help_text=_(
            "A match that is still running when the league ends counts if it finishes before "
            "the prizes are paid."
        ),
    )
    repeats = models.BooleanField(
        _("repeats"),
        default=True,
        help_text=_("When this league starts, the next one of the same length is announced."),
    )
    pool = models.BigIntegerField(
        _("total prizes"),
        default=0,
        validators=[MinValueValidator(1)],
        help_text=_("Paid by the house."),
    )
    payout_table = models.JSONField(_("prizes"), default=three_prizes)
    follows = models.OneToOneField(
        "self", models.PROTECT, null=True, blank=True, related_name="next", editable=False
    )
    created_at = models.DateTimeField(_("created at"), db_default=Now())
    settles_at = models.DateTimeField(_("prizes are paid"), editable=False)
    drawn_at = models.DateTimeField(_("standings as of"), null=True, editable=False)
    settled_at = models.DateTimeField(_("paid"), null=True, editable=False)
    cancelled_at = models.DateTimeField(_("cancelled"), null=True, editable=False)
    cancel_reason = models.TextField(_("why it was cancelled"), blank=True, default="")
    broken_at = models.DateTimeField(_("out of order since"), null=True, editable=False)
    broken_reason = models.TextField(_("why it is out of order"), blank=True, default="")

    class Meta:
        verbose_name = _("league")
        verbose_name_plural = _("leagues")
        indexes = [
            models.Index(
                fields=["starts_at"],
                name="leagues_that_are_not_over",
                condition=Q(settled_at=None, cancelled_at=None),
            )
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(ends_at__gt=F("starts_at"), settles_at__gte=F("ends_at")),
                name="a_league_ends_after_its_start",
                violation_error_message=_("The end must be later than the beginning."),
            ),
            models.CheckConstraint(
                condition=Q(least_stake__gte=0)
                & (Q(pool__gt=0, club=None) | Q(pool=0, club__isnull=False)),
                name="a_league_has_prizes",
                violation_error_message=_("A league needs at least one prize."),
            ),
            models.UniqueConstraint(
                fields=["club"],
                condition=Q(settled_at=None, cancelled_at=None),
                name="a_club_has_one_league_at_a_time",
            ),
            models.CheckConstraint(
                condition=Q(counted__gte=1, meetings__gte=1), name="a_league_counts_matches"
            ),
            models.CheckConstraint(
                condition=Q(settled_at=None) | Q(cancelled_at=None),
                name="a_league_is_paid_or_cancelled",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} (league #{self.pk})"

    def save(self, *args: object, **kwargs: object) -> None:
        self.settles_at = self.ends_at + timedelta(seconds=self.settle_seconds)
        super().save(*args, **kwargs)  # type: ignore[arg-type] # Django's own

    def get_absolute_url(self) -> str:
        return reverse("tournaments:league", args=[self.pk])

    @property
    def is_over(self) -> bool:
        return self.settled_at is not None or self.cancelled_at is not None

    @property
    def format_title(self) -> str:
        title = title_of_format(self.game, self.format)
        return title if self.house_rules is None else f"{title} · {self.house_rules.shown_name}"

    @property
    def payouts(self) -> PayoutTable:
        """Return the payout table. Raises InvalidPayoutTable."""
        return PayoutTable(
            PayoutTableKind.PERCENT,
            tuple(PayoutStep(*map(int, step)) for step in self.payout_table),
        )


class LeaguePlace(models.Model):
    """A player's place in a league as last computed. It is final once the league is paid.

    `points` is the sum of the player's best `matches` matches, the last of which ended at `last_at`.
    """

    league = models.ForeignKey(League, models.PROTECT, related_name="places", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    points = models.PositiveIntegerField(_("points"), default=0)
    matches = models.PositiveIntegerField(_("matches"), default=0)
    last_at = models.DateTimeField(_("last match"), null=True)
    place = models.PositiveIntegerField(_("place"), null=True)
    rank = models.PositiveIntegerField(_("rank"), null=True)
    prize = models.BigIntegerField(_("prize"), default=0)
    disqualified_at = models.DateTimeField(_("disqualified"), null=True)

    class Meta:
        verbose_name = _("league standing")
        verbose_name_plural = _("league standings")
        indexes = [models.Index(fields=["league", "place"], name="places_of_a_league")]
        constraints = [
            models.UniqueConstraint(
                fields=["league", "user"], name="a_player_has_one_place_in_a_league"
            ),
            models.CheckConstraint(condition=Q(prize__gte=0), name="a_league_takes_no_prize"),
        ]

    def __str__(self) -> str:
        return f"place of user #{self.user_id} in league #{self.league_id}"
