"""The terms that a template shares with each tournament made from it."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from core.database.translated_texts import InLanguages
from games.engine.base import JSON, InvalidRules
from games.registry import get_game
from tables.catalog import list_offered_games, title_of_game, translate
from tables.house_rules.facts import own_rules_line
from tables.models import BotStrength, HouseRules
from tables.models.house_rules import get_changes, read_rules
from tables.models.stakes import GAME_LENGTH
from tournaments.rules.bracket import Structure
from tournaments.rules.format import TournamentFormat
from tournaments.rules.formats import (
    FORMATS,
    HEADS_UP,
    KNOCK_OUT,
    SHOOT_OUT,
    format_choices,
)
from tournaments.rules.payouts import PayoutStep, PayoutTable, PayoutTableKind
from tournaments.rules.shoot_out import STAKES, parse_stakes
from wallet.money import BPS, Currency

LEAST_ROUND_SECONDS = 60
MOST_DEALS = 6
MOST_ENTRANTS = 50_000


class PrizeKind(models.TextChoices):
    """The kind of a tournament's prizes. If several kinds apply, the first one is used."""

    SATELLITE = "SATELLITE", _("Satellite")
    FREE = "FREE", _("Free")
    CHIPS = "CHIPS", _("Chips")
    CASH = "CASH", _("Cash")


class PayoutKind(models.TextChoices):
    PERCENT = PayoutTableKind.PERCENT.value, _("Percent of the prize pool")
    FIXED = PayoutTableKind.FIXED.value, _("Fixed amounts")


THREE_STAKES = "1, 2, 4"


def three_prizes() -> list[list[int]]:
    return [[1, 5_000], [1, 3_000], [1, 2_000]]


