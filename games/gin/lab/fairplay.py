"""How one player of gin gave points to the other in a match (docs/fair-play.md).

With only two players, a discard cannot help one opponent more than another. Only dumping is possible, and `PairSums`
contains only losses.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from games.analysis.situations import Step
from games.analysis.writing import write_card
from games.cards import CARD_BY_TEXT, Card
from games.engine.game import Delivery, PairSums
from games.gin.bots.expert import list_discards
from games.gin.bots.value import GinStanding, assess_hand, estimate_value
from games.gin.lab.analysis.options import find_best_knock
from games.gin.lab.analysis.reading import GinSituation
from games.gin.lab.analysis.report import ANALYSIS, count_answer
from games.gin.rules.melding import BIT, cards_of, count_least, count_least_after_discard

# Raise it when the same match would give other sums.
VERSION: Final = 1
# Discards that the actual one is compared with, and the step between the unseen cards that are tried.
_CANDIDATES: Final = 3
_STRIDE: Final = 3

Pair = tuple[int, int]


class GinFairPlay:
    """The fair-play part of gin (`Game.fair_play`)."""

    version: int = VERSION

    def compute_sums(self, records: Sequence[Mapping[str, Any]]) -> dict[Pair, PairSums]:
        """See `games.engine.game.FairPlay`."""
        sums: dict[Pair, list[float]] = {}
        for record in records:
            first, second = record["order"]
            for pair in ((first, second), (second, first)):
                sums.setdefault(pair, [])
            for seat, loss in _list_losses(record):
                sums[seat, second if seat == first else first].append(loss)
        return {
            pair: PairSums(loss=round(sum(losses), 3), decisions=len(losses))
            for pair, losses in sums.items()
        }

    def list_deliveries(self, record: Mapping[str, Any], giver: int, taker: int) -> list[Delivery]:
        """See `games.engine.game.FairPlay`. `beyond` is the loss from the discard."""
        return list(_list_deliveries(record, giver, taker))


def _list_losses(record: Mapping[str, Any]) -> Iterator[tuple[int, float]]:
    """Yield the seat and the loss, in points, of each decision: discards, and answers to knocks."""
    for _number, step, situation in ANALYSIS.read_situations(record):
        kind = (step.get("move") or {}).get("kind")
        if kind == "discard":
            yield step["seat"], _of_discard(situation, CARD_BY_TEXT[step["move"]["card"]])
        elif kind == "defend" and situation.melds is not None:
            yield step["seat"], _of_answer(situation, step)


def _of_discard(situation: GinSituation, card: Card) -> float:
    """Return the loss of a discard: how many net points less than the best of a few other discards it is worth.

    The result is 0 if this discard is the best one. If the player could have knocked with gin, the gin bonus is added.
    """
    position = situation.position
    place = position.turn
    hand = position.hands[place]
    kept = situation.kept
    knock = find_best_knock(situation)
    missed = 0 if knock is None or knock.doing == "knock" else situation.rules.gin_bonus
    hidden = [BIT[one] for one in cards_of(situation.find_hidden_from(place))][::_STRIDE]
    standing = GinStanding(position.turns[place], situation.held[1 - place].bit_count())
    worths = {
        one: estimate_value(
            assess_hand(hand ^ BIT[one], hidden, situation.limit), standing, situation.limit
        )
        for one in (card, *list_discards(hand, kept, _CANDIDATES))
    }
    return missed + max(worths.values()) - worths[card]


def _of_answer(situation: GinSituation, step: Step) -> float:
    """Return how much more deadwood than necessary the answer left."""
    left, least = count_answer(situation, step["move"], situation.order.index(step["seat"]))
    return float(left - least)


def _list_deliveries(record: Mapping[str, Any], giver: int, taker: int) -> Iterator[Delivery]:
    thrown: Delivery | None = None
    for number, step, situation in ANALYSIS.read_situations(record):
        move = step.get("move") or {}
        if thrown is not None and step.get("seat") == taker and move.get("kind") == "draw":
            yield replace(thrown, was_taken=move["source"] == "open")
            thrown = None
        if move.get("kind") == "discard" and step.get("seat") == giver:
            place, hands = situation.position.turn, situation.position.hands
            card, other = CARD_BY_TEXT[move["card"]], hands[1 - place]
            useful = count_least(other) - count_least_after_discard(other | BIT[card], BIT[card])
            thrown = Delivery(
                step=number,
                card=write_card(card),
                giver_hand=_write_hand(hands[place]),
                taker_hand=_write_hand(other),
                usefulness=max(0, useful),
                beyond=round(_of_discard(situation, card), 2),
                was_taken=False,
            )


def _write_hand(hand: int) -> tuple[str, ...]:
    return tuple(write_card(card) for card in sorted(cards_of(hand)))


FAIR_PLAY: Final = GinFairPlay()
