"""The bots of Indian rummy as they were before they counted missing cards, to measure others against.

They lay their hand at its least count. `easy` and `medium` throw what counts most and now and then
do not notice that they could finish; `hard` keeps cards that go together and weighs the next draw.
Nothing here changes any more.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from games.cards import ACE, FACE_RANK, FACE_SUIT, PRINTED_JOKER, Card
from games.engine.base import JSON
from games.engine.codec import replace
from games.indian.bots.pools import is_fair_split, is_worth_rejoining
from games.indian.bots.sight import Sight
from games.indian.rules.moves import (
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
from games.indian.rules.ruleset import HAND_SIZE, RuleSet
from games.indian.rules.solver.arrangement import Arrangement, arrange, arrange_fourteen


class _Skill(NamedTuple):
    """`overlooks`: how often, of a hundred times, a chance to finish is not noticed."""

    overlooks: int
    looks_ahead: bool


SKILLS: Final[Mapping[str, _Skill]] = {
    "easy": _Skill(overlooks=90, looks_ahead=False),
    "medium": _Skill(overlooks=55, looks_ahead=False),
    "hard": _Skill(overlooks=0, looks_ahead=True),
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
    view: Mapping[str, Any], seat: int, rng: random.Random, *, strength: str = "hard"
) -> dict[str, JSON]:
    """A move for a seat that may act, as written on the wire."""
    return move_json(_Bot(Sight.of(view, seat), SKILLS[strength], rng).choose())


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
        """Return the count of the hand without the card, with its lost prospects."""
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


def _without(hand: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    return tuple(kept for kept in hand if kept != card)


# Two neighbours wait for two cards, two with a gap for one; so do two of a rank.
_NEIGHBOURS: Final = 3
_GAP: Final = 2
_SAME_RANK: Final = 2
# A pack that is never dealt, for cards that are only thought of.
_IMAGINED_PACK: Final = 13


def kinship(card: Card, others: Sequence[Card]) -> int:
    """Return how well a card goes with others, as melds that it may grow into."""
    return sum(_link(card.face, other.face) for other in others)


def expected_gain(
    hand: Sequence[Card], wild: int | None, rules: RuleSet, unseen: Mapping[int, int]
) -> float:
    """By how much the next card from the closed deck lowers the count, on average."""
    now = arrange(hand, wild, rules).points
    faces = {card.face for card in hand}
    gained = 0
    joker_gain: int | None = None
    for face, copies in unseen.items():
        is_joker = face == PRINTED_JOKER or FACE_RANK[face] == wild
        if is_joker and joker_gain is not None:
            gained += copies * joker_gain
        elif is_joker or any(_link(face, held) for held in faces):
            drawn = Card.of(face, _IMAGINED_PACK)
            gain = now - arrange_fourteen((*hand, drawn), wild, rules).points
            gained += copies * gain
            joker_gain = gain if is_joker else joker_gain
    return gained / max(1, sum(unseen.values()))


def _link(face: int, other: int) -> int:
    if face == other or PRINTED_JOKER in (face, other):
        return 0
    rank, other_rank = FACE_RANK[face], FACE_RANK[other]
    if FACE_SUIT[face] != FACE_SUIT[other]:
        return _SAME_RANK if rank == other_rank else 0
    distance = _distance(rank, other_rank)
    return {1: _NEIGHBOURS, 2: _GAP}.get(distance, 0)


def _distance(rank: int, other: int) -> int:
    """Between places of a sequence, where the ace is also above the king (R1.3)."""
    low, high = sorted((rank, other))
    return min(high - low, 14 - high) if low == ACE else high - low
