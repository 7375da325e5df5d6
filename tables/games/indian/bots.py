"""Players for practice tables; they see what a seat sees and nothing else.

All strengths are the same player with more or less of it. They lay their hand out with the solver
and never declare wrongly. `easy` throws what counts most and errs; `medium` looks for the fewest
cards missing; `hard` values a hand by what it was worth in played deals, the drop included;
`expert` also weighs what the others took and threw.
"""

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, Final, NamedTuple

from tables.games.base import JSON, Strength
from tables.games.cards import Card
from tables.games.indian.arrangement import Arrangement, arrange, arrange_fourteen
from tables.games.indian.bargains import is_fair_split, is_worth_rejoining
from tables.games.indian.distance import distances, shape_of
from tables.games.indian.hidden import Signs, signs_of
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
from tables.games.indian.prospects import Prospect, discards, prospect
from tables.games.indian.rulesets import HAND_SIZE
from tables.games.indian.sight import Sight
from tables.games.indian.value import Standing, value, value_of_drawing


class Skill(NamedTuple):
    values: bool = True
    drops: bool = True


SKILLS: Final[Mapping[str, Skill]] = {
    "easy": Skill(),
    "medium": Skill(),
    "hard": Skill(),
    "expert": Skill(),
    "waiting": Skill(),
}

class Option(NamedTuple):
    """A discard, what is left without it, and what that is worth."""

    worth: float
    card: Card
    left: Prospect


# Points between discards that are as good as each other: one of them is chosen at random.
_ALIKE: Final = 0.3
# Points that it costs to show everybody a card that one takes.
_SHOWING: Final = 0.5
# Counts above the cap still tell better hands from worse.
_UNCAPPED: Final = 1000


def choose(
    view: Mapping[str, Any], seat: int, *, strength: Strength, rng: random.Random
) -> dict[str, JSON]:
    """A move for a seat that may act, as written on the wire."""
    kind = _WaitingBot if strength == "waiting" else Bot
    return move_json(kind(Sight.of(view, seat), SKILLS[strength], rng).choose())


class Bot:
    def __init__(self, sight: Sight, skill: Skill, rng: random.Random) -> None:
        self.sight = sight
        self.skill = skill
        self.rng = rng
        self.rules = replace(sight.rules, max_points=_UNCAPPED)
        self.seats = len(sight.public["order"])

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
        sight = self.sight
        card = sight.open_card
        if card is not None and sight.is_joker(card):
            return Draw("open")
        closed = self.worth_of_drawing(
            prospect(sight.hand, sight.wild, self.rules, sight.unseen)
        )
        opened = -math.inf
        if card is not None and self.brings_nearer(card):
            options = self.options((*sight.hand, card), card)
            opened = max(option.worth for option in options) - _SHOWING
        drop = self.drop_points()
        if drop is not None and max(closed, opened) < -drop:
            return Drop()
        return Draw("open" if opened > closed else "closed")

    def brings_nearer(self, card: Card) -> bool:
        known, wild, hand = distances(self.sight.wild), self.sight.wild, self.sight.hand
        missing = known.missing(shape_of(hand, wild))
        return known.reaches(shape_of((*hand, card), wild), missing - 1)

    def drop_points(self) -> int | None:
        points: int | None = self.sight.me["drop_points"]
        return points if self.skill.drops else None

    def discard(self) -> Move:
        sight = self.sight
        if distances(sight.wild).missing(shape_of(sight.hand, sight.wild)) == 0:
            best = self.least(sight.hand)
            if best.declarable and best.discard is not None:
                return Finish(best.discard)
        kept = None if sight.rules.may_return_open_card else sight.drawn_from_open
        return Discard(self.chosen(self.options(sight.hand, kept)).card)

    def chosen(self, options: list[Option]) -> Option:
        most = max(option.worth for option in options)
        return self.rng.choice([option for option in options if option.worth >= most - _ALIKE])

    def options(self, hand: tuple[Card, ...], kept: Card | None) -> list[Option]:
        """The discards of fourteen cards that are worth a look, by what is left."""
        sight = self.sight
        return [
            Option(value(left, self.standing, self.seats), card, left)
            for card, left in discards(hand, sight.wild, self.rules, sight.unseen, kept)
        ]

    def worth_of_drawing(self, hand: Prospect) -> float:
        """Of the closed deck, before the draw."""
        return value_of_drawing(hand, self.standing, self.seats)

    @cached_property
    def standing(self) -> Standing:
        seat, public = self.sight.seat, self.sight.public
        players = public["players"].values()
        return Standing(
            turn=len(self.signs.by_seat[seat].thrown),
            opponents=sum(player["status"] == "playing" for player in players) - 1,
            pot=sum(player["points"] or 0 for player in players),
            taken=sum(shown.took for other, shown in self.signs.by_seat.items() if other != seat),
        )

    @cached_property
    def signs(self) -> Signs:
        return signs_of(self.sight.public, self.sight.rules)

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


class _WaitingBot(Bot):
    """For a first deal: it takes what the deck gives and throws the same card away, as somebody does
    who cannot make up their mind. It never finishes, and takes no card that the player may want."""

    def draw(self) -> Move:
        return Draw("closed")

    def discard(self) -> Move:
        drawn = self.sight.drawn
        if drawn in self.sight.discardable and not self.sight.is_joker(drawn):
            return Discard(drawn)
        return super().discard()
