"""What may be seen: by everybody, and by the player on one seat alone (C20)."""

from collections.abc import Iterable
from typing import Any, Final

from tables.games.base import JSON
from tables.games.cards import CARD_TEXT, Card, card_texts
from tables.games.contract.advice import contract_of
from tables.games.contract.deal import Deal, Phase, Player
from tables.games.contract.laying import WORD_FOR_RUN
from tables.games.contract.match import Match
from tables.games.contract.rulesets import ContractRules
from tables.games.rummy import seatview
from tables.games.rummy.deal import player_at
from tables.games.rummy.seatview import Count

NOTHING_PRIVATE: Final[dict[str, JSON]] = {
    **seatview.NOTHING_PRIVATE,
    "bought": [],
    "never_buy": False,
    "asked": False,
    "answer": None,
    "missing": None,
}


def public_view(match: Match) -> dict[str, JSON]:
    deal: Deal = match.deal
    rules: ContractRules = match.rules
    view: dict[str, Any] = seatview.public_view(match, WORD_FOR_RUN, _count(rules))
    totals = match.lost
    return {
        **view,
        "contract": list(deal.contract),
        "is_whole": deal.is_whole,
        "buying": _buying(deal),
        "players": {
            str(player.seat): {
                **seatview.player_view(match, player),
                "total": totals[player.seat],
                "buys_left": _buys_left(rules, player),
            }
            for player in deal.players
        },
        "match": {
            **view["match"],
            "contracts": [list(contract) for contract in rules.contracts[: rules.deals]],
            "totals": {str(seat): total for seat, total in totals.items()},
        },
    }


def private_view(match: Match, seat: int) -> dict[str, JSON]:
    deal: Deal = match.deal
    player: Player | None = player_at(deal, seat)
    if player is None:
        return dict(NOTHING_PRIVATE)
    answers = dict(deal.window.answers) if deal.window is not None else {}
    said = answers.get(seat)
    return {
        **seatview.private_view(match, seat, _count(match.rules)),
        "bought": card_texts(player.bought),
        "never_buy": player.never_buy,
        "asked": deal.window is not None and seat in deal.window.waiting,
        "answer": None if said is None else "buy" if said else "pass",
        "missing": _missing(deal, match.rules, player),
    }


def _missing(deal: Deal, rules: ContractRules, player: Player) -> JSON:
    """How many cards the contract lacks; None where it is laid, or played no more."""
    if deal.phase is Phase.OVER or not player.is_playing or player.laid_in is not None:
        return None
    return contract_of(deal, rules, player).lacking


def _buying(deal: Deal) -> JSON:
    """Who may buy, and until when; who has answered, and what, nobody sees (C20)."""
    window = deal.window
    if window is None:
        return None
    return {"card": CARD_TEXT[window.card], "seats": list(window.may), "due_at": deal.due_at}


def _buys_left(rules: ContractRules, player: Player) -> JSON:
    """None: as many as one likes."""
    if not rules.buying:
        return 0
    return None if rules.max_buys is None else rules.max_buys - player.buys


def _count(rules: ContractRules) -> Count:
    def count(cards: Iterable[Card]) -> int:
        return sum(map(rules.points_of, cards))

    return count
