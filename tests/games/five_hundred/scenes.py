"""Deals of 500 Rum set up by hand. A hand is text, its groups parted by `|`."""

from typing import Any

from games.engine.laid import Player
from games.engine.melds import as_meld
from games.five_hundred.game import GAME
from games.five_hundred.rules.match import Deal, Match
from games.five_hundred.rules.ruleset import POINTS, FiveHundredRules
from tests.games.driving import NOW, SEED
from tests.games.scenes import Acting, faces, groups

act = Acting(GAME)


def scene(
    *hands: str,
    open_pile: str = "2S",
    next_closed: str = "",
    closed_count: int | None = None,
    table: str = "",
    rules: FiveHundredRules = POINTS,
) -> Match:
    """Return a match before its first move: seat 0 begins, the melds of `table` are those of seat 1.

    The rest of the deck is closed, cut down to `closed_count` cards; the cards cut off are gone.
    """
    held = [groups(hand) for hand in hands]
    first = faces(next_closed)
    named = {*faces(open_pile), *first, *sum((*sum(held, ()), *groups(table)), ())}
    closed = (*(card for card in rules.deck(len(hands)) if card not in named), *first[::-1])
    melds = [as_meld(group, rules.shape, seat=1) for group in groups(table)]
    deal = Deal(
        seed=SEED,
        players=tuple(
            Player(
                seat=seat, groups=hand, extra_ms=rules.extra_seconds * 1000, turns=int(seat == 0)
            )
            for seat, hand in enumerate(held)
        ),
        closed=closed if closed_count is None else closed[len(closed) - closed_count :],
        open_pile=faces(open_pile),
        started_at=NOW,
        due_at=NOW + rules.turn_seconds * 1000,
        melds=tuple(meld for meld in melds if meld is not None),
    )
    assert len(deal.melds) == len(groups(table))
    return Match(rules=rules, deal=deal, seats=tuple(range(len(hands))))


def names() -> dict[str, Any]:
    """Return the presets and other rule sets that cases name."""
    rules = GAME.rules
    return {
        "RACE": rules.preset("race500"),
        "FIVES": rules.preset("fives"),
        "FREE": rules.parse({"name": "points", "free_top_card": True}),
        "SUITS": rules.parse({"name": "points", "repeated_suits": True}),
    }
