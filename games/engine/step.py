"""One move, or one expired deadline, while the rules carry it out."""

from collections.abc import Callable
from enum import Enum
from typing import Any

from games.cards import CARD_TEXT, Card
from games.engine.base import JSON, Event, Instant
from games.engine.codec import replace
from games.engine.piles import holding, without
from games.engine.refusals import NOT_YOUR_TURN, Refusal
from games.engine.state import Course
from games.shuffle import shuffled


class Step:
    """A draft of the next state: the match, its deal, and the events announced so far.

    Rules change the draft through these methods. The state before the step never changes. `seat`
    is the mover's seat, or None for an expired deadline.
    """

    __slots__ = ("deal", "events", "match", "now", "player", "rules", "seat", "seed")

    def __init__(
        self, match: Course, seat: int | None = None, *, now: Instant = 0, seed: bytes = b""
    ) -> None:
        self.match: Any = match
        self.deal: Any = match.deal
        self.rules: Any = match.deal_rules
        self.seat = seat
        self.now = now
        self.seed = seed
        self.events: list[Event] = []
        self.player: Any = self.deal.player(seat)

    # --- Questions.

    @property
    def is_late(self) -> bool:
        deadline = self.match.deadline
        return deadline is not None and self.now >= deadline

    @property
    def is_own_turn(self) -> bool:
        return bool(self.deal.in_turn and self.deal.at_turn.seat == self.seat)

    def act_for(self, player: Any) -> None:
        """Make the following changes for this player, whose clock has run out."""
        self.seat, self.player = player.seat, player

    def not_at_turn(self) -> Refusal | None:
        return None if self.is_own_turn else NOT_YOUR_TURN

    @property
    def kept_card(self) -> Card | None:
        """The card drawn from the open pile in this turn, if the rules forbid discarding it."""
        is_bound = self.deal.drawn_from_open and not self.rules.may_return_open_card
        card: Card | None = self.deal.drawn if is_bound else None
        return card

    # --- Changes.

    def tell(self, kind: str, **data: Any) -> None:
        """Announce a public event. Values are written as JSON by `as_json`."""
        self.events.append(Event(kind, {name: as_json(value) for name, value in data.items()}))

    def set(self, **changes: Any) -> None:
        self.deal = replace(self.deal, **changes)

    def put(self, changed: Any, **changes: Any) -> Any:
        """Replace the player on the same seat. Returns the changed player."""
        if changes:
            changed = replace(changed, **changes)
        self.deal = self.deal.with_player(changed)
        if changed.seat == self.seat:
            self.player = changed
        return changed

    # --- Cards, in a deal with two piles (engine/piles.py).

    def draw_closed(self) -> None:
        player, card = self.deal.at_turn, self.deal.closed[-1]
        self.put(holding(player, card))
        self.set(closed=self.deal.closed[:-1], drawn=card)
        self.tell("drawn", seat=player.seat, source="closed")

    def draw_open(self) -> None:
        player, card = self.deal.at_turn, self.deal.open_pile[-1]
        self.put(holding(player, card), taken=(*player.taken, card))
        self.set(open_pile=self.deal.open_pile[:-1], drawn=card, drawn_from_open=True)
        self.tell("drawn", seat=player.seat, source="open", card=card)

    def discard(self, card: Card) -> None:
        """Move a card from the hand of the player at turn to the open pile."""
        player = self.deal.at_turn
        self.put(without(player, card))
        self.set(
            open_pile=(*self.deal.open_pile, card),
            discards=(*self.deal.discards, (player.seat, card)),
            drawn=None,
            drawn_from_open=False,
        )
        self.tell("discarded", seat=player.seat, card=card)

    def restock(self) -> bool:
        """Refill an empty closed deck from the open pile. Returns False if the rules forbid it."""
        deal, rules = self.deal, self.rules
        if deal.closed:
            return True
        under = deal.open_pile[:-1]
        if not under or rules.restock == "block" or deal.restocks >= rules.max_restocks:
            return False
        is_shuffled = rules.restock == "shuffle"
        label = f"reshuffle:{deal.restocks + 1}"
        # Turned over, the pile is drawn in the order of its discards.
        closed = shuffled(under, seed=deal.seed, label=label) if is_shuffled else under[::-1]
        self.set(closed=closed, open_pile=deal.open_pile[-1:], restocks=deal.restocks + 1)
        self.tell("reshuffled" if is_shuffled else "turned_over", count=len(closed))
        return True

    # --- Turns.

    def end_in_time(self) -> None:
        """End a turn that the player has finished in time."""
        self.charge_overrun(missed=0)

    def charge_overrun(self, **changes: Any) -> None:
        """Deduct the overrun of the clock from the extra time of the player at turn."""
        player = self.deal.at_turn
        overrun = max(0, self.now - self.deal.due_at)
        self.put(player, extra_ms=max(0, player.extra_ms - overrun), **changes)

    @property
    def next_place(self) -> int:
        """The index of the player whose turn is next."""
        turn, players = self.deal.turn, self.deal.players
        later = (*range(turn + 1, len(players)), *range(turn + 1))
        places: list[int] = [place for place in later if players[place].is_playing]
        return places[0]

    @property
    def next_player(self) -> Any:
        return self.deal.players[self.next_place]

    @property
    def has_reached_limit(self) -> bool:
        """Return whether the next turn would exceed the deal's limit of minutes or turns."""
        minutes_are_over = self.now >= self.deal.started_at + self.rules.max_minutes * 60_000
        return bool(minutes_are_over or self.next_player.turns >= self.rules.max_turns)

    def begin_turn(self, *, seconds: int | None = None, **changes: Any) -> None:
        """Begin the next player's turn, of `turn_seconds` or of fewer `seconds`."""
        place = self.next_place
        player = self.deal.players[place]
        self.put(player, turns=player.turns + 1)
        self.set(
            turn=place,
            turn_number=self.deal.turn_number + 1,
            due_at=self.now + (seconds or self.rules.turn_seconds) * 1000,
            **self.deal.new_turn,
            **changes,
        )
        self.tell("turn", seat=player.seat, due_at=self.deal.due_at)


def as_json(value: Any) -> JSON:
    """Write a value as JSON: cards and keys as texts, tuples as lists, enum members as values."""
    return _WRITERS.get(type(value), _other)(value)


def _list(values: Any) -> JSON:
    # Piles and hands are the bulk of what is written.
    if values and type(values[0]) is Card and type(values[-1]) is Card:
        return [CARD_TEXT[card] for card in values]
    get = _WRITERS.get
    return [get(type(one), _other)(one) for one in values]


def _object(values: Any) -> JSON:
    get = _WRITERS.get
    return {str(key): get(type(one), _other)(one) for key, one in values.items()}


def _other(value: Any) -> JSON:
    written: JSON = value.value if isinstance(value, Enum) else value.json()
    return written


def _same(value: Any) -> JSON:
    same: JSON = value
    return same


_WRITERS: dict[type, Callable[[Any], JSON]] = {
    **dict.fromkeys((int, str, bool, float, type(None)), _same),
    Card: CARD_TEXT.__getitem__,
    tuple: _list,
    list: _list,
    dict: _object,
}
