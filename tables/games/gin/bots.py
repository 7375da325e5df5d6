"""Players for practice tables; they see what a seat sees and nothing else.

All of them lay their melds with the solver. `easy` throws what counts most of its loose cards and
seldom notices that it could knock. `medium` throws what leaves the least deadwood and knocks as
soon as it notices. `hard` always notices; it weighs what the next draws may bring and what the other
one collects, and asks itself what a knock is worth (`prospects`).
"""

import random
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from tables.games.base import JSON, Strength
from tables.games.cards import Card
from tables.games.gin.defence import best_defence
from tables.games.gin.melding import (
    BIT,
    Melding,
    arrange,
    arrange_eleven,
    big_gin,
    cards_of,
    least,
    least_after_discard,
    mask_of,
)
from tables.games.gin.moves import Defend, Discard, Draw, Knock, Move, Pass, move_json
from tables.games.gin.prospects import Outlook
from tables.games.gin.sight import Sight, cards_of_texts


class _Skill(NamedTuple):
    """`overlooks`: how often, of a hundred times, a chance to knock is not noticed."""

    overlooks: int
    looks_ahead: bool = False
    throws_dearest: bool = False


SKILLS: Final[Mapping[str, _Skill]] = {
    "easy": _Skill(overlooks=75, throws_dearest=True),
    "medium": _Skill(overlooks=25),
    "hard": _Skill(overlooks=0, looks_ahead=True),
}

# Points of deadwood that an open card has to save to be worth showing it to everybody.
_LEAST_GAIN: Final = 1


def choose(
    view: Mapping[str, Any], seat: int, *, strength: Strength, rng: random.Random
) -> dict[str, JSON]:
    """A move for a seat that may act, as written on the wire."""
    return move_json(_Bot(Sight.of(view, seat), SKILLS[strength], rng).choose())


class _Bot:
    def __init__(self, sight: Sight, skill: _Skill, rng: random.Random) -> None:
        self.sight = sight
        self.skill = skill
        self.rng = rng
        self.hand = mask_of(sight.hand)
        self.outlook = Outlook(sight, rng)

    def choose(self) -> Move:
        deciding: Mapping[tuple[str, str | None], Callable[[], Move]] = {
            ("upcard", "draw"): self.draw,
            ("turn", "draw"): self.draw,
            ("turn", "discard"): self.part,
            ("defend", None): self.defend,
        }
        public = self.sight.public
        return deciding[public["phase"], public["step"]]()

    def draw(self) -> Move:
        card = self.sight.open_card
        if card is not None and self.wants(card):
            return Draw("open")
        return Pass() if self.sight.public["phase"] == "upcard" else Draw("closed")

    def wants(self, card: Card) -> bool:
        if self.skill.looks_ahead:
            return self.outlook.wants(self.hand, card)
        with_it = least_after_discard(self.hand | BIT[card], BIT[card])
        return least(self.hand) - with_it > _LEAST_GAIN

    def part(self) -> Move:
        """Knock, or discard."""
        knock = self.knock()
        if knock is not None and self.rng.randrange(100) >= self.skill.overlooks:
            return knock
        return Discard(self.worst_card())

    def knock(self) -> Knock | None:
        sight = self.sight
        all_melded = big_gin(sight.hand) if sight.rules.big_gin_bonus else None
        if all_melded is not None:
            return Knock(None, all_melded.groups)
        best = self.best()
        if best.deadwood > sight.limit:
            return None
        if self.skill.looks_ahead and not self.outlook.is_worth_knocking(best):
            return None
        return Knock(best.discard, best.groups)

    def best(self) -> Melding:
        return arrange_eleven(self.sight.hand, kept=self.sight.kept_card)

    def worst_card(self) -> Card:
        kept = self.sight.kept_card
        if self.skill.looks_ahead:
            return self.outlook.worst_card(self.hand, 0 if kept is None else BIT[kept])
        best = self.best()
        if self.skill.throws_dearest:
            loose = [card for card in arrange(self.sight.hand).loose if card != kept]
            return max(loose, key=lambda card: (card.rank, card), default=best.discard or Card(0))
        return best.discard if best.discard is not None else self.sight.hand[0]

    def defend(self) -> Move:
        knock = self.sight.public["knock"]
        melds = [cards_of_texts(group) for group in knock["groups"]]
        best = best_defence(cards_of(self.hand), melds)
        return Defend(best.groups, best.lay_offs)
