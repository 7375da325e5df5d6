"""One deal of Contract Rummy: what it has besides melds on the table, and how it begins (C1, C2)."""

from collections.abc import Sequence
from dataclasses import dataclass

from tables.games.base import Instant
from tables.games.cards import Card
from tables.games.contract.rulesets import Contract, ContractRules
from tables.games.rummy import deal as laid
from tables.games.rummy import events
from tables.games.rummy.deal import How, Phase, Status, hand_of, sorted_by_suit
from tables.games.rummy.events import Events
from tables.games.shuffle import shuffled

__all__ = ["Deal", "How", "Phase", "Player", "Status", "Window", "deal_cards"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Player(laid.Player):
    # Cards bought in this deal (C8).
    buys: int = 0
    never_buy: bool = False
    # What they got by their last buy: the upcard and the closed card.
    bought: tuple[Card, ...] = ()
    # All closed cards that came with a buy.
    penalties: tuple[Card, ...] = ()
    # Whether they have made a move of a turn by themselves (C18).
    has_played: bool = False
    # Whether the server has played for them.
    was_absent: bool = False


@dataclass(frozen=True, slots=True)
class Window:
    """The others are asked for the upcard (C7). `may` are in order of play, `answers` in any."""

    card: Card
    may: tuple[int, ...]
    answers: tuple[tuple[int, bool], ...] = ()
    # Who bought the card before, in this turn.
    last_buyer: int | None = None
    # The turn is played by the server: what is drawn is discarded.
    silent: bool = False

    @property
    def waiting(self) -> tuple[int, ...]:
        answered = {seat for seat, _ in self.answers}
        return tuple(seat for seat in self.may if seat not in answered)

    @property
    def wanted(self) -> tuple[int, ...]:
        """Who has asked for it, in order of play."""
        return tuple(seat for seat in self.may if (seat, True) in self.answers)

    @property
    def is_decided(self) -> bool:
        """Whether no answer that is still open can change who gets the card."""
        waiting = set(self.waiting)
        for seat in self.may:
            if seat in waiting:
                return False
            if (seat, True) in self.answers:
                return True
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal(laid.Deal):
    contract: Contract
    # Whether the contract takes the whole hand (C4).
    is_whole: bool = False
    window: Window | None = None


def deal_cards(
    rules: ContractRules,
    order: Sequence[int],
    *,
    number: int,
    toss: tuple[Card, ...] | None,
    seed: bytes,
    now: Instant,
) -> tuple[Deal, Events]:
    """C2: the cards of this deal's contract, then the upcard; the rest is the closed deck."""
    size = rules.hand_sizes[number - 1]
    in_hands = size * len(order)
    deck = shuffled(rules.deck(len(order)), seed=seed, label="deal")
    players = tuple(
        Player(
            seat=seat,
            groups=sorted_by_suit(hand_of(deck, place, len(order), size)),
            extra_ms=rules.extra_seconds * 1000,
            turns=int(place == 0),
        )
        for place, seat in enumerate(order)
    )
    deal = Deal(
        seed=seed,
        players=players,
        # Drawn from the end of the tuple: the next card of the deck is its last.
        closed=deck[:in_hands:-1],
        open_pile=(deck[in_hands],),
        started_at=now,
        due_at=now + rules.turn_seconds * 1000,
        toss=toss,
        contract=rules.contracts[number - 1],
        is_whole=rules.is_whole_hand(number),
    )
    begun = (
        events.dealt(
            order=order,
            open_card=deal.open_pile[0],
            hand_size=size,
            contract=list(deal.contract),
            packs=rules.packs_for(len(order)),
            jokers=rules.jokers_for(len(order)),
        ),
        events.turn(order[0], deal.due_at),
    )
    if toss is None:
        return deal, begun
    return deal, (events.toss(dict(zip(order, toss, strict=True))), *begun)
