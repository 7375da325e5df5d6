"""Rounds: their tables, with seats and results."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tables.models import Table
from tournaments.models.entrant import Entrant
from tournaments.models.tournament import Tournament


class Round(models.Model):
    """A round of a tournament. `ends_at` is the latest time limit of its tables; overtime follows it (R10.4b).

    A round that is not drawn as a whole is filled table by table (R10.4c); several such rounds can run at once.
    """

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="rounds")
    number = models.PositiveSmallIntegerField(_("number"))
    is_drawn = models.BooleanField(_("all tables drawn at once"), default=True, db_default=True)
    is_final = models.BooleanField(_("final"), default=False)
    started_at = models.DateTimeField(_("started at"))
    ends_at = models.DateTimeField(_("time limit"))
    ended_at = models.DateTimeField(_("ended at"), null=True, blank=True)

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "number"], name="a_round_has_its_own_number"
            ),
        ]

    def __str__(self) -> str:
        return f"round {self.number} of tournament #{self.tournament_id}"


class RoundTable(models.Model):
    """A table of a round.

    `ended_at` is set in the transaction of its last move, `resolved_at` once the tournament has decided which
    players advance.
    """

    round = models.ForeignKey(Round, models.PROTECT, related_name="round_tables", db_index=False)
    number = models.PositiveIntegerField(_("number"))
    table = models.OneToOneField(Table, models.PROTECT, related_name="+", db_constraint=False)
    match_id = models.BigIntegerField(null=True, blank=True)
    ended_at = models.DateTimeField(_("ended at"), null=True, blank=True)
    resolved_at = models.DateTimeField(_("resolved at"), null=True, blank=True)

    class Meta:
        verbose_name = _("table of a round")
        verbose_name_plural = _("tables of a round")
        indexes = [
            models.Index(fields=["round"], name="round_tables_playing", condition=Q(ended_at=None))
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["round", "number"], name="a_table_of_a_round_has_its_own_number"
            )
        ]

    def __str__(self) -> str:
        return f"table {self.number} of round #{self.round_id}"


class RoundSeat(models.Model):
    """An entrant's part in a round: a seat at a table, or a bye if there is no table.

    After the table's end it has `chips` or, in a pool tournament (R10.13), the score in `points`.
    """

    round = models.ForeignKey(Round, models.PROTECT, related_name="seats", db_index=False)
    entrant = models.ForeignKey(Entrant, models.PROTECT, related_name="seats")
    round_table = models.ForeignKey(
        RoundTable, models.PROTECT, null=True, blank=True, related_name="seats"
    )
    chair = models.PositiveSmallIntegerField(null=True)
    rank = models.PositiveSmallIntegerField(_("rank"), null=True)
    chips = models.IntegerField(_("chips"), null=True)
    points = models.IntegerField(_("points"), null=True)
    goes_on = models.BooleanField(_("advances"), null=True)

    class Meta:
        verbose_name = _("seat in a round")
        verbose_name_plural = _("seats in a round")
        constraints = [
            models.UniqueConstraint(
                fields=["round", "entrant"], name="an_entrant_sits_once_in_a_round"
            ),
            models.CheckConstraint(
                condition=Q(round_table=None, chair=None)
                | Q(round_table__isnull=False, chair__isnull=False),
                name="who_sits_at_a_table_of_a_round_has_a_chair",
            ),
        ]

    def __str__(self) -> str:
        return f"seat of entrant #{self.entrant_id} in round #{self.round_id}"
