"""Opening a table. Its stakes never change, its fee only between matches, its rules only if a host changes them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils import timezone

from core.database.translated_texts import Words
from games.engine.base import JSON, Strength
from games.registry import get_game
from tables.models import Admission, HouseRules, OneAccountPer, Stakes, Table
from tables.models.house_rules import get_changes, read_rules
from tables.play.seeds import new_seed
from wallet.api import FeeTerms, get_fee
from wallet.money import Currency

# Largest buy-in at a points table, in multiples of the smallest.
BUY_INS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class TableTerms:
    """The terms of a table. Amounts are in the smallest unit of the currency.

    `game` and `preset` are codes of games/registry.py. `changes` are changed fields of the preset's rules, applied
    after the changes of the house rules if there are any. A format with a stake per point has a point value, any other
    format has an entry fee; a free table has neither.
    """

    game: str
    name: str
    max_seats: int
    preset: str
    changes: Mapping[str, JSON] = field(default_factory=dict)
    house_rules: HouseRules | None = None
    point_value: int = 0
    entry_fee: int = 0
    currency: Currency = Currency.CHIPS
    bots_wanted: int = 0
    bot_strength: Strength = "medium"
    template_id: int | None = None
    is_rated: bool = False
    offers_arrangement: bool = False
    offers_verdict: bool = False
    allows_api_players: bool = False
    one_account_per: str = OneAccountPer.DEVICE
    words: Words = field(default_factory=dict)
    invite_code: str = ""
    opened_by_id: int | None = None
    is_lesson: bool = False
    bots_take_over: bool = False
    # Who may enter a private table.
    admission: Admission = Admission.LINK
    club_id: int | None = None
    allows_watchers: bool = True
    allows_chat: bool = True
    # The seed of the first deal, if it is chosen; None if it is drawn.
    seed: bytes | None = None

    @property
    def stake(self) -> int:
        return self.point_value or self.entry_fee


def open_table(terms: TableTerms) -> Table:
    """Open a table with the current fee for its stake. Lessons and free tables have no fee.

    Raises NoFeeSchedule or InvalidRules.
    """
    return Table.objects.create(
        template_id=terms.template_id,
        **build_columns(terms),
        invite_code=terms.invite_code,
        opened_by_id=terms.opened_by_id,
        is_lesson=terms.is_lesson,
        next_seed=new_seed() if terms.seed is None else terms.seed,
    )


def build_columns(terms: TableTerms) -> dict[str, Any]:
    """Return the columns of a table that follow from its terms, with the current fee.

    Raises NoFeeSchedule or InvalidRules.
    """
    game = get_game(terms.game)
    rules = build_rules(terms)
    format = game.money.get_format_code(rules)
    fee = _get_fee(terms, format)
    # R7.1: a player must bring at least the largest possible loss.
    least = terms.entry_fee or game.money.largest_loss(rules) * terms.point_value
    return {
        **{name: getattr(terms, name) for name in Stakes.names()},
        **_title_of_rules(terms),
        "format": format,
        "rules": game.rules.json(rules),
        "min_buy_in": least,
        "max_buy_in": terms.entry_fee or least * BUY_INS,
        "rake_bps": 0 if fee is None else fee.rake_bps,
        "rake_cap": None if fee is None else fee.rake_cap,
        "bots_take_over": terms.bots_take_over,
        "admission": terms.admission,
        "club_id": terms.club_id,
        "allows_watchers": terms.allows_watchers,
        "allows_chat": terms.allows_chat,
    }


def build_rules(terms: TableTerms) -> Any:
    """Return the rule set of a table with these terms. Raises InvalidRules."""
    changes = {**get_changes(terms.house_rules), **terms.changes}
    rules = read_rules(terms.game, terms.preset, changes)
    return rules if terms.stake else get_game(terms.game).money.adapt_to_no_stake(rules)


def _title_of_rules(terms: TableTerms) -> dict[str, Any]:
    """Return a copy of the title of the house rules in all its languages; empty without house rules."""
    house = terms.house_rules
    if house is None:
        return {"house_rules": None, "rules_title": ""}
    words = {language: dict(texts) for language, texts in terms.words.items()}
    for language, texts in house.words.items():
        if name := texts.get("name"):
            words.setdefault(language, {})["rules_title"] = name
    return {"house_rules": house, "rules_title": house.name, "words": words}


def _get_fee(terms: TableTerms, format: str) -> FeeTerms | None:
    if terms.is_lesson or not terms.stake:
        return None
    return get_fee(
        game=terms.game,
        format=format,
        currency=terms.currency,
        stake=terms.stake,
        at=timezone.now(),
    )
