"""Tables, the templates that open them, their seats and their waiting lists."""

import secrets
from typing import Any

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Coalesce, Least, Now
from django.utils.translation import gettext_lazy as _

from accounts.models.sessions import WithOrigin
from core.database.written_checks import WrittenCheck
from games.engine.paces import SLOW_FROM_SECONDS
from tables.models.hosting import Admission, Hosted
from tables.models.house_rules import PRESET_LENGTH, HouseRules, get_changes, read_rules
from tables.models.stakes import FORMAT_LENGTH, Stakes
from wallet.money import Currency

EPOCH_BYTES = 4


class TableStatus(models.TextChoices):
    WAITING = "WAITING", _("Waiting for players")
    STARTING = "STARTING", _("Starting")
    PLAYING = "PLAYING", _("Playing")
    BETWEEN = "BETWEEN", _("Between deals")
    CLOSED = "CLOSED", _("Closed")


class SeatStatus(models.TextChoices):
    WAITING = "WAITING", _("Waiting for the next deal")
    PLAYING = "PLAYING", _("Playing")
    LEAVING = "LEAVING", _("Leaving after this deal")
    LEFT = "LEFT", _("Left")


# Tables with a free chair, whether or not a deal is running.
JOINABLE = models.Q(
    ~models.Q(status=TableStatus.CLOSED),
    seats_taken__lt=models.F("max_seats"),
    invite_code="",
    broken_at__isnull=True,
    closing_at__isnull=True,
)
# Tables that everybody may see.
IN_THE_LOBBY = models.Q(
    ~models.Q(status=TableStatus.CLOSED),
    models.Q(invite_code="") | models.Q(admission=Admission.ANYBODY),
    event_url="",
    closing_at__isnull=True,
)
IN_THE_ORDER_OF_THE_LOBBY = ("game", "format", "currency", "point_value", "entry_fee", "max_seats")
# Tables that adopt a new fee; the partial index leaves out closed tables and tournament tables, which are
# many.
BETWEEN_MATCHES = models.Q(
    status__in=[TableStatus.WAITING, TableStatus.STARTING, TableStatus.BETWEEN], event_url=""
)

NOTHING_AT_STAKE = models.Q(point_value=0, entry_fee=0)


def new_epoch() -> str:
    return secrets.token_hex(EPOCH_BYTES)


