"""The views of 500 Rum: the public one, and the private one of a seat (F14)."""

from collections.abc import Iterable
from typing import Any, Final

from games.cards import CARD_TEXT, Card
from games.engine import laid
from games.engine.game import View
from games.engine.laying import WORD_FOR_RUN
from games.five_hundred.rules.match import Match
from games.five_hundred.rules.moves import count_laid_by
from games.five_hundred.rules.ruleset import FiveHundredRules


def public_view(match: Match) -> dict[str, Any]:
    deal, rules, scores = match.deal, match.rules, match.scores
    view = laid.public_view(
        match,
        WORD_FOR_RUN,
        _count(rules),
        players=lambda player: {
            "score": scores[player.seat],
            "laid_points": count_laid_by(deal.melds, player.seat, rules),
        },
        more={
            "target": rules.target,
            "scores": {str(seat): score for seat, score in scores.items()},
        },
    )
    due = deal.must_use if deal.in_turn else None
    return {**view, "must_use": None if due is None else CARD_TEXT[due]}


def private_view(match: Match, seat: int) -> dict[str, Any]:
    return laid.private_view(match, seat, _count(match.rules))


def _count(rules: FiveHundredRules) -> laid.Count:
    def count(cards: Iterable[Card]) -> int:
        return sum(map(rules.points_of, cards))

    return count


VIEW: Final = View(public_view, private_view, laid.NOTHING_PRIVATE)
