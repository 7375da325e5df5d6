"""Opening a table: its rules and stakes are fixed for as long as it stands, its fee for a match."""

from dataclasses import dataclass

from django.utils import timezone

from tables.games.base import Strength
from tables.games.registry import get_game
from tables.models import Stakes, Table
from tables.play.fairness import new_seed
from wallet.fees.selectors import fee_for
from wallet.money import Currency

# Most that may be brought to a points table, in multiples of the least.
BUY_INS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class TableWish:
    """What an operator chooses; amounts in the smallest unit of the currency.

    A points table has a point value, every other an entry fee.
    """

    name: str
    max_seats: int
    preset: str = "points"
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
    invite_code: str = ""
    opened_by_id: int | None = None
    is_lesson: bool = False


def open_table(wish: TableWish) -> Table:
    """Open a table with the fee that the schedule asks for its stake now."""
    game = get_game("indian")
    rules = game.preset(wish.preset)
    format = game.family(rules)
    fee = fee_for(
        format=format,
        currency=wish.currency,
        stake=wish.point_value or wish.entry_fee,
        at=timezone.now(),
    )
    # R7.1: nobody sits down with less than the largest loss.
    least = wish.entry_fee or game.largest_loss(rules) * wish.point_value
    return Table.objects.create(
        template_id=wish.template_id,
        **{name: getattr(wish, name) for name in Stakes.names()},
        game=game.code,
        format=format,
        rules=game.rules_json(rules),
        min_buy_in=least,
        max_buy_in=wish.entry_fee or least * BUY_INS,
        rake_bps=fee.rake_bps,
        rake_cap=fee.rake_cap,
        invite_code=wish.invite_code,
        opened_by_id=wish.opened_by_id,
        is_lesson=wish.is_lesson,
        next_seed=new_seed(),
    )
