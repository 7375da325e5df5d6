"""Players for practice tables; they see what a seat sees and nothing else.

All of them arrange their hand with the solver and never declare wrongly. `easy` and `medium` throw
what counts most and now and then do not notice that they could finish. `hard` always does; it keeps
cards that go together, weighs what the next draw may bring, knows the cards that have gone by and
gives up hopeless hands.
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from tables.games.base import JSON, Strength
from tables.games.cards import Card
from tables.games.indian.arrangement import Arrangement, arrange, arrange_fourteen
from tables.games.indian.bargains import is_fair_split, is_worth_rejoining
from tables.games.indian.moves import (
    AnswerSplit,
    Declare,
    Discard,
    Draw,
    Drop,
    Finish,
    Move,
    Rejoin,
    Show,
    move_json,
)
from tables.games.indian.prospects import expected_gain, kinship
from tables.games.indian.rulesets import HAND_SIZE
from tables.games.indian.sight import Sight


class _Skill(NamedTuple):
    """`overlooks`: how often, of a hundred times, a chance to finish is not noticed."""

    overlooks: int
    looks_ahead: bool


SKILLS: Final[Mapping[str, _Skill]] = {
    "easy": _Skill(overlooks=90, looks_ahead=False),
    "medium": _Skill(overlooks=55, looks_ahead=False),
    "hard": _Skill(overlooks=0, looks_ahead=True),
    "waiting": _Skill(overlooks=100, looks_ahead=False),
}

# Draws that a hand is expected to live for: what a better prospect is worth in points.
_HORIZON: Final = 1
_KIN_WEIGHT: Final = 2
# Points that an open card has to save to be worth showing it to everybody.
_LEAST_GAIN: Final = 1
# A first hand that the next card is expected to improve by less is given up.
_HOPELESS_GAIN: Final = 4.3
# Discards that are worth a closer look.
_CANDIDATES: Final = 4
# Counts above the cap still tell better hands from worse.
_UNCAPPED: Final = 1000


def choose(
    view: Mapping[str, Any], seat: int, *, strength: Strength, rng: random.Random
) -> dict[str, JSON]:
    """A move for a seat that may act, as written on the wire."""
    kind = _WaitingBot if strength == "waiting" else _Bot
    return move_json(kind(Sight.of(view, seat), SKILLS[strength], rng).choose())


class _Bot:
    def __init__(self, sight: Sight, skill: _Skill, rng: random.Random) -> None:
        self.sight = sight
        self.skill = skill
        self.rng = rng
        self.rules = replace(sight.rules, max_points=_UNCAPPED)

    def choose(self) -> Move:
        deciding: Mapping[tuple[str, str | None], Callable[[], Move]] = {
            ("turn", "draw"): self.draw,
            ("turn", "discard"): self.discard,
            ("declare", None): self.declare,
            ("show", None): self.show,
            ("rejoin", None): self.rejoin,
            ("split", None): self.answer_split,
        }
        public = self.sight.public
        return deciding[public["phase"], public["step"]]()

    def draw(self) -> Move:
        if self.skill.looks_ahead and self.is_hopeless():
            return Drop()
        card = self.sight.open_card
        return Draw("open" if card is not None and self.wants(card) else "closed")

    def wants(self, card: Card) -> bool:
        """Jokers always; another card if it does more than the closed deck promises."""
        if self.sight.is_joker(card):
            return True
        hand = self.sight.hand
        gain = self.least(hand).points - self.least((*hand, card)).points
        if not self.skill.looks_ahead:
            return gain > _LEAST_GAIN
        return gain > 0 and gain > self.gain_by_drawing(hand)

    def discard(self) -> Move:
        best = self.least(self.sight.hand)
        overlooked = self.rng.randrange(100) < self.skill.overlooks
        if best.declarable and best.discard is not None and not overlooked:
            return Finish(best.discard)
        return Discard(self.worst_card())

    def worst_card(self) -> Card:
        """The discard after which the hand is best, jokers never."""
        sight = self.sight
        by_face = {card.face: card for card in sight.discardable if not sight.is_joker(card)}
        ranked = sorted(by_face.values() or sight.discardable, key=self.cost)
        if not self.skill.looks_ahead:
            return ranked[0]
        return min(ranked[:_CANDIDATES], key=self.outlook)

    def cost(self, card: Card) -> float:
        """What the hand counts without the card, and what it could have become with it."""
        rest = _without(self.sight.hand, card)
        cost = float(self.least(rest).points)
        if self.skill.looks_ahead:
            naturals = [other for other in rest if not self.sight.is_joker(other)]
            cost += _KIN_WEIGHT * kinship(card, naturals)
        return cost

    def outlook(self, card: Card) -> float:
        rest = _without(self.sight.hand, card)
        return self.cost(card) - _HORIZON * self.gain_by_drawing(rest)

    def gain_by_drawing(self, hand: tuple[Card, ...]) -> float:
        return expected_gain(hand, self.sight.wild, self.rules, self.sight.unseen)

    def is_hopeless(self) -> bool:
        """Worth a first drop: no joker, no pure sequence and hardly anything that may be one."""
        sight = self.sight
        if sight.me["drop_points"] != sight.rules.first_drop or sight.me["drop_points"] is None:
            return False
        jokers = sum(map(sight.is_joker, sight.hand))
        return jokers == 0 and self.gain_by_drawing(sight.hand) < _HOPELESS_GAIN

    def declare(self) -> Move:
        return Declare(self.least(self.sight.hand).all_groups)

    def show(self) -> Move:
        return Show(arrange(self.sight.hand, self.sight.wild, self.sight.rules).all_groups)

    def rejoin(self) -> Move:
        sight = self.sight
        return Rejoin(accept=is_worth_rejoining(sight.public["match"], sight.rules))

    def answer_split(self) -> Move:
        sight = self.sight
        return AnswerSplit(accept=is_fair_split(sight.public["match"], sight.seat, sight.rules))

    def least(self, hand: tuple[Card, ...]) -> Arrangement:
        solve = arrange if len(hand) == HAND_SIZE else arrange_fourteen
        return solve(hand, self.sight.wild, self.rules)


class _WaitingBot(_Bot):
    """For a first deal: it takes what the deck gives and throws the same card away, as somebody does
    who cannot make up their mind. It never finishes, and takes no card that the player may want."""

    def draw(self) -> Move:
        return Draw("closed")

    def discard(self) -> Move:
        drawn = self.sight.drawn
        if drawn in self.sight.discardable and not self.sight.is_joker(drawn):
            return Discard(drawn)
        return Discard(self.worst_card())


def _without(hand: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    return tuple(kept for kept in hand if kept != card)
