"""Deals of gin set up by hand, and moves in short: `act(match, 0, "draw", source="open")`."""

from dataclasses import dataclass
from typing import Any

import pytest
from msgspec.structs import replace

from games.cards import CARDS, Card, card_texts, parse_face
from games.engine.base import Event, IllegalMove
from games.gin.game import GAME
from games.gin.rules.deal import Deal, Phase, Player
from games.gin.rules.match import Match
from games.gin.rules.ruleset import POINTS, GinRules
from tests.games.values import pair

NOW = 1_700_000_000_000
SEED = bytes(range(32))

# Ten cards: 3 + 3 melds and 1 + 2 + 3 + 4 = 10 of deadwood.
TEN = "5H 6H 7H|KS KD KC|AS 2C 3D 4S"
# Melds of all but a two.
TWO = "5H 6H 7H|KS KD KC|9D TD JD|2C"
# All melded, and a card to put down.
GIN_HAND = "5H 6H 7H 8H|KS KD KC|9D TD JD"
# Nothing goes together: 10 + 10 + 10 + 9 + 8 + 7 + 6 + 4 + 3 + 1.
NOTHING = "QH JS TC 9C 8S 7D 6S 4C 3H AD"


def faces(text: str) -> tuple[Card, ...]:
    return tuple(CARDS[parse_face(card)] for card in text.split())


def groups(text: str) -> tuple[tuple[Card, ...], ...]:
    """`5H 6H 7H|2C` as groups of cards."""
    return tuple(faces(group) for group in text.split("|") if group.split())


def texts(text: str) -> list[list[str]]:
    """The same as on the wire."""
    return [card_texts(group) for group in groups(text)]


@dataclass(frozen=True)
class Scene:
    """Hands in order of play: seat 0 begins, seat 1 deals. What is not named lies in the deck."""

    hands: tuple[str, str]
    open_pile: str = "2S"
    next_closed: str = ""  # the next card to draw comes first
    closed_count: int | None = None  # the deck has no more; the rest lies under the open pile
    phase: Phase = Phase.TURN
    rules: GinRules = POINTS

    def match(self) -> Match:
        laid = [groups(hand) for hand in self.hands]
        open_pile, first = faces(self.open_pile), faces(self.next_closed)
        named = {*open_pile, *first, *(card for hand in laid for group in hand for card in group)}
        assert len(named) == len(open_pile) + len(first) + sum(
            len(group) for hand in laid for group in hand
        )
        rest = tuple(card for card in CARDS[:52] if card not in named)
        closed = (*rest, *first[::-1])
        if self.closed_count is not None:
            under = closed[: -self.closed_count]
            closed, open_pile = closed[-self.closed_count :], (*under, *open_pile)
        extra_ms = self.rules.extra_seconds * 1000
        deal = Deal(
            seed=SEED,
            players=tuple(
                Player(seat=seat, groups=laid[seat], extra_ms=extra_ms, turns=int(seat == 0))
                for seat in (0, 1)
            ),
            upcard=open_pile[-1],
            closed=closed,
            open_pile=open_pile,
            started_at=NOW,
            due_at=NOW + self.rules.turn_seconds * 1000,
            phase=self.phase,
        )
        return Match(rules=self.rules, deal=deal, seats=(0, 1))


def scene(first: str, second: str, **fields: Any) -> Match:
    return Scene(hands=(first, second), **fields).match()


def act(match: Match, seat: int, kind: str, *, now: int = NOW, **fields: Any) -> Match:
    return act_events(match, seat, kind, now=now, **fields)[0]


def act_events(
    match: Match, seat: int, kind: str, *, now: int = NOW, **fields: Any
) -> tuple[Match, list[dict[str, Any]]]:
    """Play a move as written on the wire; a card may be named without its pack, groups in one
    text."""
    if isinstance(fields.get("card"), str) and "." not in fields["card"]:
        fields["card"] += ".0"
    if isinstance(fields.get("groups"), str):
        fields["groups"] = texts(fields["groups"])
    move = GAME.wire.read({"kind": kind, **fields})
    changed, happened = pair(GAME.core.play(match, seat, move, now=now, seed=SEED))
    assert GAME.stored.load(GAME.stored.dump(changed)) == changed
    return changed, told(happened)


def expire(match: Match, *, now: int | None = None) -> Match:
    """Let the running deadline pass, or another moment."""
    return expire_events(match, now=now)[0]


def expire_events(match: Match, *, now: int | None = None) -> tuple[Match, list[dict[str, Any]]]:
    moment = GAME.core.status(match).deadline if now is None else now
    changed, happened = pair(GAME.core.expire(match, now=moment or 0, seed=SEED))
    assert GAME.stored.load(GAME.stored.dump(changed)) == changed
    return changed, told(happened)


def refused(match: Match, seat: int, kind: str, **fields: Any) -> str:
    """The code of the refusal, after seeing that the match has not changed."""
    before = GAME.stored.dump(match)
    with pytest.raises(IllegalMove) as refusal:
        act(match, seat, kind, **fields)
    assert GAME.stored.dump(match) == before
    assert refusal.value.message
    return refusal.value.code


def told(happened: tuple[Event, ...]) -> list[dict[str, Any]]:
    return [event.json() for event in happened]


def kinds(happened: list[dict[str, Any]]) -> list[str]:
    return [event["kind"] for event in happened]


def view(match: Match) -> dict[str, Any]:
    return GAME.view.public(match)


def own(match: Match, seat: int) -> dict[str, Any]:
    return GAME.view.private(match, seat)


def drawing(match: Match, seat: int = 0) -> Match:
    """The same deal after this seat has drawn from the closed deck."""
    return act(match, seat, "draw", source="closed")


def turn_of(match: Match, seat: int) -> Match:
    """The same deal with this seat about to draw."""
    return replace(match, deal=replace(match.deal, turn=seat, turn_number=seat + 1))


def outcome(match: Match) -> tuple[str, int | None, int]:
    """How the deal ended, who scores, and how much."""
    result = view(match)["result"]
    return result["how"], result["winner"], result["points"]
