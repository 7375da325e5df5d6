"""A match, its deals, and every change of a table during play."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from tables.models.stakes import FORMAT_LENGTH
from tables.models.table import Table


class MatchStatus(models.TextChoices):
    RUNNING = "RUNNING", _("Running")
    FINISHED = "FINISHED", _("Finished")
    CANCELLED = "CANCELLED", _("Cancelled")


class ChangeKind(models.TextChoices):
    MOVE = "MOVE", _("A player's move")
    STAND_IN = "STAND_IN", _("A bot's move for a player who has left")
    EXPIRY = "EXPIRY", _("A deadline that passed")
    POSTPONED = "POSTPONED", _("Deadlines moved back after an outage")
    CONCLUDED = "CONCLUDED", _("The time for new deals ran out")
    SPLIT_OFFERED = "SPLIT", _("A question that the table asked automatically")
    CANCELLED = "CANCELLED", _("Cancelled by staff")
    STARTED = "STARTED", _("A match began")
    SEATING = "SEATING", _("Somebody sat down or left")


class Match(models.Model):
    """One or more deals that are played until there is a result; in points rummy, a single deal."""

    table = models.ForeignKey(Table, models.PROTECT, related_name="matches")
    status = models.CharField(
        _("status"), max_length=10, choices=MatchStatus, default=MatchStatus.RUNNING
    )
    rules = models.JSONField(_("rules"))
    # Set once the table has got other rules.
    own_format = models.CharField(
        _("format"), max_length=FORMAT_LENGTH, default="", db_default="", blank=True
    )
    players = models.JSONField(
        _("players"), help_text=_("For each seat number: the sitting, the user and the name.")
    )  # with `stand_in` where a bot has played on for the player
    # The users among the players, for the index that finds one player's matches.
    participants = ArrayField(models.BigIntegerField())
    order = ArrayField(models.SmallIntegerField())
    tossed = models.BooleanField()
    started_ms = models.BigIntegerField()
    started_at = models.DateTimeField(_("started at"), db_default=Now())
    ended_at = models.DateTimeField(_("ended at"), null=True, blank=True)
    result = models.JSONField(_("result"), null=True, blank=True)
    settlement = models.JSONField(_("settlement"), null=True, blank=True)
    is_rated = models.BooleanField(_("rated"), default=False)
    # When ratings and leaderboards counted it (players/ranking/ratings.py).
    counted_at = models.DateTimeField(null=True, blank=True)
    # When it was traced for collusion (history/fairplay/tracing.py).
    traced_at = models.DateTimeField(null=True, blank=True)
    # When its changes were packed into an archive (history/archiving.py).
    packed_at = models.DateTimeField(null=True, blank=True)
    cancelled_for = models.CharField(_("cancelled because"), max_length=200, default="", blank=True)

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        permissions = [("cancel_match", _("Can cancel a running match"))]
        indexes = [
            GinIndex(fields=["participants"], name="match_participants"),
            models.Index(fields=["started_at"], name="match_started"),
            models.Index(
                fields=["ended_at", "id"],
                name="match_uncounted",
                condition=models.Q(status=MatchStatus.FINISHED, counted_at__isnull=True),
            ),
            models.Index(
                fields=["ended_at", "id"],
                name="match_untraced",
                condition=models.Q(status=MatchStatus.FINISHED, traced_at__isnull=True),
            ),
            models.Index(
                fields=["started_at"],
                name="match_unpacked",
                condition=models.Q(packed_at__isnull=True),
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["table"],
                condition=models.Q(status=MatchStatus.RUNNING),
                name="a_table_plays_one_match_at_a_time",
            )
        ]

    def __str__(self) -> str:
        return f"match #{self.pk}"

    @property
    def format(self) -> str:
        """Return the format that was played. The table may have the rules of another format now."""
        return self.own_format or self.table.format


class Deal(models.Model):
    """One deal. Its seed stays secret until the deal is over."""

    table = models.ForeignKey(Table, models.PROTECT, related_name="+", db_index=False)
    match = models.ForeignKey(
        Match, models.PROTECT, related_name="deals", db_constraint=False, db_index=False
    )
    number = models.PositiveSmallIntegerField(_("number"))
    seed = models.BinaryField(max_length=32)
    client_seeds = models.JSONField(default=dict, blank=True)
    commitment = models.CharField(_("commitment"), max_length=64)
    started_at = models.DateTimeField(_("started at"), db_default=Now())

    class Meta:
        verbose_name = _("deal")
        verbose_name_plural = _("deals")
        constraints = [
            models.UniqueConstraint(
                fields=["match", "number", "table"],
                name="a_deal_has_its_own_number_in_the_match",
            )
        ]

    def __str__(self) -> str:
        return f"deal {self.number} of match #{self.match_id}"


class Change(models.Model):
    """One committed change of a table: its cause, and the parts that each seat receives.

    `version` is null for a change that no other player receives (a player's own arrangement). `at_ms` is the time that
    the game was given, so that seeds and changes reproduce the stored state.

    The database partitions changes by day (history/days.py). Within a day, versions of a table are unique, and so are
    ids of moves.
    """

    table = models.ForeignKey(Table, models.PROTECT, related_name="changes", db_index=False)
    match = models.ForeignKey(
        Match, models.PROTECT, null=True, related_name="changes", db_constraint=False
    )
    version = models.BigIntegerField(null=True)
    kind = models.CharField(max_length=10, choices=ChangeKind)
    seat = models.PositiveSmallIntegerField(null=True)
    move = models.JSONField(null=True)
    move_id = models.UUIDField(null=True)
    at_ms = models.BigIntegerField()
    events = models.JSONField()
    patch = models.JSONField()
    private = models.JSONField(help_text="Seat number to what only that seat gets.")

    class Meta:
        verbose_name = _("change")
        verbose_name_plural = _("changes")

    def __str__(self) -> str:
        return f"change {self.version} of table #{self.table_id}"
