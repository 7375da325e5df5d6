"""The bots of 500 Rum. A bot sees only its seat's view.

`easy` and `medium` often overlook cards that they could take or lay, and sometimes discard at random. `hard` overlooks
nothing. For each card that it may take, it compares the points it could then lay with the points it would be left with.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

from games.cards import CARD_BY_TEXT, Card
from games.engine.base import JSON, Strength
from games.engine.laid import Bot, add_to_meld, cards_of_texts
from games.engine.moves import AnyMove
from games.five_hundred.rules.laying import find_best_laying, is_usable, list_groups
from games.five_hundred.rules.moves import WIRE, Discard, Draw, LayOff, Meld, Take
from games.five_hundred.rules.ruleset import RULES, FiveHundredRules


class _FiveHundredSkill(NamedTuple):
    """How often, in percent, a bot overlooks the open pile, forgets to lay cards, and discards at random."""

    overlooks: int
    forgets: int
    blunders: int


SKILLS: Final[Mapping[str, _FiveHundredSkill]] = {
    "easy": _FiveHundredSkill(overlooks=80, forgets=60, blunders=70),
    "medium": _FiveHundredSkill(overlooks=30, forgets=20, blunders=25),
    "hard": _FiveHundredSkill(overlooks=0, forgets=0, blunders=0),
    # Plays like `hard`.
    "expert": _FiveHundredSkill(overlooks=0, forgets=0, blunders=0),
}
# Expected share of its points that a card in hand costs: early, and when a hand is small.
EARLY: Final = 0.3
_LATE: Final = 0.6
# From this many cards in another hand on, the deal may end soon.
_FEW: Final = 4
# Value of a card from the closed deck, in points.
_HOPE: Final = 6.0
# Points of a neighbour in hand, and of one in the open pile, to the holder and to the others.
LINK: Final = 4.0
_DANGER: Final = 2.0
# Points given away by a discard that completes a meld in the open pile.
_GIFT: Final = 12.0


def choose(
    view: Mapping[str, Any], seat: int, *, strength: Strength, rng: random.Random
) -> dict[str, JSON]:
    """Return a move, in the form sent over the wire, for a seat that may act.

    `view` is `{"public": ..., "you": ..., "rules": ...}`, as the seat sees the table. `rng` decides between equally
    good moves.
    """
    return WIRE.write(
        _FiveHundredBot(view, seat, RULES.load(view["rules"]), SKILLS[strength], rng).choose()
    )


class _FiveHundredBot(Bot):
    rules: FiveHundredRules
    skill: _FiveHundredSkill

    def __init__(self, *seen: Any) -> None:
        super().__init__(*seen)
        self.pile = cards_of_texts(self.public["open_pile"])

    def choose(self) -> AnyMove:
        if self.public["step"] == "draw":
            taken = self.choose_card_to_take()
            return Draw("closed") if taken is None else Take(taken)
        must_use = self.public["must_use"]
        if must_use is not None:
            return self.lay() or self.lay_at_once(CARD_BY_TEXT[must_use])
        return self.lay() or Discard(self.find_worst_card())

    # --- Drawing.

    def choose_card_to_take(self) -> Card | None:
        """Return the card of the open pile to take, or None to draw from the closed deck."""
        if self.happens(self.skill.overlooks):
            return None
        offers = [
            (self.value((*self.hand, *self.pile[place:])), -place, card)
            for place, card in enumerate(self.pile)
            if is_usable(card, (*self.hand, *self.pile[place + 1 :]), self.melds, self.rules.shape)
        ]
        best = max(offers, default=None)
        return best[2] if best is not None and best[0] > self.value(self.hand) + _HOPE else None

    def value(self, hand: Sequence[Card]) -> float:
        """Return the points that this hand can lay, less the expected cost of the cards that are left."""
        laying = find_best_laying(hand, self.melds, self.rules)
        return laying.points - self.risk * sum(map(self.rules.points_of, laying.loose))

    @cached_property
    def risk(self) -> float:
        players = self.public["players"].items()
        fewest = min(
            (player["cards"] for seat, player in players if int(seat) != self.seat), default=0
        )
        is_late = fewest <= _FEW or self.public["closed_count"] <= len(players) * 2
        return _LATE if is_late else EARLY

    # --- Laying.

    def lay(self) -> AnyMove | None:
        """Return the next move that lays cards, or None. A card that must be laid comes first."""
        laying = find_best_laying(self.hand, self.melds, self.rules)
        must_use = self.public["must_use"]
        due = None if must_use is None else CARD_BY_TEXT[must_use]
        if due is None and laying.loose and self.forgets_in_this_turn():
            return None
        groups = [group for group in laying.groups if due in (None, *group)]
        if groups and self.keeps_a_card(groups[0]):
            return Meld((groups[0],))
        for number, card in laying.lay_offs:
            is_next = add_to_meld(self.melds[number], (card,), self.rules.shape) is not None
            if due in (None, card) and is_next and self.keeps_a_card((card,)):
                return LayOff(number, (card,))
        return None

    def lay_at_once(self, due: Card) -> AnyMove:
        """Return a move that lays `due`, the card just taken from the open pile (F6)."""
        for number, meld in enumerate(self.melds):
            if add_to_meld(meld, (due,), self.rules.shape) is not None:
                return LayOff(number, (due,))
        groups = list_groups(self.hand, self.rules.shape, prefer=due)
        first, *_others = (group for group in groups if due in group)
        return Meld((first,))

    def keeps_a_card(self, laid: Sequence[Card]) -> bool:
        """Return whether the turn can end after these cards are laid."""
        return {card for card in self.hand if card not in laid} != {self.kept_card}

    # --- Discarding.

    def find_worst_card(self) -> Card:
        cards = [card for card in self.hand if card != self.kept_card]
        if self.happens(self.skill.blunders):
            return self.rng.choice(cards)
        return min(cards, key=lambda card: (self.price(card), card))

    def price(self, card: Card) -> float:
        """Return the cost of a discard, in points: what it takes from the player's prospects and gives to the others.

        The points that the card might cost in hand are deducted.
        """
        shape = self.rules.shape
        cost = LINK * sum(map(make_link_test(card), self.hand))
        cost += _DANGER * sum(map(make_link_test(card), self.pile))
        if is_usable(card, self.pile, (), shape):
            cost += _GIFT
        if any(add_to_meld(meld, (card,), shape) for meld in self.melds):
            cost += self.rules.points_of(card)
        return cost - self.risk * self.rules.points_of(card)


def make_link_test(card: Card) -> Callable[[Card], bool]:
    """Return a function that says whether another card may form a meld with this one."""

    def links(other: Card) -> bool:
        if other.face == card.face:
            return False
        is_near = other.suit == card.suit and abs(other.rank - card.rank) <= 2
        return other.rank == card.rank or is_near

    return links
