"""Deals of gin set up by hand."""

from typing import Any

from games.cards import CARDS
from games.engine.state import replace
from games.gin.game import GAME
from games.gin.rules.ruleset import POINTS, GinRules
from games.gin.rules.state import Deal, Match, Phase, Player
from tests.games.scenes import (
    Acting,
    begin_fields,
    cut_deck,
    faces,
    groups,
)

# Ten cards: 3 + 3 melds and 1 + 2 + 3 + 4 = 10 of deadwood.
TEN = "5H 6H 7H|KS KD KC|AS 2C 3D 4S"
# All melded except a two.
TWO = "5H 6H 7H|KS KD KC|9D TD JD|2C"
# Ten cards, all melded, so that any card drawn can be discarded.
GIN_HAND = "5H 6H 7H 8H|KS KD KC|9D TD JD"
# No two cards fit together: 10 + 10 + 10 + 9 + 8 + 7 + 6 + 4 + 3 + 1.
NOTHING = "QH JS TC 9C 8S 7D 6S 4C 3H AD"

act = Acting(GAME)
act_events, expire, expire_events, refuse = act.events, act.expire, act.expire_events, act.refuse
view, view_own, result, draw_card = act.view, act.view_own, act.result, act.draw_card


def scene(  # noqa: PLR0913 - by name
    first: str,
    second: str,
    *,
    open_pile: str = "2S",
    next_closed: str = "",  # the next card to draw comes first
    closed_count: int | None = None,  # cards left in it; the rest goes under the open pile
    phase: Phase = Phase.TURN,
    rules: GinRules = POINTS,
) -> Match:
    """Set up a deal in which seat 0 begins and seat 1 has dealt. All other cards lie in the closed deck."""
    held, piled = [groups(first), groups(second)], faces(open_pile)
    named = [*piled, *sum(sum(held, ()), ())]
    closed, cut = cut_deck(CARDS[:52], named, faces(next_closed), closed_count)
    deal = Deal(
        upcard=piled[-1],
        closed=closed,
        open_pile=(*cut, *piled),
        phase=phase,
        **begin_fields(rules, Player, [{"groups": hand} for hand in held]),
    )
    return Match(rules=rules, deal=deal, seats=(0, 1))


def turn_of(match: Match, seat: int) -> Match:
    """Return the same deal at the beginning of this seat's turn."""
    return replace(match, deal=replace(match.deal, turn=seat))


def outcome(match: Match) -> tuple[str, Any, int]:
    found = match.deal.outcome
    assert found is not None
    return found.how.value, found.winner, found.points
