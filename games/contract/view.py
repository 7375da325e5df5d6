"""The views of Contract Rummy: the public one, and the private one of a seat (C20)."""

from collections.abc import Iterable
from typing import Any, Final

from games.cards import CARD_TEXT, Card, card_texts
from games.contract.rules.deal import Deal, Player
from games.contract.rules.match import Match
from games.contract.rules.missing import find_missing_for
from games.contract.rules.moves import WORD_FOR_RUN
from games.contract.rules.ruleset import ContractRules
from games.engine import laid
from games.engine.base import JSON
from games.engine.game import View

NOTHING_PRIVATE: Final[dict[str, JSON]] = {
    **laid.NOTHING_PRIVATE,
    "bought": [],
    "never_buy": False,
    "asked": False,
    "answer": None,
    "missing": None,
}


def public_view(match: Match) -> dict[str, Any]:
    deal, rules, totals = match.deal, match.rules, match.lost
    view = laid.public_view(
        match,
        WORD_FOR_RUN,
        _count(rules),
        players=lambda player: {
            "total": totals[player.seat],
            "buys_left": _count_buys_left(rules, player),
        },
        more={
            "contracts": [[*contract] for contract in rules.contracts[: rules.deals]],
            "totals": {str(seat): total for seat, total in totals.items()},
        },
    )
    return {
        **view,
        "contract": [*deal.contract],
        "is_whole": deal.is_whole,
        "buying": _describe_sale(deal),
    }


def private_view(match: Match, seat: int) -> dict[str, Any]:
    deal = match.deal
    player: Player | None = deal.player(seat)
    if player is None:
        return dict(NOTHING_PRIVATE)
    answers = {} if deal.window is None else dict(deal.window.answers)
    said = answers.get(seat)
    return {
        **laid.private_view(match, seat, _count(match.rules)),
        "bought": card_texts(player.bought),
        "never_buy": player.never_buy,
        "asked": deal.window is not None and seat in deal.window.waiting,
        "answer": None if said is None else "buy" if said else "pass",
        "missing": _count_missing(deal, match.rules, player),
    }


def _count_missing(deal: Deal, rules: ContractRules, player: Player) -> int | None:
    """Return the number of cards that the contract lacks, or None if the player has no contract left to lay."""
    if deal.is_over or not player.is_playing or player.laid_in is not None:
        return None
    return find_missing_for(deal, rules, player).lacking


def _describe_sale(deal: Deal) -> JSON:
    """Return the card on sale, the seats that may buy it, and the deadline. Answers are secret (C20)."""
    window = deal.window
    if window is None:
        return None
    return {"card": CARD_TEXT[window.card], "seats": [*window.may], "due_at": deal.due_at}


def _count_buys_left(rules: ContractRules, player: Player) -> int | None:
    """Return how many more cards a player may buy, or None if there is no limit."""
    if not rules.buying:
        return 0
    return None if rules.max_buys is None else rules.max_buys - player.buys


def _count(rules: ContractRules) -> laid.Count:
    def count(cards: Iterable[Card]) -> int:
        return sum(map(rules.points_of, cards))

    return count


VIEW: Final = View(public_view, private_view, NOTHING_PRIVATE)
