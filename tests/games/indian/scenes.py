"""Deals set up by hand, and moves in short: `act(match, 0, "draw", source="open")`."""

from dataclasses import dataclass
from typing import Any

import pytest

from games.cards import Card, full_deck, parse_face
from games.engine.base import Event, IllegalMove
from games.indian.game import GAME
from games.indian.rules.deal import Deal, Player
from games.indian.rules.match import Match, Standing
from games.indian.rules.ruleset import POINTS, RuleSet
from tests.games.values import pair, replace

NOW = 1_700_000_000_000
SEED = bytes(range(32))

# Valid with any wild rank but 2 to 5, 8, 9 and the king.
DECLARABLE = "2H 3H 4H 5H|2C 3C 4C|KS KD KC|8S 8D 8H"
# One pure sequence only; 10 + 10 + 9 + 9 + 7 + 7 + 6 + 6 + 3 + 3 counted = 70 when it is free.
HOPELESS = "5S 6S 7S|KH QD 9C 9D 7C 7D 6D 6C 3S 3D"


class _Pack:
    """Hands out each card of two packs once, so that a scene is a possible deal."""

    def __init__(self, packs: int) -> None:
        self.left = list(full_deck(packs))

    def take(self, text: str) -> Card:
        face = parse_face(text)
        card = next(card for card in self.left if card.face == face)
        self.left.remove(card)
        return card

    def take_all(self, texts: str) -> tuple[Card, ...]:
        return tuple(self.take(text) for text in texts.split())


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
        pack = _Pack(2)
        wild = pack.take(self.wild)
        open_pile = pack.take_all(self.open_pile)
        groups = [tuple(pack.take_all(group) for group in hand.split("|")) for hand in self.hands]
        first = pack.take_all(self.next_closed if self.closed is None else self.closed)
        rest = tuple(pack.left)
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


def act(match: Match, seat: int, kind: str, *, now: int = NOW, **fields: Any) -> Match:
    return act_events(match, seat, kind, now=now, **fields)[0]


def act_events(
    match: Match, seat: int, kind: str, *, now: int = NOW, **fields: Any
) -> tuple[Match, list[dict[str, Any]]]:
    """Play a move as written on the wire; a card may be named without its pack."""
    if "card" in fields and "." not in fields["card"]:
        fields["card"] = _held(match, seat, fields["card"])
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


def saved(match: Match, seat: int) -> list[list[str]]:
    groups: list[list[str]] = own(match, seat)["groups"]
    return groups


def turn_of(match: Match, seat: int) -> Match:
    """The same deal with this seat about to draw."""
    return replace(match, deal=replace(match.deal, turn=seat, turn_number=seat + 1))


def standings(match: Match) -> dict[int, tuple[str, int | None, str | None]]:
    """Status, points and how they came about, by seat."""
    return {
        player.seat: (player.status.value, player.points, player.how and player.how.value)
        for player in match.deal.players
    }


def _held(match: Match, seat: int, text: str) -> str:
    hand = own(match, seat)["hand"]
    return next((card for card in hand if card.split(".")[0] == text), f"{text}.0")
