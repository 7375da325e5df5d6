"""Helpers for deals set up by hand in any game: moves in a short form, and their outcomes.

A game's own `scenes` builds the deal: `scene("hand", "hand", open_pile="2H")`.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

from games.cards import CARDS, Card, card_texts, parse_face
from games.engine.base import IllegalMove
from games.engine.moves import Event
from tests.games.driving import NOW, SEED
from tests.games.values import replace

Told = list[dict[str, Any]]


def faces(text: str) -> tuple[Card, ...]:
    """Read `5H 6H` as cards of the first pack."""
    return tuple(CARDS[parse_face(card)] for card in text.split())


def groups(text: str) -> tuple[tuple[Card, ...], ...]:
    """Read `5H 6H 7H|2C` as groups of cards."""
    return tuple(faces(group) for group in text.split("|") if group.split())


def texts(text: str) -> list[list[str]]:
    """Read `5H 6H 7H|2C` as groups of card names, as on the wire."""
    return [card_texts(group) for group in groups(text)]


def wire(text: str) -> list[str]:
    return card_texts(faces(text))


class Packs:
    """Reads faces as cards. Equal faces come from different packs."""

    def __init__(self) -> None:
        self.seen: Counter[int] = Counter()

    def cards(self, text: str) -> tuple[Card, ...]:
        cards = []
        for word in text.split():
            face = parse_face(word)
            cards.append(Card.of(face, self.seen[face]))
            self.seen[face] += 1
        return tuple(cards)

    def groups(self, text: str) -> tuple[tuple[Card, ...], ...]:
        return tuple(self.cards(group) for group in text.split("|") if group.split())


def begin_fields(rules: Any, player: Any, held: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the common fields of a deal before its first move, with seat 0 to move."""
    extra = {"extra_ms": rules.extra_seconds * 1000} if hasattr(rules, "extra_seconds") else {}
    players = [
        player(seat=seat, turns=int(seat == 0), **extra, **fields)
        for seat, fields in enumerate(held)
    ]
    times = {"started_at": NOW, "due_at": NOW + rules.turn_seconds * 1000}
    return {"seed": SEED, "players": tuple(players), **times}


def cut_deck(
    deck: Iterable[Card], named: Sequence[Card], first: tuple[Card, ...], count: int | None
) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Return the closed deck without the named cards, with `first` on top, and the cards cut off to leave `count`."""
    deck, taken = tuple(deck), {*named, *first}
    assert len(taken) == len(named) + len(first), "a card is named twice"
    assert taken <= set(deck), taken - set(deck)
    closed = (*(card for card in deck if card not in taken), *first[::-1])
    size = 0 if count is None else len(closed) - count
    return closed[size:], closed[:size]


def lay_by_second(as_meld: Any, laid: Iterable[Any], rules: Any) -> tuple[Any, ...]:
    """Return these groups as melds that seat 1 has laid."""
    melds = [as_meld(group, rules, seat=1) for group in laid]
    assert None not in melds
    return tuple(melds)


def write_events(happened: tuple[Event, ...]) -> Told:
    return [event.json() for event in happened]


def kinds(happened: Told) -> list[str]:
    return [event["kind"] for event in happened]


def change_player(match: Any, seat: int, **fields: Any) -> Any:
    """Return the match with these fields of the player changed."""
    return replace(match, deal=match.deal.with_player(replace(match.deal.player(seat), **fields)))


def read_refusal(ask: Callable[..., Any], *arguments: Any, **fields: Any) -> str:
    """Return the code of the refusal that this call raises."""
    with pytest.raises(IllegalMove) as refusal:
        ask(*arguments, **fields)
    assert refusal.value.message
    return refusal.value.code


class Acting:
    """Plays moves of one game in a short form: `act(match, 0, "draw", source="open")`.

    A card may be named without its pack, and groups may be one string. `read` reads other string fields.
    """

    def __init__(self, game: Any, read: Callable[[Any, int, str, str], Any] | None = None) -> None:
        self.game, self.read = game, read

    def __call__(self, match: Any, seat: int, kind: str, *, now: int = NOW, **fields: Any) -> Any:
        return self.events(match, seat, kind, now=now, **fields)[0]

    def events(
        self, match: Any, seat: int, kind: str, *, now: int = NOW, **fields: Any
    ) -> tuple[Any, Told]:
        """Play a move as on the wire. Return the match and the events."""
        for name, value in fields.items():
            if isinstance(value, str):
                fields[name] = self._field(match, seat, name, value)
        move = self.game.wire.read({"kind": kind, **fields})
        return self._check(self.game.core.play(match, seat, move, now=now, seed=SEED))

    def _field(self, match: Any, seat: int, name: str, value: str) -> Any:
        if name == "card" and "." not in value:
            hand = self.view_own(match, seat)["hand"]
            return next((card for card in hand if card.split(".")[0] == value), f"{value}.0")
        if name == "groups":
            own = self.view_own(match, seat)
            named = {"saved": own["groups"], "hand": [own["hand"]]}
            return named[value] if value in named else texts(value)
        return self.read(match, seat, name, value) if self.read else value

    def _check(self, outcome: Any) -> tuple[Any, Told]:
        stored = self.game.stored
        assert stored.load(stored.dump(outcome.state)) == outcome.state
        return outcome.state, write_events(outcome.events)

    def expire(self, match: Any, *, now: int | None = None) -> Any:
        """Expire the current deadline, at that moment or at `now`. Return the match."""
        return self.expire_events(match, now=now)[0]

    def expire_events(self, match: Any, *, now: int | None = None) -> tuple[Any, Told]:
        moment = self.game.core.status(match).deadline if now is None else now
        return self._check(self.game.core.expire(match, now=moment or 0, seed=SEED))

    def refuse(self, match: Any, seat: int, kind: str, **fields: Any) -> str:
        """Return the code with which the move is refused. Check that the match has not changed."""
        before = self.game.stored.dump(match)
        code = read_refusal(self, match, seat, kind, **fields)
        assert self.game.stored.dump(match) == before
        return code

    def view(self, match: Any) -> dict[str, Any]:
        view: dict[str, Any] = self.game.view.public(match)
        return view

    def view_own(self, match: Any, seat: int) -> dict[str, Any]:
        view: dict[str, Any] = self.game.view.private(match, seat)
        return view

    def result(self, match: Any) -> Any:
        found = self.game.core.status(match).result
        assert found is not None
        return found

    def deadline(self, match: Any) -> int:
        due: int | None = self.game.core.status(match).deadline
        assert due is not None
        return due

    def draw_card(self, match: Any, seat: int = 0, source: str = "closed") -> Any:
        return self(match, seat, "draw", source=source)

    def turn(self, match: Any, seat: int) -> Any:
        """Draw a card and discard it."""
        match = self.draw_card(match, seat)
        return self(match, seat, "discard", card=self.view_own(match, seat)["drawn"])
