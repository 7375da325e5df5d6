"""The bots of basic rummy. A bot sees only its seat's view.

All bots lay melds with the solver. `easy` and `medium` often overlook the open card or a possible meld, and sometimes
discard a random loose card. `hard` overlooks nothing. It values each discard by its own next draws and by the cards
that the next player collects. `expert` plays its options out (docs/bots.md).
"""

import random
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

from games.analysis.judging import Option, choose_option
from games.analysis.laid import read_known
from games.basic.bots.playouts import BasicPlayouts
from games.basic.rules.laying import POINTS, BasicLaying, Hand
from games.basic.rules.moves import Discard, LayOff, Meld, move_json
from games.basic.rules.ruleset import BasicRules, load_rules
from games.cards import Card
from games.engine.base import JSON, Strength
from games.engine.core import PACK
from games.engine.laid import Bot, cards_of_texts, find_certain_cards, seat_after
from games.engine.moves import AnyMove, Draw


class _BasicSkill(NamedTuple):
    """The skill of a bot.

    `overlooks`, `forgets` and `blunders` are percentages: how often it overlooks the open card, forgets to lay melds,
    and discards at random. With `looks_ahead` it considers its next draws, and with `plays_out` it plays its options
    out.
    """

    overlooks: int
    forgets: int
    blunders: int
    looks_ahead: bool = False
    plays_out: bool = False


SKILLS: Final[Mapping[str, _BasicSkill]] = {
    "easy": _BasicSkill(overlooks=60, forgets=50, blunders=50),
    "medium": _BasicSkill(overlooks=25, forgets=15, blunders=15),
    "hard": _BasicSkill(overlooks=0, forgets=0, blunders=0, looks_ahead=True),
    "expert": _BasicSkill(overlooks=0, forgets=0, blunders=0, looks_ahead=True, plays_out=True),
}

# Points by which the open card must beat the expectation of the closed deck.
_SHOWN: Final = 1
# Draws ahead within which better prospects are worth their points.
_HORIZON: Final = 3.0
# Points charged for a discard that fits a card the next player has taken.
_DANGER: Final = 4.0
# Unseen cards to try, evenly spread.
_TRIED: Final = 16


def choose(
    view: Mapping[str, Any], seat: int, *, strength: Strength, rng: random.Random
) -> dict[str, JSON]:
    """Return a move, in the form sent over the wire, for a seat that may act.

    `view` is `{"public": ..., "you": ..., "rules": ...}`, as the seat sees the table. `rng` decides between equally
    good moves.
    """
    skill = SKILLS[strength]
    kind = _BasicExpert if skill.plays_out else _BasicBot
    return move_json(kind(view, seat, load_rules(view["rules"]), skill, rng).choose())


