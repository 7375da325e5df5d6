"""The bots of gin. A bot sees only its seat's view.

All bots lay melds with the solver. `easy` and `medium` discard for the least deadwood, sometimes discard a random loose
card, and often overlook the open card or a chance to knock. `hard` overlooks nothing. It considers its next draws and
the cards that the opponent collects, and estimates how often a knock wins (`prospects`). `expert` maximizes expected
points (`expert`, docs/bots.md).
"""

import random
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from games.cards import CARDS, Card
from games.engine.base import JSON, Strength
from games.engine.moves import AnyMove
from games.gin.bots.expert import Expert
from games.gin.bots.prospects import Outlook
from games.gin.bots.sight import GinSight, cards_of_texts
from games.gin.rules.defence import find_best_defence
from games.gin.rules.melding import (
    BIT,
    arrange,
    arrange_eleven,
    cards_of,
    count_least,
    count_least_after_discard,
    find_best_discard,
    find_big_gin,
    mask_of,
)
from games.gin.rules.moves import Defend, Discard, Draw, Knock, PassUpcard, move_json


class _GinSkill(NamedTuple):
    """The skill of a bot.

    `overlooks` and `blunders` are percentages: how often it overlooks an open card or a chance to knock, and how often
    it discards at random. With `looks_ahead` it decides by `prospects`, with `expects` by `expert`.
    """

    overlooks: int
    blunders: int
    looks_ahead: bool = False
    expects: bool = False


SKILLS: Final[Mapping[str, _GinSkill]] = {
    "easy": _GinSkill(overlooks=60, blunders=50),
    "medium": _GinSkill(overlooks=25, blunders=12),
    "hard": _GinSkill(overlooks=0, blunders=0, looks_ahead=True),
    "expert": _GinSkill(overlooks=0, blunders=0, expects=True),
}

# Points of deadwood that an open card must save to be worth revealing.
_LEAST_GAIN: Final = 1


def choose(
    view: Mapping[str, Any], seat: int, *, strength: Strength, rng: random.Random
) -> dict[str, JSON]:
    """Return a move, in the form sent over the wire, for a seat that may act.

    `view` is `{"public": ..., "you": ..., "rules": ...}`, as the seat sees the table. `rng` decides between equally
    good moves.
    """
    return move_json(_GinBot(GinSight.of(view, seat), SKILLS[strength], rng).choose())


class _GinBot:
    def __init__(self, sight: GinSight, skill: _GinSkill, rng: random.Random) -> None:
        self.sight = sight
        self.skill = skill
        self.rng = rng
        self.hand = mask_of(sight.hand)
        self.outlook = Outlook(sight, rng)

    def choose(self) -> AnyMove:
        deciding: Mapping[tuple[str, str | None], Callable[[], AnyMove]] = {
            ("upcard", "draw"): self.draw,
            ("turn", "draw"): self.draw,
            ("turn", "discard"): self.part,
            ("defend", None): self.defend,
        }
        public = self.sight.public
        return deciding[public["phase"], public["step"]]()

    def draw(self) -> AnyMove:
        card = self.sight.open_card
        if card is not None and self.wants(card):
            return Draw("open")
        return PassUpcard() if self.sight.public["phase"] == "upcard" else Draw("closed")

    def wants(self, card: Card) -> bool:
        if self.skill.expects:
            return Expert(self.sight.known, self.rng).wants()
        if self.skill.looks_ahead:
            return self.outlook.wants(self.hand, card)
        if self.overlooks():
            return False
        with_it = count_least_after_discard(self.hand | BIT[card], BIT[card])
        return count_least(self.hand) - with_it > _LEAST_GAIN

    def part(self) -> AnyMove:
        """Return the knock or the discard that ends the turn."""
        if self.skill.expects:
            return self.choose_by_worth()
        knock = self.knock()
        if knock is not None and not self.overlooks():
            return knock
        return Discard(self.find_worst_card())

    def choose_by_worth(self) -> AnyMove:
        """Return the discard or the knock with the most expected net points. Big gin is declared at once."""
        sight = self.sight
        all_melded = find_big_gin(sight.hand) if sight.rules.big_gin_bonus else None
        if all_melded is not None:
            return Knock(None, all_melded.groups)
        number, knocks = Expert(sight.known, self.rng).part()
        card = CARDS[number]
        if not knocks:
            return Discard(card)
        return Knock(card, arrange(kept for kept in sight.hand if kept != card).groups)

    def knock(self) -> Knock | None:
        sight = self.sight
        all_melded = find_big_gin(sight.hand) if sight.rules.big_gin_bonus else None
        if all_melded is not None:
            return Knock(None, all_melded.groups)
        best = arrange_eleven(sight.hand, kept=sight.kept_card)
        if best.deadwood > sight.limit:
            return None
        if self.skill.looks_ahead and not self.outlook.is_worth_knocking(best):
            return None
        return Knock(best.discard, best.groups)

    def find_worst_card(self) -> Card:
        card = self.sight.kept_card
        kept = 0 if card is None else BIT[card]
        if self.skill.looks_ahead:
            return self.outlook.find_worst_card(self.hand, kept)
        loose = [one for one in arrange(self.sight.hand).loose if one != card]
        if loose and self.rng.randrange(100) < self.skill.blunders:
            return self.rng.choice(loose)
        (best,) = cards_of(find_best_discard(self.hand, kept))
        return best

    def overlooks(self) -> bool:
        return self.rng.randrange(100) < self.skill.overlooks

    def defend(self) -> AnyMove:
        knock = self.sight.public["knock"]
        melds = [cards_of_texts(group) for group in knock["groups"]]
        best = find_best_defence(cards_of(self.hand), melds)
        return Defend(best.groups, best.lay_offs)
