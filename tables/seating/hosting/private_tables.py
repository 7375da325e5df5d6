"""Opening private tables by a host's choices, within the operator's limits."""

import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy

from accounts.models.sessions import NOWHERE, Origin
from core.database.translated_texts import Words, translate_everywhere
from core.refusals import SWITCHED_OFF, Refusal
from core.site.features import PRIVATE_TABLES, is_on
from core.throttling import Rate, take
from games.engine.base import JSON, Strength
from games.engine.paces import Pace, is_slow, pace_fields
from games.registry import get_format, get_game
from tables.catalog import game_switch
from tables.models import (
    Admission,
    Club,
    HouseRules,
    OneAccountPer,
    Table,
    TableStatus,
    TableTemplate,
    UsualTable,
    clubs_led_by,
)
from tables.play.seats import refuse_if_barred
from tables.refusals import (
    API_PLAYERS_NOT_ALLOWED,
    BOTS_PLAY_FOR_NOTHING,
    CHIPS_ONLY,
    OFFICERS_ONLY,
    STAKE_NOT_OFFERED,
    TOO_OFTEN,
    SeatsOutOfRange,
    TableNotFound,
    TooManyTables,
)
from tables.seating.opening import TableTerms, build_rules, open_table
from tables.seating.selectors import get_table_limit
from tables.seating.sitting import take_seat
from tables.seating.supply import build_terms, compute_usual_amount
from wallet.money import Currency

INVITE_BYTES: Final = 9
# A closed table stays in the records, so those open at once are not the only ones to limit.
OPENED_AN_HOUR: Final = 120
_HOUR_SECONDS: Final = 3_600


# The form's prefix for the number of house rules.
HOUSE: Final = "house-"
# For slow games: each player has a day for a move, and chips should not be tied up for weeks.
MOST_SLOW_SEATS: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class HostTerms:
    """A host's choices. `changes` are the changed fields of the preset's rules, including those of `house_rules`.

    `stake` is the point value if the format is played for points, otherwise the entry fee. 0 means a free table.
    """

    game: str
    preset: str
    seats: int
    stake: int = 0
    pace: Pace = "usual"
    changes: Mapping[str, JSON] = field(default_factory=dict)
    house_rules: HouseRules | None = None
    admission: Admission = Admission.LINK
    club_id: int | None = None
    allows_watchers: bool = True
    allows_chat: bool = True
    fills_with_bots: bool = False
    bot_strength: Strength = "medium"
    bots_take_over: bool = False
    allows_programs: bool = False
    gives_help: bool = False


def list_offered_stakes(game: str, stake: str) -> list[int]:
    """Return the stakes of this game's open templates for chips, lowest first.

    They are point values if `stake` is "per_point", and entry fees otherwise.
    """
    column = "point_value" if stake == "per_point" else "entry_fee"
    templates = TableTemplate.objects.filter(
        game=game, is_open=True, currency=Currency.CHIPS, **{f"{column}__gt": 0}
    )
    return list(templates.order_by(column).values_list(column, flat=True).distinct())


def list_offered_house_rules(game: str, names: Collection[str] | None) -> dict[str, HouseRules]:
    """Return the house rules of a game's open templates that `may_be_hosted` accepts, as a mapping from code."""
    used = HouseRules.objects.filter(game=game, table_templates__is_open=True).distinct()
    return {f"{HOUSE}{house.pk}": house for house in used if may_be_hosted(house, names)}


def may_be_hosted(house: HouseRules, names: Collection[str] | None) -> bool:
    """Return whether the game still has these rules, and all changed fields are in `names`. None allows any."""
    return house.is_played and (names is None or house.changes.keys() <= set(names))


@transaction.atomic
def open_hosted_table(
    terms: HostTerms,
    *,
    user_id: int,
    choices: Mapping[str, Any] | None = None,
    by_program: bool = False,
    origin: Origin = NOWHERE,
) -> Table:
    """Open a private table with these choices, and seat its host with the default buy-in.

    `choices` are remembered as this player's defaults for the game. Raises InvalidRules or a Refusal; then there is no
    table.
    """
    if not is_on(game_switch(terms.game)):
        raise Refusal(SWITCHED_OFF)
    refuse_foreign_club(terms, user_id)
    of_table = build_table_terms(terms, user_id)
    refuse_to_open(user_id, slow=is_slow(build_rules(of_table)))
    table = open_table(of_table)
    take_seat(
        table_id=table.pk,
        user_id=user_id,
        amount=compute_usual_amount(table, user_id),
        invite=table.invite_code,
        by_program=by_program,
        origin=origin,
    )
    if choices is not None:
        UsualTable.objects.update_or_create(
            user_id=user_id,
            game=terms.game,
            defaults={"choices": dict(choices), "chosen_at": Now()},
        )
    return table


def refuse_foreign_club(terms: HostTerms, user_id: int) -> None:
    """Raise OFFICERS_ONLY if the table is for the members of a club and this player is not one of its officers."""
    if terms.club_id is not None and terms.club_id not in {
        club.pk for club in clubs_led_by(user_id)
    }:
        raise Refusal(OFFICERS_ONLY)


