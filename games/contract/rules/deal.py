"""A deal of Contract Rummy: its state, which extends `engine.laid`, and its dealing (C1, C2)."""

from collections.abc import Sequence
from typing import TypeAlias

from games.cards import Card
from games.contract.rules.ruleset import Contract, ContractRules
from games.engine import laid
from games.engine.moves import PilesStep
from games.engine.state import Value, deal_piles


class Player(laid.Player, kw_only=True):
    # Cards bought in this deal (C8).
    buys: int = 0
    never_buy: bool = False
    # The cards of the last buy: the upcard and the closed card.
    bought: tuple[Card, ...] = ()
    # All closed cards of buys.
    penalties: tuple[Card, ...] = ()
    # Whether the player has made a move of a turn (C18).
    has_played: bool = False
    # Whether the server has played for the player.
    was_absent: bool = False


class Window(Value):
    """The sale of an upcard: the other players may buy it until `Deal.due_at` (C7).

    `may` are the seats that may buy, in order of play. `answers` are in the order in which they arrived.
    """

    card: Card
    may: tuple[int, ...]
    answers: tuple[tuple[int, bool], ...] = ()
    # The buyer of the card before, in this turn.
    last_buyer: int | None = None
    # Whether the server plays this turn: it discards the card that it draws.
    silent: bool = False

    @property
    def waiting(self) -> tuple[int, ...]:
        answered = {seat for seat, _ in self.answers}
        return tuple(seat for seat in self.may if seat not in answered)

    @property
    def wanted(self) -> tuple[int, ...]:
        """The seats that have asked for the card, in order of play."""
        return tuple(seat for seat in self.may if (seat, True) in self.answers)

    @property
    def is_decided(self) -> bool:
        """Whether it is certain who buys the card, whatever the missing answers are."""
        waiting = set(self.waiting)
        for seat in self.may:
            if seat in waiting:
                return False
            if (seat, True) in self.answers:
                return True
        return True


class Deal(laid.Deal[Player], kw_only=True):
    players: tuple[Player, ...]
    contract: Contract
    # Whether the contract takes the whole hand (C4).
    is_whole: bool = False
    window: Window | None = None

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that may buy the upcard and have not answered yet (C7)."""
        return () if self.window is None else self.window.waiting


Step: TypeAlias = PilesStep[laid.Match[ContractRules, Deal], Deal, Player, ContractRules]


def deal_cards(rules: ContractRules, order: Sequence[int], number: int, seed: bytes) -> Deal:
    """Deal the hands of this contract, then turn up the first card of the open pile (C2)."""
    deck, size = rules.deck(len(order)), rules.hand_sizes[number - 1]
    return Deal(
        contract=rules.contracts[number - 1],
        is_whole=rules.is_whole_hand(number),
        **deal_piles(Player, rules, deck, order, size, seed=seed),
    )
