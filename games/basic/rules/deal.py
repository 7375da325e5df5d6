"""The beginning of a deal of basic rummy (B1 to B3). `engine.laid` has its state."""

from collections.abc import Sequence

from games.basic.rules.ruleset import BasicRules
from games.engine.core import PACK
from games.engine.laid import Deal, How, Phase, Player, Status
from games.engine.piles import dealt_hands
from games.shuffle import shuffled

__all__ = ["PACK", "Deal", "How", "Phase", "Player", "Status", "deal_cards"]


def deal_cards(rules: BasicRules, order: Sequence[int], seed: bytes) -> Deal:
    """Deal the hands, then turn up the first card of the open pile (B3)."""
    deck, size = shuffled(PACK, seed=seed, label="deal"), rules.hand_size(len(order))
    hands, rest = dealt_hands(deck, order, size)
    extra_ms = rules.extra_seconds * 1000
    return Deal(
        seed=seed,
        players=tuple(Player(seat=seat, groups=hands[seat], extra_ms=extra_ms) for seat in order),
        # The next card of the deck is the last of the tuple.
        closed=rest[:0:-1],
        open_pile=rest[:1],
    )