class Terms(InLanguages):
    """The terms of a tournament. Amounts are in the smallest unit of `currency`, times in seconds.

    `payout_table` is a list of [number of ranks, share], best ranks first. Each of these ranks gets the share,
    in basis points of the pool or as an amount.
    """

    worded = ("name", "description")

    name = models.CharField(_("name"), max_length=60)
    description = models.TextField(
        _("description"),
        max_length=500,
        blank=True,
        default="",
        db_default="",
        help_text=_("A few sentences at the top of its page."),
    )
    format = models.CharField(
        _("format"), max_length=20, choices=format_choices, default=KNOCK_OUT.code
    )
    game = models.CharField(_("game"), max_length=GAME_LENGTH)
    preset = models.CharField(
        _("rules"),
        max_length=40,
        help_text=_("A rule set of the game that tournaments are played by, for instance deals2."),
    )
    house_rules = models.ForeignKey(
        HouseRules,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("house rules"),
    )
    seats = models.PositiveSmallIntegerField(
        _("seats at a table"), default=6, validators=[MinValueValidator(2), MaxValueValidator(8)]
    )
    deals = models.PositiveSmallIntegerField(
        _("deals in a round"),
        default=2,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_DEALS)],
    )
    qualifiers = models.PositiveSmallIntegerField(
        _("advance from a table"), default=2, validators=[MinValueValidator(1)]
    )
    stakes = models.CharField(
        _("chips a point, by round"),
        max_length=80,
        default=THREE_STAKES,
        db_default=THREE_STAKES,
        help_text=_(
            "For a points shoot-out: “1, 2, 4” means three rounds in which a point is "
            "worth 1, 2 and 4 tournament chips. The last round is the final, for the "
            "players with the most chips."
        ),
    )
    start_chips = models.PositiveIntegerField(
        _("tournament chips at the start"),
        default=0,
        db_default=0,
        help_text=_(
            "For a points shoot-out. 0: enough that no player can run out of chips. A "
            "player with fewer chips than a round can cost is out before that round."
        ),
    )
    break_seconds = models.PositiveIntegerField(_("break between rounds, in seconds"), default=60)
    round_seconds = models.PositiveIntegerField(
        _("time limit of a round, in seconds"),
        default=1_200,
        validators=[MinValueValidator(LEAST_ROUND_SECONDS)],
        help_text=_("No new deal begins in the last 30 seconds of a round."),
    )
    # Null in rows that were created before overtime was introduced.
    overtime_turn_seconds = models.PositiveSmallIntegerField(
        _("turn in overtime, in seconds"),
        default=10,
        db_default=0,
        help_text=_(
            "After the time limit a turn is no longer than this. 0: turns stay as they "
            "are, and deals are played to their end."
        ),
    )
    overtime_seconds = models.PositiveIntegerField(
        _("overtime, in seconds"),
        default=120,
        db_default=120,
        help_text=_(
            "A deal still running this long after the time limit is ended, and "
            "its hands are counted."
        ),
    )
    seats_early = models.BooleanField(
        _("begins tables of the next round early"),
        default=True,
        db_default=False,
        help_text=_(
            "A table of the next round begins as soon as the tables that feed it have ended. "
            "Otherwise the next round is drawn when this one is over."
        ),
    )
    allows_api_players = models.BooleanField(
        _("allows API players"), default=False, db_default=False
    )
    late_seconds = models.PositiveIntegerField(
        _("late registration, in seconds"),
        default=0,
        help_text=_(
            "Counted from the start, while the first round runs; 0 for no late registration."
        ),
    )
    currency = models.CharField(
        _("currency"), max_length=5, choices=[(c, c) for c in Currency], default=Currency.CHIPS
    )
    entry_fee = models.BigIntegerField(
        _("entry fee"),
        default=0,
        validators=[MinValueValidator(0)],
        help_text=_("In chips or paise; 0 for a free tournament."),
    )
    min_entrants = models.PositiveIntegerField(
        _("minimum number of players"), default=2, validators=[MinValueValidator(2)]
    )
    max_entrants = models.PositiveIntegerField(
        _("maximum number of players"), default=600, validators=[MaxValueValidator(MOST_ENTRANTS)]
    )
    guarantee = models.BigIntegerField(
        _("guaranteed prize pool"),
        default=0,
        validators=[MinValueValidator(0)],
        help_text=_("The house adds the rest if the entry fees bring less."),
    )
    payout_kind = models.CharField(
        _("prizes are"), max_length=10, choices=PayoutKind, default=PayoutKind.PERCENT
    )
    payout_table = models.JSONField(_("prizes"), default=three_prizes)
    rebuys = models.PositiveSmallIntegerField(
        _("rebuys"), default=0, help_text=_("How many times a player may pay again to come back.")
    )
    rebuy_rounds = models.PositiveSmallIntegerField(
        _("rebuys until round"), default=1, help_text=_("Players can never rebuy into the final.")
    )
    rebuy_below = models.PositiveIntegerField(
        _("rebuy with fewer chips than"),
        default=0,
        help_text=_("0: fewer chips than a round begins with."),
    )
    bots_to = models.PositiveIntegerField(
        _("fill up with bots to"),
        default=0,
        help_text=_(
            "Practice bots join at the start up to this number of players. Only for chips."
        ),
    )
    bot_strength = models.CharField(
        _("strength of the bots"), max_length=10, choices=BotStrength, default=BotStrength.MEDIUM
    )

    class Meta:
        abstract = True

    @property
    def format_rules(self) -> TournamentFormat:
        return FORMATS[self.format]

    @property
    def structure(self) -> Structure:
        return Structure(self.seats, self.qualifiers, self.costs)

    @property
    def stake_of_rounds(self) -> tuple[int, ...]:
        """R10.11: return the chips per point in each round; empty in other formats."""
        return parse_stakes(self.stakes) if self.format_rules.keeps_chips else ()

    @property
    def costs(self) -> tuple[int, ...]:
        """R10.11: return the most chips that each round can cost a player; empty in other formats."""
        stakes = self.stake_of_rounds
        if not stakes:
            return ()
        if not self.is_playable:
            return (0,) * len(stakes)
        worst = self.deals * get_game(self.game).money.largest_loss(self.rules(places=1))
        return tuple(worst * stake for stake in stakes)

    @property
    def game_title(self) -> str:
        """Return the game's title, or "" on a site that offers only one game."""
        return title_of_game(self.game) if len(list_offered_games()) > 1 else ""

    @property
    def is_playable(self) -> bool:
        """Return whether the game still has these rules."""
        try:
            self.rules(places=1)
        except InvalidRules:
            return False
        return True

    @property
    def match_title(self) -> str:
        """Return the title of a table's match: "Pool 101", "2 deals a round", "Gin to 100".

        It is empty if the game has dropped the rules.
        """
        if not self.is_playable:
            return ""
        rules = self.rules(places=1)
        money = get_game(self.game).money
        if money.find_exit_score(rules) is None and money.event_start(rules):
            words = ngettext("%(deals)s deal a round", "%(deals)s deals a round", self.deals)
            return words % {"deals": self.deals}
        return translate(money.format_title(rules))

    @property
    def starting_stack(self) -> int:
        """Return the chips with which each player starts (`Money.event_start`).

        If players keep their chips from round to round (R10.11), they start the tournament with them, otherwise each
        round.
        """
        if self.stake_of_rounds:
            return self.start_chips or sum(self.costs)
        if not self.is_playable:
            return 0
        game = get_game(self.game)
        return game.money.event_start(self.rules(places=self.qualifiers))

    def get_changed_rules(self) -> Mapping[str, JSON]:
        """Return the fields of the house rules that differ from the preset."""
        return get_changes(self.house_rules)

    @property
    def chosen_rules(self) -> Any:
        """Return the chosen rule set before it is adapted to tournaments. Raises InvalidRules."""
        return read_rules(self.game, self.preset, self.get_changed_rules())

    @property
    def out_at(self) -> int | None:
        """Return the score that eliminates a player from a match of a pool tournament (R10.13), otherwise None.

        Return None too for rules that the game has dropped, because they are no longer played.
        """
        try:
            rules = self.chosen_rules
        except InvalidRules:
            return None
        return get_game(self.game).money.find_exit_score(rules)

    @property
    def own_rules(self) -> str:
        """Return a line with the differences from the game's default rules.

        It is empty if there are none, or if the game has dropped the rules.
        """
        if not self.is_playable:
            return ""
        return own_rules_line(self.game, self.chosen_rules, adapt=self._adapt_rules)

    def _adapt_rules(self, rules: Any) -> Any:
        """Return a rule set adapted to this tournament."""
        return get_game(self.game).money.adapt_to_event(
            rules, deals=self.deals, qualifiers=self.qualifiers
        )

    def rules(self, *, places: int) -> Any:
        """Return the rules of tables from which `places` players advance. Raises InvalidRules."""
        return get_game(self.game).money.adapt_to_event(
            self.chosen_rules, deals=self.deals, qualifiers=places
        )

    def build_staked_rules(self, *, places: int, number: int, stacks: Sequence[int]) -> Any:
        """Return the rules of a table of round `number` to which each player brings their own stack (R10.11)."""
        stake = self.stake_of_rounds[number - 1]
        return get_game(self.game).money.adapt_to_stakes(
            self.rules(places=places), point_chips=stake, stacks=stacks
        )

    @property
    def rebuy_limit(self) -> int:
        """Return the number of chips below which a player may rebuy at the end of a round."""
        return self.rebuy_below or self.starting_stack

    @property
    def payout_table_of_terms(self) -> PayoutTable:
        """Return the payout table. Raises InvalidPayoutTable."""
        return PayoutTable(
            PayoutTableKind(self.payout_kind),
            tuple(PayoutStep(*map(int, step)) for step in self.payout_table),
        )

    @staticmethod
    def names() -> tuple[str, ...]:
        """Return the names of the fields that templates and tournaments share."""
        return tuple(field.name for field in Terms._meta.local_fields)

    def terms(self) -> dict[str, Any]:
        """Return the values of the fields in `names`, for a tournament that is created from a template."""
        return {name: getattr(self, name) for name in self.names()}


