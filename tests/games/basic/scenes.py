"""Deals of basic rummy set up by hand. A hand is text, its groups parted by `|`."""

from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from games.basic.game import GAME
from games.basic.rules.deal import Deal, Player
from games.basic.rules.match import Match
from games.basic.rules.moves import as_meld
from games.basic.rules.ruleset import POINTS, PRESETS, BasicRules
from games.cards import CARDS, Card, card_texts, parse_face
from games.engine.laid import Player as AnyPlayer
from tests.games.laid.driving import NOW, SEED, Acting

act = Acting(GAME)
RACE = PRESETS["race100"]

__all__ = ["NOW", "RACE", "SEED", "act"]


def faces(text: str) -> tuple[Card, ...]:
    return tuple(CARDS[parse_face(card)] for card in text.split())


def groups(text: str) -> tuple[tuple[Card, ...], ...]:
    return tuple(faces(group) for group in text.split("|") if group.split())


def texts(text: str) -> list[list[str]]:
    """`5H 6H 7H|2C …` as groups on the wire."""
    return [card_texts(group) for group in groups(text)]


def wire(text: str) -> list[str]:
    return card_texts(faces(text))


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


def drawing(match: Match, seat: int = 0, source: str = "closed") -> Match:
    changed: Match = act(match, seat, "draw", source=source)
    return changed


def view(match: Match) -> dict[str, Any]:
    return GAME.view.public(match)


def own(match: Match, seat: int) -> dict[str, Any]:
    return GAME.view.private(match, seat)


def player(match: Match, seat: int) -> AnyPlayer:
    found = match.deal.player(seat)
    assert isinstance(found, AnyPlayer)
    return found


def changed_player(match: Match, seat: int, **fields: Any) -> Match:
    """The same deal with another state of this player."""
    players = tuple(replace(p, **fields) if p.seat == seat else p for p in match.deal.players)
    return replace(match, deal=replace(match.deal, players=players))


def lost(match: Match) -> tuple[str, list[int], dict[str, int]]:
    """How the deal ended, who has won it, and what everybody lost."""
    result = view(match)["result"]
    return result["how"], result["winners"], result["points"]
