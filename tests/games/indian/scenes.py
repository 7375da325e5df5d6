"""Deals set up by hand, and moves in short: `act(match, 0, "draw", source="open")`."""

from dataclasses import dataclass
from typing import Any

from games.cards import full_deck
from games.indian.game import GAME
from games.indian.rules.deal import Deal, Player
from games.indian.rules.match import Match, Standing
from games.indian.rules.ruleset import POINTS, RuleSet
from tests.games.driving import NOW, SEED
from tests.games.scenes import Acting, Packs, kinds, told
from tests.games.values import replace

# Valid with any wild rank but 2 to 5, 8, 9 and the king.
DECLARABLE = "2H 3H 4H 5H|2C 3C 4C|KS KD KC|8S 8D 8H"
# One pure sequence only; 10 + 10 + 9 + 9 + 7 + 7 + 6 + 6 + 3 + 3 counted = 70 when it is free.
HOPELESS = "5S 6S 7S|KH QD 9C 9D 7C 7D 6D 6C 3S 3D"
# Nothing goes together: more than the cap of 80.
WORTHLESS = "AS 4S 8S TS|3H 9H TH|2D 5D 8D|4C TC QC"
FOURTH = "AH 6H 8H KC|3C 5C 9C|AD 7S JC|2C TD KD"


@dataclass(frozen=True)
class Scene:
    """Hands in order of play; `|` parts groups. What is not named lies in the closed deck."""

    hands: tuple[str, ...]
    wild: str = "JD"
    open_pile: str = "2S"
    next_closed: str = ""  # the next card to draw comes first
    closed: str | None = None  # the whole closed deck instead; the rest goes under the open pile
    rules: RuleSet = POINTS

    def match(self) -> Match:
        pack = Packs()
        [wild] = pack.cards(self.wild)
        open_pile = pack.cards(self.open_pile)
        groups = [pack.groups(hand) for hand in self.hands]
        first = pack.cards(self.next_closed if self.closed is None else self.closed)
        rest = tuple(c for c in full_deck(2) if c.pack >= pack.seen[c.face])
        under = rest if self.closed is not None else ()
        extra_ms = self.rules.extra_seconds * 1000
        deal = Deal(
            seed=SEED,
            players=tuple(
                Player(seat=seat, groups=laid, extra_ms=extra_ms, turns=int(seat == 0))
                for seat, laid in enumerate(groups)
            ),
            wild=wild,
            closed=((*rest, *first[::-1]) if self.closed is None else first[::-1]),
            open_pile=(*under, *open_pile),
            started_at=NOW,
            due_at=NOW + self.rules.turn_seconds * 1000,
        )
        chips = self.rules.chips_per_deal * (self.rules.deals or 0)
        standings = tuple(Standing(seat, chips=chips) for seat in range(len(groups)))
        return Match(rules=self.rules, deal=deal, standings=standings)


def scene(*hands: str, **fields: Any) -> Match:
    return Scene(hands=hands, **fields).match()


act = Acting(GAME)
act_events, expire, expire_events, refused = act.events, act.expire, act.expire_events, act.refused
view, own, result, drawing = act.view, act.own, act.result, act.drawing


def saved(match: Match, seat: int) -> list[list[str]]:
    groups: list[list[str]] = own(match, seat)["groups"]
    return groups


def won_by_declaring(match: Match, seat: int = 0) -> Any:
    """This seat, at turn and with a hand to declare, wins the deal."""
    match = drawing(match, seat)
    match = act(match, seat, "finish", card=own(match, seat)["drawn"])
    return act(match, seat, "declare", groups="saved")


def turn_of(match: Match, seat: int) -> Match:
    """The same deal with this seat about to draw."""
    return replace(match, deal=replace(match.deal, turn=seat, turn_number=seat + 1))


def standings(match: Match) -> dict[int, tuple[str, int | None, str | None]]:
    """Status, points and how they came about, by seat."""
    return {
        player.seat: (player.status.value, player.points, player.how and player.how.value)
        for player in match.deal.players
    }


__all__ = ["NOW", "SEED", "act", "kinds", "told"]