class PoolRules(NamedTuple):
    """The title of a pool tournament's matches, such as "Pool 101", and the score that eliminates a player."""

    title: str
    limit: int


def pool_rules(terms: Terms) -> PoolRules | None:
    """Return the title and the score limit of a pool tournament (R10.13), or None for any other tournament."""
    limit = terms.out_at
    if limit is None:
        return None
    return PoolRules(translate(get_game(terms.game).money.format_title(terms.chosen_rules)), limit)


def rules_of_terms(prefix: str) -> list[models.BaseConstraint]:
    """Return the constraints of all terms. Constraint names must be unique in a database."""
    rules = {
        "has_two_to_eight_seats": Q(seats__gte=2, seats__lte=8),
        "lets_some_of_a_table_go_on": Q(qualifiers__gte=1, qualifiers__lt=F("seats")),
        "has_one_to_six_deals_in_a_round": Q(deals__gte=1, deals__lte=MOST_DEALS),
        "round_takes_a_minute_at_least": Q(round_seconds__gte=LEAST_ROUND_SECONDS),
        "has_two_players_at_least": Q(min_entrants__gte=2, max_entrants__gte=F("min_entrants")),
        "takes_no_negative_fee": Q(entry_fee__gte=0, guarantee__gte=0),
        "has_bots_for_chips_only": Q(bots_to=0) | Q(currency=Currency.CHIPS),
        "sells_rebuys_for_a_fee_only": Q(rebuys=0) | Q(entry_fee__gt=0),
        "plays_heads_up_by_two": ~Q(format=HEADS_UP.code)
        | Q(seats=2, qualifiers=1, rebuys=0, late_seconds=0),
        "has_a_stake_for_each_round": Q(stakes__regex=STAKES),
        "keeps_chips_without_rebuys": ~Q(format=SHOOT_OUT.code) | Q(rebuys=0),
        "allows_api_players_for_chips_only": Q(allows_api_players=False)
        | Q(currency=Currency.CHIPS),
    }
    return [
        models.CheckConstraint(
            condition=condition, name=f"{prefix}_{name}", violation_error_message=_MESSAGES[name]
        )
        for name, condition in rules.items()
    ]


