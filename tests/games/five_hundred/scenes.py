"""Deals of 500 Rum set up by hand. A hand is a string, with `|` between its groups."""

from typing import Any

from games.engine.laid import Player, as_meld
from games.five_hundred.game import GAME
from games.five_hundred.rules.match import Match
from games.five_hundred.rules.moves import Deal
from games.five_hundred.rules.ruleset import POINTS, FiveHundredRules
from tests.games.scenes import Acting, begin_fields, cut_deck, faces, groups, lay_by_second

act = Acting(GAME)


def scene(
    *hands: str,
    open_pile: str = "2S",
    next_closed: str = "",
    closed_count: int | None = None,
    table: str = "",
    rules: FiveHundredRules = POINTS,
) -> Match:
    """Return a match before its first move. Seat 0 begins, and seat 1 has laid the melds in `table`.

    All other cards are in the closed deck. If `closed_count` is given, it is cut to that size, and the cards
    cut off are out of play.
    """
    held, laid, piled = [groups(hand) for hand in hands], groups(table), faces(open_pile)
    named = [*piled, *sum((*sum(held, ()), *laid), ())]
    closed, _ = cut_deck(rules.deck(len(hands)), named, faces(next_closed), closed_count)
    deal = Deal(
        closed=closed,
        open_pile=piled,
        melds=lay_by_second(as_meld, laid, rules.shape),
        **begin_fields(rules, Player, [{"groups": hand} for hand in held]),
    )
    return Match(rules=rules, deal=deal, seats=tuple(range(len(hands))))


def names() -> dict[str, Any]:
    """Return the rule sets that cases refer to by name."""
    rules = GAME.rules
    return {
        "RACE": rules.preset("race500"),
        "FIVES": rules.preset("fives"),
        "FREE": rules.parse({"name": "points", "free_top_card": True}),
        "SUITS": rules.parse({"name": "points", "repeated_suits": True}),
    }
