"""Contract Rummy as data: one `ContractRules`, made up of the choices of docs/rules-contract.md."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from tables.games.base import JSON, InvalidRules
from tables.games.cards import ACE, FACES, PRINTED_JOKER, Card
from tables.games.rummy.melds import Shape
from tables.games.rummy.rule_fields import RuleFields

SEATS: Final = range(2, 6)
# As many as the notation of cards has: PJ.0 to PJ.3.
MOST_JOKERS: Final = 4
# C15: what hangs on the number of a card.
_PICTURES: Final = 10
_FIVE: Final = 5

Contract = tuple[str, ...]
SET, RUN = "set", "run"
KINDS: Final = (SET, RUN)

SEVEN: Final[tuple[Contract, ...]] = (
    (SET, SET),
    (SET, RUN),
    (RUN, RUN),
    (SET, SET, SET),
    (SET, SET, RUN),
    (SET, RUN, RUN),
    (RUN, RUN, RUN),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractRules:
    name: str = "contract"

    # Cards.
    contracts: tuple[Contract, ...] = SEVEN  # C2: of each deal
    hand_sizes: tuple[int, ...] = (10, 10, 10, 10, 12, 12, 12)
    packs: tuple[int, ...] = (2, 2, 2, 3)  # C1: for two, three, … five players
    jokers: Literal["per_players", "all_printed"] = "per_players"
    deuces_wild: bool = False

    # Melds.
    min_set: int = 3  # C3
    min_run: int = 4
    min_naturals_set: int = 1  # C4: cards of a meld that stand for themselves
    min_naturals_run: int = 2
    exact_contract: bool = True  # C4: no card more than a contract needs
    whole_hand_last: bool = True  # C4: the last contract takes the whole hand
    lay_off_same_turn: bool = False  # C9
    may_return_open_card: bool = False  # C13
    must_go_out_by_laying: bool = False  # C12

    # Buying.
    buying: bool = True  # C7
    max_buys: int | None = 3  # C8: of each player in a deal
    multiple_buys: bool = False

    # Counting.
    joker_points: int = 25  # C15
    ace_points: int = 15
    number_points: Literal["pips", "five"] = "pips"
    leave_points: int = 100  # C19: for each deal after leaving

    # A deal and a match.
    max_restocks: int = 3  # C14
    max_turns: int = 40  # C14: of each player
    max_minutes: int = 30
    max_missed_turns: int = 3  # C18: in a row
    # C17: one deal is the match, paid by its points.
    per_point: bool = False
    max_points: int | None = None
    deals: int = 7
    qualifiers: int | None = None  # How many go on from a tournament's table.

    # Clocks.
    turn_seconds: int = 45
    extra_seconds: int = 90  # of each player, for the whole deal
    buy_seconds: int = 8  # C7
    break_seconds: int = 12  # between two deals of a match

    @property
    def restock(self) -> Literal["shuffle", "turn", "block"]:
        """C14"""
        return "shuffle"

    @property
    def last_card(self) -> Literal["any", "discard", "lay"]:
        """C12: how the last card of a hand may go."""
        return "lay" if self.must_go_out_by_laying else "any"

    @property
    def shape(self) -> Shape:
        """C3"""
        return Shape(min_set=self.min_set, min_run=self.min_run, ace_high=True, repeats=True)

    def is_wild(self, card: Card) -> bool:
        """C1, C3: whether it may stand for another card."""
        return card.face == PRINTED_JOKER or (self.deuces_wild and card.rank == 2)

    def is_whole_hand(self, number: int) -> bool:
        """C4: whether the contract of this deal takes the whole hand."""
        return self.whole_hand_last and number == len(self.contracts)

    def points_of(self, card: Card) -> int:
        """C15"""
        if self.is_wild(card):
            return self.joker_points
        if card.rank == ACE:
            return self.ace_points
        if self.number_points == "five" and card.rank <= _PICTURES:
            return _FIVE
        return min(card.rank, _PICTURES)

    def packs_for(self, players: int) -> int:
        return self.packs[players - SEATS[0]]

    def jokers_for(self, players: int) -> int:
        return players - 1 if self.jokers == "per_players" else MOST_JOKERS

    def deck(self, players: int) -> tuple[Card, ...]:
        """C1: the packs without their jokers, then the jokers; in order before the shuffle."""
        packs, jokers = self.packs_for(players), self.jokers_for(players)
        cards = [Card.of(face, pack) for pack in range(packs) for face in range(FACES - 1)]
        return (*cards, *(Card.of(PRINTED_JOKER, number) for number in range(jokers)))


USUAL: Final = ContractRules()

PRESETS: Final[Mapping[str, ContractRules]] = {
    rules.name: rules
    for rules in (
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
        # For whoever plays for the first time: one contract with time to think.
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
}


def size_of(contract: Contract, rules: ContractRules) -> int:
    """The fewest cards that a contract takes."""
    return sum(rules.min_set if kind == SET else rules.min_run for kind in contract)


def _read_contracts(value: object) -> tuple[Contract, ...]:
    if not isinstance(value, list | tuple) or not 0 < len(value) <= len(SEVEN):
        raise ValueError
    return tuple(map(read_contract, value))


def read_contract(value: object) -> Contract:
    """A list of one to three of `set` and `run`. Raises `ValueError`."""
    if not isinstance(value, list | tuple) or not 0 < len(value) <= 3:
        raise ValueError
    if any(kind not in KINDS for kind in value):
        raise ValueError
    return tuple(value)


def _read_sizes(value: object) -> tuple[int, ...]:
    return _numbers(value, range(1, 14), len(SEVEN))


def _read_packs(value: object) -> tuple[int, ...]:
    packs = _numbers(value, range(2, 4), len(SEATS))
    if len(packs) < len(SEATS):
        raise ValueError
    return packs


def _numbers(value: object, allowed: range, most: int) -> tuple[int, ...]:
    if not isinstance(value, list | tuple) or not 0 < len(value) <= most:
        raise ValueError
    if any(type(number) is not int or number not in allowed for number in value):
        raise ValueError
    return tuple(value)


def _check(rules: ContractRules) -> None:
    if len(rules.contracts) != len(rules.hand_sizes):
        raise InvalidRules("There is a number of cards for each contract.")
    if rules.deals > len(rules.contracts):
        raise InvalidRules("There is a contract for each deal.")
    if rules.min_set < 3 or rules.min_run < 3:
        raise InvalidRules("A meld has three cards or more.")
    if rules.min_naturals_set > rules.min_set or rules.min_naturals_run > rules.min_run:
        raise InvalidRules("No meld has so many cards.")
    _check_sizes(rules)
    if rules.per_point and (rules.deals != 1 or not rules.max_points or rules.qualifiers):
        raise InvalidRules("A match that is paid by points is one deal, with a most that it costs.")


def _check_sizes(rules: ContractRules) -> None:
    """C2, C4: each contract can be met with the cards of its deal."""
    for number, (contract, size) in enumerate(
        zip(rules.contracts, rules.hand_sizes, strict=True), 1
    ):
        is_whole = rules.is_whole_hand(number)
        # One card is drawn, and one is discarded where the whole hand is not laid.
        if size_of(contract, rules) > size + is_whole:
            raise InvalidRules(f"{size} cards are too few for the contract of deal {number}.")
        if is_whole and set(contract) != {RUN}:
            raise InvalidRules("A contract that takes the whole hand is of runs alone.")


_FIELDS: Final = RuleFields(
    ContractRules,
    PRESETS,
    at_least_one=frozenset(
        {
            "max_points",
            "max_turns",
            "max_minutes",
            "max_missed_turns",
            "deals",
            "qualifiers",
            "turn_seconds",
            "buy_seconds",
            "break_seconds",
        }
    ),
    read={"contracts": _read_contracts, "hand_sizes": _read_sizes, "packs": _read_packs},
    check=_check,
)


def parse_rules(data: object) -> ContractRules:
    return _FIELDS.parse(data)


def rules_json(rules: ContractRules) -> dict[str, JSON]:
    return _FIELDS.json(rules)


def rules_changes(rules: ContractRules) -> dict[str, JSON]:
    return _FIELDS.changes(rules)


def for_event(rules: ContractRules, *, deals: int, qualifiers: int) -> ContractRules:
    """C16: the first contracts, as many as there are deals. Raises `InvalidRules` for points rules."""
    if rules.per_point:
        raise InvalidRules("A tournament plays matches of several contracts.")
    first: dict[str, Any] = {"deals": min(deals, len(rules.contracts)), "qualifiers": qualifiers}
    return parse_rules({**rules_json(rules), **first})


def largest_loss(rules: ContractRules) -> int:
    """C17: the most points that one deal can cost; in a match for a pot they cost no chips."""
    if rules.max_points is not None:
        return rules.max_points
    buys = rules.max_buys if rules.buying and rules.max_buys is not None else 0
    most = max(rules.hand_sizes) + 2 * buys + 1
    return most * max(rules.joker_points, rules.ace_points, _PICTURES)
