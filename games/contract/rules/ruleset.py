"""The rule sets of Contract Rummy: the choices that docs/rules-contract.md leaves open."""

from typing import Annotated, Final, Literal

from games.cards import ACE, FACES, PRINTED_JOKER, Card
from games.engine.base import InvalidRules
from games.engine.fields import (
    CardPoints,
    ExtraSeconds,
    MaxPoints,
    Minutes,
    MissedTurns,
    Points,
    Qualifiers,
    Restocks,
    Seconds,
    Turns,
    Within,
)
from games.engine.laid import Shape
from games.engine.rules import RuleBook
from games.engine.state import Value, replace

SEATS: Final = range(2, 9)
MOST_MELDS: Final = 3  # of a contract, so of each player in a deal
_MOST_PACKS: Final = 3
_ALL_PRINTED: Final = 4
# With unlimited buying nearly all of it can come into one hand (C1, C8).
LARGEST_DECK: Final = _MOST_PACKS * (FACES - 1) + max(2 * _MOST_PACKS, SEATS[-1] - 1)
# C15: points by the number of a card.
_PICTURES: Final = 10
_FIVE: Final = 5

SET: Final = "set"
RUN: Final = "run"
# The kinds of its melds.
Contract = Annotated[tuple[Literal["set", "run"], ...], Within(1, MOST_MELDS)]

SEVEN: Final[tuple[Contract, ...]] = (
    (SET, SET),
    (SET, RUN),
    (RUN, RUN),
    (SET, SET, SET),
    (SET, SET, RUN),
    (SET, RUN, RUN),
    (RUN, RUN, RUN),
)


class ContractRules(Value, kw_only=True):
    name: str = "contract"

    # Cards.
    contracts: Annotated[tuple[Contract, ...], Within(1, 7)] = SEVEN  # C2: of each deal
    hand_sizes: Annotated[tuple[Annotated[int, Within(1, 13)], ...], Within(1, 7)] = (
        10,
        10,
        10,
        10,
        12,
        12,
        12,
    )
    packs: Annotated[tuple[Annotated[int, Within(2, _MOST_PACKS)], ...], Within(4, 4)] = (
        2,
        2,
        2,
        3,
    )  # C1: for two, three, four, and five or more players
    jokers: Literal["per_players", "all_printed", "two_a_pack"] = "per_players"
    deuces_wild: bool = False

    # Melds.
    min_set: Annotated[int, Within(3, 6)] = 3  # C3
    min_run: Annotated[int, Within(3, 7)] = 4
    # C4: cards of a meld that stand for themselves
    min_naturals_set: Annotated[int, Within(0, 6)] = 1
    min_naturals_run: Annotated[int, Within(0, 7)] = 2
    exact_contract: bool = True  # C4: no card more than a contract needs
    whole_hand_last: bool = True  # C4: the last contract takes the whole hand
    lay_off_same_turn: bool = False  # C9
    may_return_open_card: bool = False  # C13
    must_go_out_by_laying: bool = False  # C12

    # Buying.
    buying: bool = True  # C7
    max_buys: Annotated[int, Within(0, 20)] | None = 3  # C8: of each player in a deal
    multiple_buys: bool = False

    # Counting.
    joker_points: CardPoints = 25  # C15
    ace_points: CardPoints = 15
    number_points: Literal["pips", "five"] = "pips"
    leave_points: Points = 100  # C19: for each deal after leaving

    # A deal and a match.
    max_restocks: Restocks = 3  # C14
    max_turns: Turns = 40  # C14: of each player
    max_minutes: Minutes = 30
    max_missed_turns: MissedTurns = 3  # C18: in a row
    # C17: one deal is the match, paid by its points.
    per_point: bool = False
    max_points: MaxPoints | None = None
    deals: Annotated[int, Within(1, 7)] = 7
    qualifiers: Qualifiers | None = None  # How many players advance from a tournament table.

    # Clocks.
    turn_seconds: Seconds = 45
    extra_seconds: ExtraSeconds = 90  # of each player, for the whole deal
    buy_seconds: Seconds = 8  # C7
    break_seconds: Seconds = 12  # between two deals of a match

    @property
    def restock(self) -> Literal["shuffle", "turn", "block"]:
        """How an empty closed deck is refilled (C14)."""
        return "shuffle"

    @property
    def last_card(self) -> Literal["any", "discard", "lay"]:
        """How the last card of a hand may be played (C12)."""
        return "lay" if self.must_go_out_by_laying else "any"

    @property
    def shape(self) -> Shape:
        """The shape that a valid meld must have (C3)."""
        return Shape(min_set=self.min_set, min_run=self.min_run, ace_high=True, repeats=True)

    def is_wild(self, card: Card) -> bool:
        """Return whether the card may stand for another one (C1, C3)."""
        return card.face == PRINTED_JOKER or (self.deuces_wild and card.rank == 2)

    def is_whole_hand(self, number: int) -> bool:
        """Return whether the contract of this deal takes the whole hand (C4)."""
        return self.whole_hand_last and number == len(self.contracts)

    def points_of(self, card: Card) -> int:
        """Return the points of a card in hand (C15)."""
        if self.is_wild(card):
            return self.joker_points
        if card.rank == ACE:
            return self.ace_points
        if self.number_points == "five" and card.rank <= _PICTURES:
            return _FIVE
        return min(card.rank, _PICTURES)

    def packs_for(self, players: int) -> int:
        return self.packs[min(players - SEATS[0], len(self.packs) - 1)]

    def jokers_for(self, players: int) -> int:
        if self.jokers == "two_a_pack":
            return 2 * self.packs_for(players)
        return _ALL_PRINTED if self.jokers == "all_printed" else players - 1

    def deck(self, players: int) -> tuple[Card, ...]:
        """Return the cards before the shuffle: the packs without jokers, then the jokers (C1)."""
        packs, jokers = self.packs_for(players), self.jokers_for(players)
        cards = [Card.of(face, pack) for pack in range(packs) for face in range(FACES - 1)]
        return (*cards, *(Card.of(PRINTED_JOKER, number) for number in range(jokers)))


