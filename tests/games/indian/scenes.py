"""Deals of Indian rummy set up by hand, and moves in a short form: `act(match, 0, "draw", source="open")`."""

from typing import Any

from games.cards import full_deck
from games.indian.game import GAME
from games.indian.rules.ruleset import POINTS, RuleSet
from games.indian.rules.state import Deal, Match, MatchStanding, Player
from tests.games.scenes import Acting, Packs, begin_fields, cut_deck
from tests.games.values import replace

# A valid declaration with any wild rank except 2 to 5, 8, 9 and the king.
DECLARABLE = "2H 3H 4H 5H|2C 3C 4C|KS KD KC|8S 8D 8H"
# Only one pure sequence. If it is free, the rest is 10 + 10 + 9 + 9 + 7 + 7 + 6 + 6 + 3 + 3 = 70.
HOPELESS = "5S 6S 7S|KH QD 9C 9D 7C 7D 6D 6C 3S 3D"
# No meld: the cards count more than the cap of 80.
WORTHLESS = "AS 4S 8S TS|3H 9H TH|2D 5D 8D|4C TC QC"
FOURTH = "AH 6H 8H KC|3C 5C 9C|AD 7S JC|2C TD KD"


def scene(
    *hands: str,
    wild: str = "JD",
    open_pile: str = "2S",
    next_closed: str = "",  # the next card to draw comes first
    closed: str | None = None,  # the whole closed deck; the rest goes under the open pile
    rules: RuleSet = POINTS,
) -> Match:
    """Set up hands in order of play; `|` separates groups. Cards not named lie in the closed deck."""
    pack = Packs()
    [joker], piled = pack.cards(wild), pack.cards(open_pile)
    held = [pack.groups(hand) for hand in hands]
    first = pack.cards(next_closed if closed is None else closed)
    named = [joker, *piled, *sum(sum(held, ()), ())]
    count = None if closed is None else len(first)
    lying, under = cut_deck(full_deck(2), named, first, count)
    deal = Deal(
        wild=joker,
        closed=lying,
        open_pile=(*under, *piled),
        **begin_fields(rules, Player, [{"groups": hand} for hand in held]),
    )
    chips = rules.chips_per_deal * (rules.deals or 0)
    standings = tuple(MatchStanding(seat, chips=chips) for seat in range(len(hands)))
    return Match(rules=rules, deal=deal, standings=standings)


act = Acting(GAME)
act_events, expire, expire_events, refuse = act.events, act.expire, act.expire_events, act.refuse
view, view_own, result, draw_card = act.view, act.view_own, act.result, act.draw_card


def read_saved(match: Match, seat: int) -> list[list[str]]:
    groups: list[list[str]] = view_own(match, seat)["groups"]
    return groups


def win_by_declaring(match: Match, seat: int = 0) -> Any:
    """Have this seat, which is to move with a declarable hand, win the deal."""
    match = draw_card(match, seat)
    match = act(match, seat, "finish", card=view_own(match, seat)["drawn"])
    return act(match, seat, "declare", groups="saved")


def turn_of(match: Match, seat: int) -> Match:
    """Return the same deal at the beginning of this seat's turn."""
    return replace(match, deal=replace(match.deal, turn=seat, turn_number=seat + 1))


def standings(match: Match) -> dict[int, tuple[str, int | None, str | None]]:
    """Return each seat's status, its points, and how it got them."""
    return {
        player.seat: (player.status.value, player.points, player.how and player.how.value)
        for player in match.deal.players
    }
