"""Entrants, and tickets won in satellites."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from tournaments.models.template import TournamentTemplate
from tournaments.models.tournament import Tournament
from wallet.money import Currency


class EntrantState(models.TextChoices):
    WAITING = "WAITING", _("On the waiting list")
    REGISTERED = "REGISTERED", _("Registered")
    WITHDRAWN = "WITHDRAWN", _("Withdrawn")
    PLAYING = "PLAYING", _("In the tournament")
    OUT = "OUT", _("Out")
    DISQUALIFIED = "DISQUALIFIED", _("Disqualified")


# States in which an entrant holds a place.
TAKING_PART = (
    EntrantState.REGISTERED,
    EntrantState.PLAYING,
    EntrantState.OUT,
    EntrantState.DISQUALIFIED,
)


class Ticket(models.Model):
    """A seat in a tournament of `template`, won in a satellite.

    Its price stays in the satellite's prize pool until the ticket is used.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="tickets")
    template = models.ForeignKey(TournamentTemplate, models.PROTECT, related_name="tickets")
    won_in = models.ForeignKey(Tournament, models.PROTECT, related_name="tickets_paid")
    price = models.BigIntegerField(_("price"))
    currency = models.CharField(_("currency"), max_length=5, choices=[(c, c) for c in Currency])
    won_at = models.DateTimeField(_("won at"), db_default=Now())
    used_at = models.DateTimeField(_("used at"), null=True, blank=True)

    class Meta:
        verbose_name = _("ticket")
        verbose_name_plural = _("tickets")
        constraints = [
            models.UniqueConstraint(
                fields=["won_in", "user"], name="a_satellite_pays_one_ticket_to_a_person"
            ),
            models.CheckConstraint(condition=Q(price__gt=0), name="a_ticket_has_a_price"),
        ]

    def __str__(self) -> str:
        return f"ticket #{self.pk}"


class Entrant(models.Model):
    """One player in one tournament.

    `seeding` is the place in the draw; 0 is the best. `payments` counts paid entry fees that were not
    refunded; `registrations` counts every registration and makes the payments' keys unique.
    """

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="entrants")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="entrants")
    state = models.CharField(_("state"), max_length=12, choices=EntrantState)
    entered_at = models.DateTimeField(_("registered at"), db_default=Now())
    registrations = models.PositiveIntegerField(default=1)
    payments = models.PositiveIntegerField(_("entry fees paid"), default=0)
    # The start that the player was reminded of (tournaments/running/reminders.py).
    reminded_of = models.DateTimeField(null=True, blank=True, editable=False)
    ticket = models.ForeignKey(
        Ticket, models.PROTECT, null=True, blank=True, related_name="uses", verbose_name=_("ticket")
    )
    seeding = models.PositiveIntegerField(_("seeding"), null=True, blank=True)
    # Where the entrant went out: the round, the chips and, in the final, the rank there. In a pool
    # (R10.13), the rank at the table and the score, in any round.
    round_out = models.PositiveSmallIntegerField(_("out in round"), null=True, blank=True)
    chips = models.IntegerField(_("chips"), null=True, blank=True)
    table_rank = models.PositiveSmallIntegerField(null=True, blank=True)
    points = models.IntegerField(_("points"), null=True, blank=True)
    final_rank = models.PositiveSmallIntegerField(null=True, blank=True)
    place = models.PositiveIntegerField(_("place"), null=True, blank=True)
    rank = models.PositiveIntegerField(_("rank"), null=True, blank=True)
    prize = models.BigIntegerField(_("prize"), default=0)

    class Meta:
        verbose_name = _("entrant")
        verbose_name_plural = _("entrants")
        indexes = [models.Index(fields=["tournament", "state"], name="entrants_by_state")]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "user"], name="a_person_enters_a_tournament_once"
            ),
            models.UniqueConstraint(
                fields=["tournament", "seeding"], name="a_place_in_the_draw_is_one_persons"
            ),
            models.UniqueConstraint(
                fields=["tournament", "place"], name="a_place_at_the_end_is_one_persons"
            ),
            models.CheckConstraint(condition=Q(prize__gte=0), name="a_prize_is_not_negative"),
        ]

    def __str__(self) -> str:
        return f"entrant #{self.pk}"

    @property
    def is_winner(self) -> bool:
        """Return whether the entrant has won. The winner's state is also OUT, as for everybody at the end."""
        return self.rank == 1 and self.state == EntrantState.OUT

    @property
    def entry_key(self) -> str:
        """Return the ledger's key of this registration's entry fee."""
        return f"tournament:{self.tournament_id}:entry:{self.user_id}:{self.registrations}"

    def rebuy_key(self, number: int) -> str:
        """Return the ledger's key of a rebuy. `number` is its number among the entrant's payments."""
        return f"tournament:{self.tournament_id}:rebuy:{self.user_id}:{number}"