USUAL: Final = ContractRules()
_PRESETS: Final = (
    USUAL,
    replace(USUAL, name="pagat", hand_sizes=(10, 10, 10, 12, 12, 12, 12)),
    replace(USUAL, name="no_buying", buying=False),
    replace(USUAL, name="multiple_buys", multiple_buys=True),
    replace(USUAL, name="deuces_wild", deuces_wild=True),
    replace(
        USUAL,
        name="single",
        contracts=((SET, RUN),),
        hand_sizes=(10,),
        whole_hand_last=False,
        per_point=True,
        max_points=150,
        deals=1,
    ),
    # For a first game: one contract with time to think.
    replace(
        USUAL,
        name="lesson",
        contracts=((SET, SET),),
        hand_sizes=(10,),
        whole_hand_last=False,
        per_point=True,
        max_points=150,
        deals=1,
        max_missed_turns=5,
        turn_seconds=180,
        extra_seconds=180,
        buy_seconds=60,
        max_minutes=60,
    ),
)


def size_of(contract: Contract, rules: ContractRules) -> int:
    """Return the smallest number of cards with which a contract can be laid."""
    return sum(rules.min_set if kind == SET else rules.min_run for kind in contract)


def _check(rules: ContractRules) -> None:
    if len(rules.contracts) != len(rules.hand_sizes):
        raise InvalidRules("There is a number of cards for each contract.")
    if rules.deals > len(rules.contracts):
        raise InvalidRules("There is a contract for each deal.")
    if rules.min_naturals_set > rules.min_set or rules.min_naturals_run > rules.min_run:
        raise InvalidRules("No meld has so many cards.")
    _check_sizes(rules)
    if rules.per_point and (rules.deals != 1 or not rules.max_points or rules.qualifiers):
        raise InvalidRules("A match that is paid by points is one deal, with a most that it costs.")


def _check_sizes(rules: ContractRules) -> None:
    """Check that each contract can be met with the cards of its deal. Raises `InvalidRules` (C2, C4)."""
    for number, (contract, size) in enumerate(
        zip(rules.contracts, rules.hand_sizes, strict=True), 1
    ):
        is_whole = rules.is_whole_hand(number)
        # One card is drawn, and one is discarded unless the whole hand is laid.
        if size_of(contract, rules) > size + is_whole:
            raise InvalidRules(f"{size} cards are too few for the contract of deal {number}.")
        if is_whole and set(contract) != {RUN}:
            raise InvalidRules("A contract that takes the whole hand is of runs alone.")


RULES: Final = RuleBook(*_PRESETS, check=_check, internal=("qualifiers", "per_point"))
PRESETS: Final = RULES.presets
load_rules = RULES.load


def adapt_to_event(rules: ContractRules, *, deals: int, qualifiers: int) -> ContractRules:
    """Return the rules of an event in which only the first `deals` contracts are played (C16).

    Raises `InvalidRules` for points rules.
    """
    if rules.per_point:
        raise InvalidRules("A tournament plays matches of several contracts.")
    return RULES.change(rules, deals=min(deals, len(rules.contracts)), qualifiers=qualifiers)


def largest_loss(rules: ContractRules) -> int:
    """Return the most points that one deal can cost a player (C17)."""
    if rules.max_points is not None:
        return rules.max_points
    buys = rules.max_buys if rules.buying and rules.max_buys is not None else 0
    most = max(rules.hand_sizes) + 2 * buys + 1
    return most * max(rules.joker_points, rules.ace_points, _PICTURES)
