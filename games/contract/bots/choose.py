"""The bots of Contract Rummy. A bot sees only its seat's view.

Until they have laid the contract, the bots collect the cards that it lacks. `hard` discards only cards that the
contract does not need; `easy` and `medium` often discard at random. After the contract they lay off. `expert` plays its
options out (docs/bots.md).
"""

import random
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

from games.analysis.judging import Option, choose_option
from games.analysis.laid import Known, read_known
from games.cards import CARD_BY_TEXT, CARDS, Card
from games.contract.bots.playouts import ContractPlayouts
from games.contract.rules.melds import LaidMeld, To, fits_somewhere, list_faces_onto
from games.contract.rules.missing import Missing, find_missing, find_missing_of_whole
from games.contract.rules.moves import (
    Buy,
    Discard,
    Draw,
    LayContract,
    LayOff,
    PassBuy,
    SwapJoker,
    move_json,
)
from games.contract.rules.ruleset import SET, Contract, ContractRules, load_rules
from games.engine.base import JSON, Strength
from games.engine.laid import Bot, Meld, cards_of_texts, extend_meld
from games.engine.laying import refusal_of_rest
from games.engine.moves import AnyMove
from games.engine.state import require


class _ContractSkill(NamedTuple):
    """The skill of a bot.

    All numbers are percentages: how often it overlooks open cards, forgets to lay melds, discards at random, and buys a
    card that helps it. With `plays_out` it plays its options out.
    """

    overlooks: int
    forgets: int
    blunders: int
    buys: int
    plays_out: bool = False


SKILLS: Final[Mapping[str, _ContractSkill]] = {
    "easy": _ContractSkill(overlooks=60, forgets=30, blunders=60, buys=20),
    "medium": _ContractSkill(overlooks=25, forgets=10, blunders=20, buys=60),
    "hard": _ContractSkill(overlooks=0, forgets=0, blunders=0, buys=100),
    "expert": _ContractSkill(overlooks=0, forgets=0, blunders=0, buys=100, plays_out=True),
}
# The hand size at which a bot stops buying.
_FULL_HAND: Final = 15


def choose(
    view: Mapping[str, Any], seat: int, *, strength: Strength, rng: random.Random
) -> dict[str, JSON]:
    """Return a move, in the form sent over the wire, for a seat that may act.

    `view` is `{"public": ..., "you": ..., "rules": ...}`, as the seat sees the table. `rng` decides between equally
    good moves.
    """
    skill = SKILLS[strength]
    kind = _ContractExpert if skill.plays_out else _ContractBot
    return move_json(kind(view, seat, load_rules(view["rules"]), skill, rng).choose())