class TableTemplate(Stakes):
    """A template that opens tables of one kind, so that there is always one to join.

    An open table keeps its terms, except the service fee (tables/play/start.py).
    """

    preset = models.CharField(
        _("rules"),
        max_length=PRESET_LENGTH,
        help_text=_("A rule set of the game, for instance pool101."),
    )
    house_rules = models.ForeignKey(
        HouseRules,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="table_templates",
        verbose_name=_("house rules"),
    )
    is_open = models.BooleanField(
        _("open"), default=True, help_text=_("Whether tables of this kind are kept open.")
    )

    class Meta:
        verbose_name = _("table template")
        verbose_name_plural = _("table templates")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(max_seats__gte=2, max_seats__lte=8),
                name="a_template_has_two_to_eight_seats",
                violation_error_message=_("A table has two to eight seats."),
            ),
            models.CheckConstraint(
                condition=models.Q(bots_wanted=0) | models.Q(currency=Currency.CHIPS),
                name="template_bots_play_for_chips_only",
                violation_error_message=_("Bots play for chips only."),
            ),
            models.CheckConstraint(
                condition=models.Q(bots_wanted=0) | models.Q(is_rated=False),
                name="a_template_with_bots_is_not_rated",
                violation_error_message=_("Tables with practice bots are not rated."),
            ),
            models.CheckConstraint(
                condition=models.Q(allows_api_players=False) | models.Q(currency=Currency.CHIPS),
                name="template_api_players_play_for_chips_only",
                violation_error_message=_("API players play for chips only."),
            ),
            models.CheckConstraint(
                condition=models.Q(point_value__gt=0, entry_fee=0)
                | models.Q(point_value=0, entry_fee__gt=0),
                name="a_template_is_for_points_or_for_an_entry_fee",
                violation_error_message=_("Give either a point value or an entry fee."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} (template #{self.pk})"

    @property
    def rule_set(self) -> Any:
        """Return the rules of the tables that this template opens now. Raises InvalidRules."""
        return read_rules(self.game, self.preset, get_changes(self.house_rules))


class Table(Stakes, Hosted):
    """A table with its stakes and rules, and the live state of its match.

    `rules` and `rules_title` are copies: `house_rules` may change, and the table keeps its own.
    """

    worded = ("name", "rules_title")

    template = models.ForeignKey(
        TableTemplate,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="tables",
        db_constraint=False,
    )
    format = models.CharField(_("format"), max_length=FORMAT_LENGTH)
    rules = models.JSONField(
        _("rules"),
        help_text=_("The rule set; a host may change it between two matches."),
    )
    house_rules = models.ForeignKey(
        HouseRules,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        db_constraint=False,
    )
    rules_title = models.CharField(
        _("title of the rules"), max_length=60, default="", db_default="", blank=True
    )
    # A turn takes hours, so nobody sits there and waits (tables/live/slow_games.py).
    is_slow = models.GeneratedField(
        expression=Coalesce(
            models.Q(rules__turn_seconds__gte=SLOW_FROM_SECONDS),
            models.Value(value=False),
            output_field=models.BooleanField(),
        ),
        output_field=models.BooleanField(_("slow")),
        db_persist=True,
    )
    min_buy_in = models.BigIntegerField(_("minimum buy-in"))
    max_buy_in = models.BigIntegerField(_("maximum buy-in"))
    rake_bps = models.PositiveIntegerField(_("rake in basis points"))
    rake_cap = models.BigIntegerField(_("maximum rake"), null=True, blank=True)
    is_lesson = models.BooleanField(
        _("lesson"),
        default=False,
        help_text=_("The guided first deal of the player who opened it."),
    )
    created_at = models.DateTimeField(_("opened at"), db_default=Now())
    closed_at = models.DateTimeField(_("closed at"), null=True, blank=True)
    # An event's table is opened for certain players and one match, and is free.
    event_url = models.CharField(
        _("event"),
        max_length=100,
        default="",
        blank=True,
        help_text=_(
            "The page of the event, such as a tournament, that the table belongs "
            "to. Empty: anybody may sit down."
        ),
    )
    invite_code = models.CharField(
        _("invitation"),
        max_length=16,
        default="",
        blank=True,
        help_text=_("Only those who know this code may sit down. Empty: anybody may."),
    )
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        db_constraint=False,
    )
    closing_at = models.DateTimeField(
        _("set to close after the match at"),
        null=True,
        blank=True,
        help_text=_("Staff are closing the table: the running match is its last one."),
    )
    # Users whom staff have stood up here; null for nobody.
    removed = ArrayField(models.BigIntegerField(), null=True, blank=True)
    last_deal_at = models.DateTimeField(
        _("last deal"),
        null=True,
        blank=True,
        help_text=_("No further deal begins after this time."),
    )
    # R10.4b; all three are set or none.
    overtime_at = models.DateTimeField(
        _("overtime begins at"),
        null=True,
        blank=True,
        help_text=_("From this time on, turns are short."),
    )
    overtime_turn_seconds = models.PositiveSmallIntegerField(
        _("turn in overtime, in seconds"), null=True, blank=True
    )
    count_at = models.DateTimeField(
        _("hands counted at"),
        null=True,
        blank=True,
        help_text=_("A deal still running at this time is ended, and its hands are counted."),
    )

    bots_take_over = models.BooleanField(
        _("bots play on"),
        default=False,
        db_default=False,
        help_text=_(
            "At free private tables, a bot plays on for players who leave a match or are away."
        ),
    )

    status = models.CharField(
        _("status"), max_length=10, choices=TableStatus, default=TableStatus.WAITING
    )
    epoch = models.CharField(max_length=2 * EPOCH_BYTES, default=new_epoch)
    version = models.BigIntegerField(default=0)
    # The version at which the running deadline began: a move based on an older one is stale.
    turn_version = models.BigIntegerField(default=0)
    match = models.ForeignKey(
        "Match", models.PROTECT, null=True, blank=True, related_name="+", db_constraint=False
    )
    state = models.BinaryField(null=True, blank=True)
    # Maintained by database triggers on the seats; no code writes it.
    seats_taken = models.SmallIntegerField(default=0, db_default=0, editable=False)
    bot_seats = ArrayField(models.SmallIntegerField(), default=list, blank=True)
    # The order of play for the next match; null after a player has joined (R4.1).
    next_order = ArrayField(models.SmallIntegerField(), null=True, blank=True)
    # The seed of the next deal is drawn in advance, so that its hash can be shown before the deal.
    next_seed = models.BinaryField(max_length=32)
    # Contributions of the players' browsers to the seed, by seat.
    client_seeds = models.JSONField(default=dict, blank=True)
    # Pre-actions of the running deal, by seat: moves to play as soon as they are legal.
    deferred_moves = models.JSONField(default=dict, blank=True)
    # When the table offers, between two deals, to split the pot.
    split_offer_at = models.DateTimeField(null=True, blank=True)
    settlement = models.JSONField(null=True, blank=True)
    # The game has failed at this table (tables/models/faults.py); staff decide how it continues.
    broken_at = models.DateTimeField(_("out of order since"), null=True, blank=True)
    # The last outage for which the running match was compensated.
    outage_id = models.BigIntegerField(default=0)

    # The next match or deal begins only once somebody asks for it. Then `deadline_at` says when the seats
    # of players who have gone become free.
    awaits_press = models.BooleanField(
        _("waits until a player asks to go on"), default=False, db_default=False, editable=False
    )
    deadline_at = models.DateTimeField(null=True, blank=True)
    bot_due_at = models.DateTimeField(null=True, blank=True)
    due_at = models.GeneratedField(
        expression=Least("deadline_at", "bot_due_at"),
        output_field=models.DateTimeField(null=True),
        db_persist=True,
    )

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        permissions = [
            ("close_table", "Can close tables"),
            ("remove_player", "Can stand players up from tables"),
        ]
        indexes = [
            models.Index(
                fields=["due_at"], name="table_due", condition=models.Q(due_at__isnull=False)
            ),
            models.Index(
                fields=["split_offer_at"],
                name="table_split_offer",
                condition=models.Q(split_offer_at__isnull=False),
            ),
            models.Index(
                fields=["game", "format"], name="table_between", condition=BETWEEN_MATCHES
            ),
            models.Index(fields=["template"], name="table_joinable", condition=JOINABLE),
            models.Index(
                fields=["deadline_at"],
                name="table_slow",
                condition=models.Q(is_slow=True, deadline_at__isnull=False),
            ),
            models.Index(
                fields=[*IN_THE_ORDER_OF_THE_LOBBY, "id"],
                name="table_in_the_lobby",
                condition=IN_THE_LOBBY,
            ),
        ]
        constraints = [
            WrittenCheck(
                condition=models.Q(max_seats__gte=2, max_seats__lte=8),
                name="a_table_has_two_to_eight_seats",
            ),
            WrittenCheck(
                condition=models.Q(bots_wanted=0) | models.Q(currency=Currency.CHIPS),
                name="bots_play_for_chips_only",
            ),
            WrittenCheck(
                condition=models.Q(bot_seats=[]) | models.Q(currency=Currency.CHIPS),
                name="bots_sit_for_chips_only",
            ),
            WrittenCheck(
                condition=models.Q(bots_wanted=0) | models.Q(is_rated=False),
                name="a_table_with_bots_is_not_rated",
            ),
            WrittenCheck(
                condition=models.Q(min_buy_in__gt=0, max_buy_in__gte=models.F("min_buy_in"))
                | (NOTHING_AT_STAKE & models.Q(min_buy_in=0, max_buy_in=0)),
                name="the_largest_buy_in_is_not_below_the_least",
            ),
            WrittenCheck(
                condition=models.Q(rake_bps__lte=10_000), name="rake_is_at_most_the_whole_pot"
            ),
            WrittenCheck(
                condition=models.Q(point_value__gt=0, entry_fee=0)
                | models.Q(point_value=0, entry_fee__gt=0)
                | (NOTHING_AT_STAKE & ~models.Q(event_url=""))
                | (
                    NOTHING_AT_STAKE
                    & ~models.Q(invite_code="")
                    & models.Q(currency=Currency.CHIPS, is_lesson=False)
                ),
                name="only_private_tables_and_those_of_events_are_free",
            ),
            WrittenCheck(
                condition=~NOTHING_AT_STAKE | models.Q(rake_bps=0, is_rated=False),
                name="a_free_table_takes_no_fee_and_is_not_rated",
            ),
            WrittenCheck(
                condition=models.Q(bots_take_over=False)
                | (NOTHING_AT_STAKE & models.Q(event_url="") & ~models.Q(invite_code="")),
                name="bots_take_over_at_free_private_tables",
            ),
            WrittenCheck(
                condition=~models.Q(invite_code="", event_url="")
                | models.Q(
                    admission=Admission.LINK, allows_watchers=True, allows_chat=True, host=None
                ),
                name="only_a_private_table_has_a_host_who_chooses",
            ),
            WrittenCheck(
                condition=~models.Q(admission=Admission.CLUB) | models.Q(club__isnull=False),
                name="a_table_for_members_has_a_club",
            ),
            WrittenCheck(
                condition=models.Q(overtime_at=None, overtime_turn_seconds=None, count_at=None)
                | models.Q(
                    overtime_at__isnull=False,
                    overtime_turn_seconds__isnull=False,
                    overtime_turn_seconds__gt=0,
                    count_at__isnull=False,
                    count_at__gte=models.F("overtime_at"),
                ),
                name="overtime_has_a_turn_and_an_end",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} (#{self.pk})"

    @property
    def is_private(self) -> bool:
        return bool(self.invite_code)

    @property
    def is_hosted(self) -> bool:
        """Return whether a player decides when the first match begins (tables/seating/hosting/services.py)."""
        return self.is_private and not self.is_lesson and not self.is_of_event

    @property
    def is_of_event(self) -> bool:
        return bool(self.event_url)

    @property
    def is_free(self) -> bool:
        """Return whether the table is without stakes: no buy-in, no fee, and no ledger postings."""
        return self.point_value == 0 and self.entry_fee == 0

    @property
    def stake(self) -> int:
        """Return the value of a point or the entry fee; 0 at a free table."""
        return self.point_value or self.entry_fee

    @property
    def is_open_to_guests(self) -> bool:
        """Return whether a person without an account may sit here: at a private table without a stake.

        A table only for friends or for a club's members is closed to guests.
        """
        return (
            self.is_free
            and self.is_hosted
            and self.admission not in (Admission.FRIENDS, Admission.CLUB)
        )

    @property
    def is_practice(self) -> bool:
        """Return whether practice bots join a waiting person. At a hosted table they only fill up a match."""
        return self.bots_wanted > 0 and not self.is_hosted

    @property
    def fills_with_bots(self) -> bool:
        return self.bots_wanted > 0 and self.is_hosted

    @property
    def helps_to_arrange(self) -> bool:
        """Return whether players may have the solver arrange their hands."""
        return self.is_practice or self.offers_arrangement

    @property
    def helps_to_declare(self) -> bool:
        """Return whether players may learn in advance how a declaration would be judged."""
        return self.is_practice or self.offers_verdict


class Seat(WithOrigin):
    """One player's stay on one seat. The stack is in the ledger, in the seat account with the id of this row."""

    table = models.ForeignKey(Table, models.PROTECT, related_name="sittings")
    number = models.PositiveSmallIntegerField(_("seat"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="sittings", db_constraint=False
    )
    status = models.CharField(
        _("status"), max_length=10, choices=SeatStatus, default=SeatStatus.WAITING
    )
    is_last_deal = models.BooleanField(
        _("last deal"), default=False, help_text=_("The player leaves after the running match.")
    )
    plays_again = models.BooleanField(
        _("plays again"),
        default=False,
        db_default=False,
        help_text=_(
            "The player has asked for the next match, so the others need not wait for an answer."
        ),
    )
    bot_since = models.DateTimeField(
        _("played by a bot since"),
        null=True,
        blank=True,
        help_text=_("Until the running match ends or the player is back."),
    )
    joined_at = models.DateTimeField(_("sat down at"), db_default=Now())
    left_at = models.DateTimeField(_("left at"), null=True, blank=True)
    # Since when the player has had no page open, and when they were notified that they still sit here
    # (tables/live/alerts.py).
    away_since = models.DateTimeField(null=True, blank=True)
    away_told_at = models.DateTimeField(null=True, blank=True)
    # For slow games (tables/live/slow_games.py): the `turn_version` for which the player was notified and
    # the one for which they were reminded, and whether they have yet to see a deal's result.
    told_turn = models.BigIntegerField(null=True, blank=True, editable=False)
    reminded_turn = models.BigIntegerField(null=True, blank=True, editable=False)
    awaits_look = models.BooleanField(default=False, db_default=False, editable=False)
    # Whether the player was told that a bot plays for them after too many missed turns.
    told_of_bot = models.BooleanField(default=False, db_default=False, editable=False)

    class Meta:
        verbose_name = _("sitting")
        verbose_name_plural = _("sittings")
        indexes = [
            models.Index(
                fields=["user"], name="seat_held", condition=models.Q(left_at__isnull=True)
            ),
            models.Index(
                fields=["left_at"],
                name="seat_with_origin",
                condition=~models.Q(device_mark="", address_mark=""),
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["table", "number"],
                condition=models.Q(left_at__isnull=True),
                name="one_person_to_a_seat",
            ),
            models.UniqueConstraint(
                fields=["table", "user"],
                condition=models.Q(left_at__isnull=True),
                name="one_seat_to_a_person_at_a_table",
            ),
        ]

    def __str__(self) -> str:
        return f"seat {self.number} of table #{self.table_id}"


class QueuePlace(WithOrigin):
    """A player's entry in the waiting list. `offered_until` is set while a free seat is reserved for them."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="queue")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="queue_places", db_constraint=False
    )
    joined_at = models.DateTimeField(_("waiting since"), db_default=Now())
    offered_until = models.DateTimeField(_("seat kept until"), null=True, blank=True)
    # The wallet's hold on the stack while the chair is kept.
    hold_id = models.BigIntegerField(null=True, blank=True)

    class Meta:
        verbose_name = _("place in a waiting list")
        verbose_name_plural = _("places in waiting lists")
        constraints = [
            models.UniqueConstraint(
                fields=["table", "user"], name="a_player_waits_once_for_a_table"
            )
        ]

    def __str__(self) -> str:
        return f"place of user #{self.user_id} for table #{self.table_id}"
