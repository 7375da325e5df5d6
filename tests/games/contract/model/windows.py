"""Buying by docs/rules-contract.md (C6 to C8, C20), beside the game: random answers in any order."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from games.contract.game import GAME
from games.contract.rules.ruleset import PRESETS
from tests.games.driving import NOW, seed_of
from tests.games.values import pair


@dataclass
class Window:
    """`order` of those who may buy; who has said what, and who never buys."""

    order: Sequence[int]
    said: dict[int, bool] = field(default_factory=dict)

    @property
    def wanted(self) -> list[int]:
        return [seat for seat in self.order if self.said.get(seat)]

    @property
    def is_closed(self) -> bool:
        """C7: no open answer can change who gets the card."""
        for seat in self.order:
            if self.said.get(seat, True):
                return seat in self.said
        return True


class Buying:
    def __init__(self, number: int, seed: int) -> None:
        self.rng = rng = random.Random(f"{seed}/{number}")
        base = PRESETS[rng.choice(["contract", "multiple_buys", "multiple_buys", "no_buying"])]
        self.rules = replace(base, max_buys=rng.choice([None, 0, 1, 1, 3]))
        seats = tuple(rng.sample(range(8), rng.choice([2, 3, 4, 5, 8])))
        self.match: Any = GAME.core.start(
            rules=self.rules, seats=seats, toss=False, seed=seed_of(number), now=NOW
        ).state
        # Below the upcard lie cards that come up when it is sold.
        deal, below = self.match.deal, rng.choice([0, 1, 3])
        cards = deal.closed[:below]
        deal = replace(deal, closed=deal.closed[below:], open_pile=(*cards, *deal.open_pile))
        self.match = replace(self.match, deal=deal)
        self.open_cards = below + 1
        self.now = NOW
        self.turn, self.following = seats[0], seats[1:]
        self.never = {seat for seat in self.following if rng.random() < 0.25}
        for seat in self.never:
            self.act(seat, kind="never_buy", on=True)
        self.bought = dict.fromkeys(seats, 0)

    def act(self, seat: int, **move: Any) -> list[dict[str, Any]]:
        move_read = GAME.wire.read(move)
        self.match, told = pair(
            GAME.core.play(self.match, seat, move_read, now=self.now, seed=bytes(32))
        )
        return [event.json() for event in told]

    def hands(self) -> dict[int, int]:
        seats = (self.turn, *self.following)
        return {
            seat: len(GAME.view.private(self.match, seat)["hand"])  # type: ignore[arg-type]
            for seat in seats
        }

    def list_asked(self, last_buyer: int | None) -> list[int]:
        """C7, C8: who may buy, in order of play."""
        most = self.rules.max_buys
        return [
            seat
            for seat in self.following
            if seat != last_buyer and (most is None or self.bought[seat] < most)
        ]

    def opens(self, last_buyer: int | None) -> Window | None:
        may = self.list_asked(last_buyer)
        if not self.rules.buying or not self.open_cards or set(may) <= self.never:
            return None
        return Window(may, dict.fromkeys(set(may) & self.never, False))

    def run(self) -> Iterator[str]:
        """What is different from what the rules say."""
        before = self.hands()
        told = self.act(self.turn, kind="draw", source="closed")
        window = self.opens(None)
        yield from self.check_offer(told, window)
        while window is not None:
            told = self.answer(window)
            if not window.is_closed:
                yield from self.check_quiet(told, before)
                continue
            wanted = window.wanted
            if wanted:
                self.bought[wanted[0]] += 1
                self.open_cards -= 1
                before[wanted[0]] += 2
            yield from self.check_close(told, wanted)
            window = self.opens(wanted[0]) if wanted and self.rules.multiple_buys else None
            yield from self.check_offer(told, window)
        before[self.turn] += 1
        if self.hands() != before:
            yield f"hands of {self.hands()} instead of {before}"

    def answer(self, window: Window) -> list[dict[str, Any]]:
        """Somebody answers, in any order; or the time runs out."""
        waiting = [seat for seat in window.order if seat not in window.said]
        if self.rng.random() < 0.1:
            self.now = GAME.core.status(self.match).deadline or self.now
            window.said |= dict.fromkeys(waiting, False)
            self.match, told = pair(GAME.core.expire(self.match, now=self.now, seed=bytes(32)))
            return [event.json() for event in told]
        seat = self.rng.choice(waiting)
        self.now += self.rng.randrange(500)
        kind = self.rng.choice(["buy", "pass", "never_buy"])
        window.said[seat] = kind == "buy"
        if kind == "never_buy":
            self.never.add(seat)
            return self.act(seat, kind=kind, on=True)
        return self.act(seat, kind=kind)

    def check_quiet(self, told: list[dict[str, Any]], before: dict[int, int]) -> Iterator[str]:
        """C20: while the window is open nobody hears of an answer, and nobody gets a card."""
        if told or self.hands() != before:
            yield f"{told} while the window is open"

    def check_offer(self, told: list[dict[str, Any]], window: Window | None) -> Iterator[str]:
        seats = [event["seats"] for event in told if event["kind"] == "offered"]
        expected = [] if window is None else [list(window.order)]
        if seats != expected:
            yield f"asked {seats} instead of {expected}"

    def check_close(self, told: list[dict[str, Any]], wanted: list[int]) -> Iterator[str]:
        """C7: the first in order of play who wants it; C20: all are told who did."""
        found = [(event["kind"], event.get("seat"), event["wanted"]) for event in told[:1]]
        expected = ("bought", wanted[0], wanted) if wanted else ("unsold", None, [])
        if found != [expected]:
            yield f"{found} instead of {expected}"


def list_disagreements(number: int, seed: int) -> Iterator[tuple[str, str]]:
    """What is different in one buying, or that it went alike."""
    buying = Buying(number, seed)
    found = [f"{seed}/{number}: {what}, {buying.rules.name}" for what in buying.run()]
    yield from ((what, "buying") for what in found or [""])