_MESSAGES = {
    "has_two_to_eight_seats": _("A table has two to eight seats."),
    "lets_some_of_a_table_go_on": _("Fewer players must advance from a table than it has seats."),
    "has_one_to_six_deals_in_a_round": _("A round has one to six deals."),
    "round_takes_a_minute_at_least": _("A round takes at least 60 seconds."),
    "has_two_players_at_least": _(
        "At least two players must take part, and the maximum must not be below the minimum."
    ),
    "takes_no_negative_fee": _("An entry fee and a guarantee must not be negative."),
    "has_bots_for_chips_only": _("Bots play for chips only."),
    "sells_rebuys_for_a_fee_only": _("A free tournament has no rebuys."),
    "plays_heads_up_by_two": _(
        "A heads-up bracket has two seats at a table, one of which advances, no rebuys and no "
        "late registration."
    ),
    "has_a_stake_for_each_round": _("Enter 2 to 12 stakes of 1 to 9999 chips."),
    "keeps_chips_without_rebuys": _("A points shoot-out has no rebuys."),
    "allows_api_players_for_chips_only": _("API players play for chips only."),
}


def rules_of_rake(prefix: str) -> list[models.BaseConstraint]:
    return [
        models.CheckConstraint(
            condition=Q(rake_bps=None) | Q(rake_bps__gte=0, rake_bps__lte=BPS),
            name=f"{prefix}_rake_is_a_share",
            violation_error_message=_("The fee must be 0 to 10000 hundredths of a percent."),
        )
    ]
