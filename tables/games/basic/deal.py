"""One deal of basic rummy: how it begins (B1 to B3). Its form is `tables.games.rummy.deal`."""

from collections.abc import Sequence

from tables.games.base import Instant
from tables.games.basic.rulesets import BasicRules
from tables.games.cards import Card
from tables.games.rummy import events
from tables.games.rummy.deal import (
    PACK,
    Deal,
    How,
    Phase,
    Player,
    Status,
    hand_of,
    sorted_by_suit,
)
from tables.games.rummy.events import Events
from tables.games.shuffle import shuffled

__all__ = ["Deal", "How", "Phase", "Player", "Status", "deal_cards"]


def deal_cards(
    rules: BasicRules,
    order: Sequence[int],
    *,
    toss: tuple[Card, ...] | None,
    seed: bytes,
    now: Instant,
) -> tuple[Deal, Events]:
    """B3: the cards, then the one that opens the open pile; the rest is the closed deck."""
    size = rules.hand_size(len(order))
    in_hands = size * len(order)
    deck = shuffled(PACK, seed=seed, label="deal")
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
    )
    begun = (
        events.dealt(order=order, open_card=deal.open_pile[0], hand_size=size),
        events.turn(order[0], deal.due_at),
    )
    if toss is None:
        return deal, begun
    return deal, (events.toss(dict(zip(order, toss, strict=True))), *begun)
