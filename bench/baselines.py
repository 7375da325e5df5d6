"""Four simple players of Indian rummy, to measure the bots against. None drops but the last.

`greedy` lays its hand at the least count and throws the dearest useless card. `nearest` wants the
fewest cards missing to a declaration, then the most unseen cards that help. `nearest-safe` is the
same, and of equal discards takes the one that the next player can hardly use. `nearest-drop` is
`nearest`, but drops a first hand that lacks four cards or more (five with two players).
"""

import random
from collections.abc import Mapping
from typing import Any, Final

from bench.duplicates import Chooser
from games.cards import FACE_RANK, FACE_SUIT, Card
from games.engine.base import JSON
from games.indian.bots.distance import distances, shape_of
from games.indian.bots.prospects import discards
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
from games.indian.rules.ruleset import HAND_SIZE
from games.indian.rules.solver.arrangement import arrange, arrange_fourteen

# Cards of a suit this far apart may lie in one meld with a joker or one more card.
_APART: Final = 2
# Cards missing with two players, and with three or more.
_HOPELESS: Final = {2: 5, 3: 4}


class Greedy:
    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        self.wild = sight.wild
        self.rules = sight.rules

    def choose(self) -> Move:
        phase, step = self.sight.public["phase"], self.sight.public["step"]
        if phase == "turn":
            return self.draw() if step == "draw" else self.discard()
        if phase == "rejoin":
            return Rejoin(accept=True)
        if phase == "split":
            return AnswerSplit(accept=True)
        hand = self.sight.hand
        solve = arrange if len(hand) == HAND_SIZE else arrange_fourteen
        groups = solve(hand, self.wild, self.rules).all_groups
        return Declare(groups) if phase == "declare" else Show(groups)

    def draw(self) -> Move:
        card = self.sight.open_card
        wants = card is not None and (self.sight.is_joker(card) or self.wants(card))
        return Draw("open" if wants else "closed")

    def wants(self, card: Card) -> bool:
        hand = self.sight.hand
        now = arrange(hand, self.wild, self.rules).points
        return arrange_fourteen((*hand, card), self.wild, self.rules).points < now

    def discard(self) -> Move:
        best = arrange_fourteen(self.sight.hand, self.wild, self.rules)
        if best.declarable and best.discard is not None:
            return Finish(best.discard)
        return Discard(self.thrown())

    def thrown(self) -> Card:
        sight = self.sight
        may = [card for card in sight.discardable if not sight.is_joker(card)]

        def left(card: Card) -> tuple[int, int]:
            rest = tuple(other for other in sight.hand if other != card)
            return arrange(rest, self.wild, self.rules).points, -card.rank

        return min(may or sight.discardable, key=left)


class Nearest(Greedy):
    is_safe = False

    def wants(self, card: Card) -> bool:
        hand, known = self.sight.hand, distances(self.wild)
        missing = known.missing(shape_of(hand, self.wild))
        return known.reaches(shape_of((*hand, card), self.wild), missing - 1)

    def thrown(self) -> Card:
        sight = self.sight
        kept = None if sight.rules.may_return_open_card else sight.drawn_from_open
        options = discards(sight.hand, self.wild, self.rules, sight.unseen, kept)
        _, card = min(
            (
                (
                    left.missing,
                    -round(left.helpful, 2),
                    self.danger(card) if self.is_safe else 0.0,
                    left.points,
                ),
                card,
            )
            for card, left in options
        )
        return card

    def danger(self, card: Card) -> float:
        """Unseen cards that could lie in a meld with this one."""
        rank, suit = FACE_RANK[card.face], FACE_SUIT[card.face]
        return sum(
            copies
            for face, copies in self.sight.unseen.items()
            if (FACE_RANK[face] == rank and FACE_SUIT[face] != suit)
            or (FACE_SUIT[face] == suit and 0 < abs(FACE_RANK[face] - rank) <= _APART)
        )


class NearestSafe(Nearest):
    is_safe = True


class NearestDrop(Nearest):
    def draw(self) -> Move:
        sight = self.sight
        missing = distances(self.wild).missing(shape_of(sight.hand, self.wild))
        is_first = sight.me["drop_points"] == sight.rules.first_drop is not None
        if is_first and missing >= _HOPELESS[min(len(sight.public["order"]), 3)]:
            return Drop()
        return super().draw()


def _chooser(kind: type[Greedy]) -> Chooser:
    def choose(view: Mapping[str, Any], seat: int, _rng: random.Random) -> dict[str, JSON]:
        return move_json(kind(Sight.of(view, seat)).choose())

    return choose


BASELINES: Final[Mapping[str, Chooser]] = {
    "greedy": _chooser(Greedy),
    "nearest": _chooser(Nearest),
    "nearest-safe": _chooser(NearestSafe),
    "nearest-drop": _chooser(NearestDrop),
}
