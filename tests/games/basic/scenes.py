"""Deals of basic rummy set up by hand. A hand is a string, with `|` between its groups."""

from games.basic.game import GAME
from games.basic.rules.match import Match
from games.basic.rules.moves import Deal
from games.basic.rules.ruleset import POINTS, PRESETS, BasicRules
from games.cards import CARDS
from games.engine.laid import Player, as_meld
from tests.games.scenes import (
    Acting,
    begin_fields,
    cut_deck,
    faces,
    groups,
    lay_by_second,
)

act = Acting(GAME)
act_events, expire, expire_events = act.events, act.expire, act.expire_events
view, view_own, result, draw_card = act.view, act.view_own, act.result, act.draw_card
RACE = PRESETS["race100"]


def scene(
    *hands: str,
    open_pile: str = "2S",
    next_closed: str = "",  # the next card to draw comes first
    closed_count: int | None = None,  # cards left in it; the rest goes under the open pile
    table: str = "",  # melds, laid by seat 1
    rules: BasicRules = POINTS,
) -> Match:
    """Set up hands in order of play; seat 0 begins. Cards not named lie in the closed deck."""
    held, laid, piled = [groups(hand) for hand in hands], groups(table), faces(open_pile)
    named = [*piled, *sum((*sum(held, ()), *laid), ())]
    closed, cut = cut_deck(CARDS[:52], named, faces(next_closed), closed_count)
    deal = Deal(
        closed=closed,
        open_pile=(*cut, *piled),
        melds=lay_by_second(as_meld, laid, rules.shape),
        **begin_fields(rules, Player, [{"groups": hand} for hand in held]),
    )
    return Match(rules=rules, deal=deal, seats=tuple(range(len(hands))))


def player(match: Match, seat: int) -> Player:
    found = match.deal.player(seat)
    assert isinstance(found, Player)
    return found