def open_club_table(terms: HostTerms) -> Table:
    """Open a club's table without a host. The first member who sits down becomes its host.

    Raises InvalidRules or a Refusal.
    """
    return open_table(build_table_terms(terms, None))


def get_last_choices(*, user_id: int, game: str) -> Mapping[str, Any]:
    """Return the choices of this player's last private table of a game; empty if there was none."""
    choices = UsualTable.objects.filter(user_id=user_id, game=game).values_list(
        "choices", flat=True
    )
    return choices.first() or {}


def build_table_terms(terms: HostTerms, user_id: int | None) -> TableTerms:
    """Convert a host's terms to those of a table.

    Raises InvalidRules, SeatsOutOfRange, STAKE_NOT_OFFERED or BOTS_PLAY_FOR_NOTHING.
    """
    game = get_game(terms.game)
    usual = game.rules.preset(terms.preset)
    changes = {**pace_fields(game.rules, usual, terms.pace), **terms.changes}
    rules = game.rules.change(usual, **changes)
    format = get_format(terms.game, game.money.get_format_code(rules))
    most = min(format.seats[-1], MOST_SLOW_SEATS) if is_slow(rules) else format.seats[-1]
    if not format.seats[0] <= terms.seats <= most:
        raise SeatsOutOfRange(format.seats[0], most)
    is_offered = terms.stake in list_offered_stakes(terms.game, format.stake) and not is_slow(rules)
    if terms.stake and not is_offered:
        raise Refusal(STAKE_NOT_OFFERED)
    if terms.stake and (terms.fills_with_bots or terms.bots_take_over or terms.allows_programs):
        raise Refusal(BOTS_PLAY_FOR_NOTHING)
    name, words = _name() if terms.club_id is None else (_name_of_club(terms.club_id), {})
    is_for_points = format.stake == "per_point"
    return TableTerms(
        game=terms.game,
        preset=terms.preset,
        changes=changes,
        house_rules=terms.house_rules,
        name=name,
        words=words,
        max_seats=terms.seats,
        point_value=terms.stake if is_for_points else 0,
        entry_fee=0 if is_for_points else terms.stake,
        bots_wanted=terms.seats - 1 if terms.fills_with_bots else 0,
        bot_strength=terms.bot_strength,
        bots_take_over=terms.bots_take_over,
        allows_api_players=terms.allows_programs,
        offers_arrangement=terms.gives_help,
        offers_verdict=terms.gives_help,
        one_account_per=OneAccountPer.ANYTHING,
        invite_code=make_code(),
        opened_by_id=user_id,
        admission=terms.admission,
        club_id=terms.club_id,
        allows_watchers=terms.allows_watchers,
        allows_chat=terms.allows_chat,
    )


def _name() -> tuple[str, Words]:
    """Return the common name of hosted tables in the site's default language, and in the others. It names no person."""
    usual, others = translate_everywhere(gettext_lazy("Table of friends"))
    return usual, {code: {"name": name} for code, name in others.items()}


def _name_of_club(club_id: int) -> str:
    return Club.objects.values_list("name", flat=True).get(pk=club_id)


@transaction.atomic
def open_private(*, template_id: int, user_id: int, by_program: bool = False) -> Table:
    """Open a private table of this kind, for people who have its link. It is for chips, without bots and API players.

    Raises SWITCHED_OFF, TableNotFound, CHIPS_ONLY, API_PLAYERS_NOT_ALLOWED or TooManyTables, or a Refusal if the player
    may not play.
    """
    template = TableTemplate.objects.filter(pk=template_id, is_open=True).first()
    refuse_to_open(user_id, slow=template is not None and is_slow(template.rule_set))
    if template is None:
        raise TableNotFound
    if template.currency != Currency.CHIPS:
        raise Refusal(CHIPS_ONLY)
    if by_program:
        raise Refusal(API_PLAYERS_NOT_ALLOWED)
    terms = replace(
        build_terms(template),
        bots_wanted=0,
        is_rated=False,
        allows_api_players=False,
        one_account_per=OneAccountPer.ANYTHING,
        invite_code=make_code(),
        opened_by_id=user_id,
    )
    return open_table(terms)


def refuse_to_open(user_id: int, *, slow: bool) -> None:
    """Check that this player may open a private table.

    Raises SWITCHED_OFF, TooManyTables or TOO_OFTEN, or a Refusal if the player may not play. It locks the player, so
    that two requests cannot both open the last permitted table.
    """
    if not is_on(PRIVATE_TABLES):
        raise Refusal(SWITCHED_OFF)
    refuse_if_barred(user_id)
    opened = Table.objects.filter(opened_by=user_id, is_slow=slow)
    opened = opened.exclude(status=TableStatus.CLOSED)
    if opened.count() >= get_table_limit(is_slow=slow):
        raise TooManyTables(list(opened.order_by("pk").values_list("pk", "name")))
    if not take(Rate(f"opened:{user_id}", OPENED_AN_HOUR, _HOUR_SECONDS)).is_allowed:
        raise Refusal(TOO_OFTEN)


def make_code() -> str:
    return secrets.token_urlsafe(INVITE_BYTES)