class _BasicBot(Bot):
    rules: BasicRules
    skill: _BasicSkill

    def choose(self) -> AnyMove:
        if self.public["step"] == "draw":
            return Draw("open" if self.wants_open_card() else "closed")
        return self.lay() or Discard(self.find_worst_card())

    # --- Drawing.

    def wants_open_card(self) -> bool:
        pile = cards_of_texts(self.public["open_pile"][-1:])
        if not pile or self.happens(self.skill.overlooks):
            return False
        taken = self.count_after_discard(self.mask | self.known.bit[pile[0]], pile[0])
        if not self.skill.looks_ahead:
            return taken < self.known.count_least(self.mask)
        if not taken:
            return True
        drawn = [self.count_after_discard(self.mask | card, None) for card in self.tried]
        return not drawn or taken + _SHOWN < sum(drawn) / len(drawn)

    def count_after_discard(self, mask: int, kept: Card | None) -> int:
        """Return the least points that this hand can have left after laying and a discard other than `kept`."""
        if not self.known.count_least(mask) and not self.rules.must_discard_last:
            return 0
        others = (card for card in self.known.cards_of(mask) if card != kept)
        return min(self.known.count_least(mask ^ self.known.bit[card]) for card in others)

    # --- Laying.

    def lay(self) -> AnyMove | None:
        """Return the next move that lays cards by this turn's plan, or None."""
        laying, discard = self.plan
        is_out = discard is None
        if not is_out and self.skill.forgets and self.forgets_in_this_turn():
            return None
        most = self.rules.melds_a_turn
        room = len(laying.groups) if most is None else most - int(self.public["laid"])
        if laying.groups and room > 0:
            dearest = sorted(laying.groups, key=lambda group: -sum(POINTS[c] for c in group))
            return Meld(tuple(dearest[:room]))
        if laying.lay_offs:
            number = laying.lay_offs[0][1]
            return LayOff(number, tuple(card for card, meld in laying.lay_offs if meld == number))
        return None

    @cached_property
    def plan(self) -> tuple[BasicLaying, Card | None]:
        """What to lay in this turn, and the discard, which is None if all cards are laid."""
        if not self.known.count_least(self.mask) and self.can_go_out():
            return self.known.find_laying(self.mask), None
        discard = self.find_worst_card()
        return self.known.find_laying(self.mask ^ self.known.bit[discard]), discard

    def can_go_out(self) -> bool:
        """Return whether the rules allow laying the whole hand in this turn."""
        groups, most = self.known.find_laying(self.mask).groups, self.rules.melds_a_turn
        has_room = most is None or int(self.public["laid"]) + len(groups) <= most
        return has_room and not self.rules.must_discard_last

    # --- Discarding.

    def find_worst_card(self) -> Card:
        kept = self.kept_card
        others = [card for card in self.hand if card != kept]
        loose = [card for card in self.known.find_laying(self.mask).loose if card != kept]
        if loose and self.happens(self.skill.blunders):
            return self.rng.choice(loose)
        if self.skill.looks_ahead:
            return min(others, key=lambda card: (self.price(card), card))
        return min(others, key=lambda card: (self.count_without(card), -POINTS[card], card))

    def count_without(self, card: Card) -> int:
        return self.known.count_least(self.mask ^ self.known.bit[card])

    def price(self, card: Card) -> float:
        """Return the cost of this discard: the points left in hand, less what the next draws are expected to save.

        A charge is added if the next player may collect the card.
        """
        rest = self.mask ^ self.known.bit[card]
        now = self.known.count_least(rest)
        saved = sum(max(0, now - self.known.count_least(rest | drawn)) for drawn in self.tried)
        hope = saved / len(self.tried) if self.tried else 0
        return now - _HORIZON * hope + _DANGER * self.is_wanted(card)

    def is_wanted(self, card: Card) -> bool:
        """Return whether the card may form a meld with a card that the next player took from the open pile."""
        return any(
            other.rank == card.rank
            or (other.suit == card.suit and abs(other.rank - card.rank) <= 2)
            for other in self.collected
        )

    @cached_property
    def collected(self) -> set[Card]:
        following = seat_after(self.public, self.seat)
        return set() if following is None else find_certain_cards(self.public, following)

    # --- What is known.

    @cached_property
    def unseen(self) -> list[Card]:
        lying = {card for meld in self.melds for card in meld.cards}
        lying |= {*self.hand, *cards_of_texts(self.public["open_pile"])}
        return [card for card in PACK if card not in lying]

    @cached_property
    def known(self) -> Hand:
        """The solver's hand: the player's hand together with all cards that may be added to it."""
        top = cards_of_texts(self.public["open_pile"][-1:])
        return Hand({*self.hand, *self.unseen, *top}, self.melds, self.rules.shape)

    @cached_property
    def mask(self) -> int:
        return self.known.mask(self.hand)

    @cached_property
    def tried(self) -> list[int]:
        """A sample of the cards that may be drawn next, as masks."""
        stride = len(self.unseen) // _TRIED + 1
        return [self.known.bit[card] for card in self.unseen[::stride]]


# Discards to play out; worlds for all options, and for the best one and the default.
_DISCARDS: Final = 5
_WORLDS: Final = 150
_MORE_WORLDS: Final = 350
# The most turns to play out for one choice. With extreme rules this allows fewer worlds.
_MOST_STEPS: Final = 60_000


class _BasicExpert(_BasicBot):
    """Plays like `hard` unless another option wins more net points in playouts.

    The playouts begin with worlds that agree with what the bot knows.
    """

    def choose(self) -> AnyMove:
        if self.public["step"] == "draw":
            usual = "open" if self.wants_open_card() else "closed"
            other = "closed" if usual == "open" else "open"
            options = (
                [Option(usual), Option(other)] if self.public["open_pile"] else [Option(usual)]
            )
            return Draw("open" if self.choose_option(options).doing == "open" else "closed")
        discards = [Option("discard", card) for card in self.sort_by_price()[:_DISCARDS]]
        laying = self.lay()
        if laying is None:
            options = discards
        elif self.public["players"][str(self.seat)]["has_laid"]:
            return laying
        else:
            # Melds that are kept back may all be laid later, to go rummy, and nobody can lay off on them (B6, B9).
            options = [Option("lay"), *discards[:2]]
        chosen = self.choose_option(options)
        return (
            laying
            if laying is not None and chosen.card is None
            else Discard(PACK[chosen.card or 0])
        )

    def sort_by_price(self) -> list[Card]:
        others = [card for card in self.hand if card != self.kept_card]
        return sorted(others, key=lambda card: (self.price(card), card))

    def choose_option(self, options: Sequence[Option]) -> Option:
        view = {"public": self.public, "you": self.own}
        known = read_known(view, self.seat, lambda _players: PACK)
        playouts = BasicPlayouts(self.rules, self.rng)
        nets = known.nets(playouts, self.rng)
        return choose_option(
            options, nets, _WORLDS, _MORE_WORLDS, lambda: playouts.steps >= _MOST_STEPS
        )