class _ContractBot(Bot):
    rules: ContractRules
    skill: _ContractSkill

    def __init__(self, *seen: Any) -> None:
        super().__init__(*seen)
        self.contract: Contract = tuple(self.public["contract"])
        self.has_laid = bool(self.public["players"][str(self.seat)]["has_laid"])

    def choose(self) -> AnyMove:
        if self.public["phase"] == "buy":
            card = CARD_BY_TEXT[self.public["buying"]["card"]]
            return Buy() if self.wants_to_buy(card) else PassBuy()
        if self.public["step"] == "draw":
            return Draw("open" if self.wants_open_card() else "closed")
        return self.lay() or Discard(self.find_worst_card())

    # --- Drawing and buying.

    def wants_open_card(self) -> bool:
        pile = cards_of_texts(self.public["open_pile"][-1:])
        if not pile or self.happens(self.skill.overlooks):
            return False
        if self.has_laid:
            return fits_somewhere(pile[0], self.melds, self.rules)
        return self.helps(pile[0])

    def wants_to_buy(self, card: Card) -> bool:
        if self.has_laid or len(self.hand) >= _FULL_HAND or not self.happens(self.skill.buys):
            return False
        return self.helps(card)

    def helps(self, card: Card) -> bool:
        with_it = self.count_lacking((*self.hand, card))
        return with_it < self.count_lacking(self.hand)

    def count_lacking(self, hand: Sequence[Card]) -> int:
        """Return how many cards the hand lacks for the contract.

        A contract that takes the whole hand also takes the card still to be drawn.
        """
        if self.public["is_whole"]:
            size = max(len(self.hand) + (self.public["step"] != "discard"), len(hand))
            return find_missing_of_whole(hand, len(self.contract), size, self.rules).lacking
        return find_missing(hand, self.contract, self.rules).lacking

    # --- Laying.

    def lay(self) -> AnyMove | None:
        if self.skill.forgets and self.forgets_in_this_turn():
            return None
        if not self.has_laid:
            melds = self.find_missing().melds
            return self.make_contract(melds) if melds is not None else None
        if self.laid_now and not self.rules.lay_off_same_turn:
            return None
        return self.lay_off() or self.swap()

    @property
    def laid_now(self) -> bool:
        """Whether the contract was laid in this turn."""
        return bool(self.public["laid"])

    def find_missing(self) -> Missing:
        """Return what the hand lacks for the contract if no further card is drawn."""
        if self.public["is_whole"]:
            runs, size = len(self.contract), len(self.hand)
            return find_missing_of_whole(self.hand, runs, size, self.rules)
        return find_missing(self.hand, self.contract, self.rules)

    def make_contract(self, melds: tuple[LaidMeld, ...]) -> AnyMove | None:
        laid = [card for meld in melds for card in meld.cards]
        rest = tuple(card for card in self.hand if card not in laid)
        may = self.public["is_whole"] or self.may_keep(rest, self.melds)
        return LayContract(melds) if may else None

    def lay_off(self) -> AnyMove | None:
        """Return a lay-off of the card with the most points that fits, or None. Jokers come last."""
        order = sorted(self.hand, key=lambda c: (self.rules.is_wild(c), -self.points(c), c))
        for card in order:
            rest = tuple(other for other in self.hand if other != card)
            for number, meld in enumerate(self.melds):
                for face in list_faces_onto(meld, card, self.rules):
                    grown = require(
                        extend_meld(meld, (card,), (face,), self.rules.shape, seat=self.seat)
                    )
                    # By then the table may have changed, so another card of the same face need not fit.
                    if self.may_keep(
                        rest, [*self.melds[:number], grown, *self.melds[number + 1 :]]
                    ):
                        return LayOff(number, LaidMeld((card,), (face,)))
        return None

    def swap(self) -> AnyMove | None:
        """Return a swap that moves a joker to an end of its run, or None.

        The card that takes the joker's place comes from the hand.
        """
        for card in self.hand:
            rest = tuple(other for other in self.hand if other != card)
            for number, meld in enumerate(self.melds):
                if meld.is_set or meld.find_joker_for(card.face) is None:
                    continue
                ends: tuple[tuple[To, bool], ...] = (
                    ("front", meld.start > 1),
                    ("back", meld.end < 14),
                )
                for to, is_free in ends:
                    if is_free and self.may_keep(rest, ()):
                        return SwapJoker(number, card, to)
        return None

    def may_keep(self, rest: tuple[Card, ...], melds: Sequence[Meld]) -> bool:
        """Return whether the turn can end if these cards are left after laying."""
        fits = len(rest) == 1 and self.has_laid and fits_somewhere(rest[0], melds, self.rules)
        return refusal_of_rest(self.rules, self.kept_card, rest, fits=fits) is None

    # --- Discarding.

    def find_worst_card(self) -> Card:
        kept = self.kept_card
        others = [card for card in self.hand if card != kept]
        natural = [card for card in others if not self.rules.is_wild(card)] or others
        if self.happens(self.skill.blunders):
            return self.rng.choice(natural)
        if self.has_laid:
            return max(natural, key=lambda card: (self.points(card), -card))
        needed = self.find_missing().used
        spare = [card for card in natural if card not in needed] or natural
        return min(spare, key=lambda card: (self.count_company(card), -self.points(card), card))

    def count_company(self, card: Card) -> float:
        """Return how many cards of the hand may go into one meld of the contract with this card.

        Cards that may share a set with it, and cards that may share a run, are weighted by the shares of sets and runs
        in the contract.
        """
        sets = self.contract.count(SET) / len(self.contract)
        same = sum(other.rank == card.rank for other in self.hand) - 1
        near = {
            other.face
            for other in self.hand
            if other.suit == card.suit and other.face != card.face
            if abs(other.rank - card.rank) <= 3
        }
        return sets * same + (1 - sets) * len(near)

    def points(self, card: Card) -> int:
        return self.rules.points_of(card)


# Discards to play out; worlds for all options, and for the best one and the default.
_DISCARDS: Final = 4
_WORLDS: Final = 30
_MORE_WORLDS: Final = 80
# The most cards that the playouts of one choice may look at. With extreme rules this allows fewer worlds.
_MOST_STEPS: Final = 200_000


class _ContractExpert(_ContractBot):
    """Plays like `hard` unless another option wins more net points in playouts.

    The playouts begin with worlds that agree with what the bot knows.
    """

    def choose(self) -> AnyMove:
        if self.public["phase"] == "buy":
            wants = self.wants_to_buy(CARD_BY_TEXT[self.public["buying"]["card"]])
            return Buy() if self.is_better("buy", "pass", usual=wants) else PassBuy()
        if self.public["step"] == "draw":
            wants = self.wants_open_card()
            takes = bool(self.public["open_pile"]) and self.is_better("open", "closed", usual=wants)
            return Draw("open" if takes else "closed")
        laying = self.lay()
        if laying is not None:
            return laying
        usual = self.find_worst_card()
        playouts = self.playouts
        state = playouts.state(self.known.position)
        others = [card for card in playouts.list_discards(state) if card != usual]
        options = [Option("discard", card) for card in (usual, *others[: _DISCARDS - 1])]
        return Discard(CARDS[self.choose_option(options).card or 0])

    @cached_property
    def playouts(self) -> ContractPlayouts:
        return ContractPlayouts(self.rules, self.contract, bool(self.public["is_whole"]), self.rng)

    @cached_property
    def known(self) -> Known:
        return read_known({"public": self.public, "you": self.own}, self.seat, self.rules.deck)

    def is_better(self, one: str, other: str, *, usual: bool) -> bool:
        options = Option(one), Option(other)
        return self.choose_option(options if usual else options[::-1]) == options[0]

    def choose_option(self, options: Sequence[Option]) -> Option:
        nets = self.known.nets(self.playouts, self.rng)
        playouts = self.playouts
        return choose_option(
            options, nets, _WORLDS, _MORE_WORLDS, lambda: playouts.steps >= _MOST_STEPS
        )
