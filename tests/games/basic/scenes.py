"""Deals of basic rummy set up by hand. A hand is text, its groups parted by `|`."""

from dataclasses import dataclass
from typing import Any

from games.basic.game import GAME
from games.basic.rules.deal import Deal, Player
from games.basic.rules.match import Match
from games.basic.rules.ruleset import POINTS, PRESETS, BasicRules
from games.cards import CARDS
from games.engine.laid import Player as AnyPlayer
from games.engine.melds import as_meld
from tests.games.driving import NOW, SEED
from tests.games.scenes import Acting, changed_player, faces, groups, kinds, texts, wire

act = Acting(GAME)
act_events, expire, expire_events = act.events, act.expire, act.expire_events
view, own, result, drawing = act.view, act.own, act.result, act.drawing
RACE = PRESETS["race100"]

__all__ = ["NOW", "SEED", "act", "changed_player", "faces", "groups", "kinds", "texts", "wire"]


@dataclass(frozen=True)
class Scene:
    """Hands in order of play: seat 0 begins. What is not named lies in the closed deck."""

    hands: tuple[str, ...]
    open_pile: str = "2S"
    next_closed: str = ""  # the next card to draw comes first
    closed_count: int | None = None  # the deck has no more; the rest lies under the open pile
    table: str = ""  # melds, laid by seat 1
    rules: BasicRules = POINTS

    def match(self) -> Match:
        laid = [groups(hand) for hand in self.hands]
        table = groups(self.table)
        open_pile, first = faces(self.open_pile), faces(self.next_closed)
        all_named = [*open_pile, *first, *sum((*sum(laid, ()), *table), ())]
        assert len(set(all_named)) == len(all_named)
        rest = tuple(card for card in CARDS[:52] if card not in all_named)
        closed = (*rest, *first[::-1])
        if self.closed_count is not None:
            cut = len(closed) - self.closed_count
            closed, open_pile = closed[cut:], (*closed[:cut], *open_pile)
        melds = [as_meld(group, self.rules.shape, seat=1) for group in table]
        deal = Deal(
            seed=SEED,
            players=tuple(
                Player(
                    seat=seat,
                    groups=hand,
                    extra_ms=self.rules.extra_seconds * 1000,
                    turns=int(seat == 0),
                )
                for seat, hand in enumerate(laid)
            ),
            closed=closed,
            open_pile=open_pile,
            started_at=NOW,
            due_at=NOW + self.rules.turn_seconds * 1000,
            melds=tuple(meld for meld in melds if meld is not None),
        )
        assert len(deal.melds) == len(table)
        seats = tuple(range(len(self.hands)))
        return Match(rules=self.rules, deal=deal, seats=seats)


def scene(*hands: str, **fields: Any) -> Match:
    return Scene(hands=hands, **fields).match()


def player(match: Match, seat: int) -> AnyPlayer:
    found = match.deal.player(seat)
    assert isinstance(found, AnyPlayer)
    return found


def lost(match: Match) -> tuple[str, list[int], dict[str, int]]:
    """How the deal ended, who has won it, and what everybody lost."""
    result = view(match)["result"]
    return result["how"], result["winners"], result["points"]
