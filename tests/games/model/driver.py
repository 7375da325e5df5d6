"""The driver of models of whole matches: the game and the model do the same, side by side.

A game's `Pair` compares what both say; its `Table` makes the moves.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from games.engine.base import IllegalMove, divide
from tests.games.driving import NOW, seed_of

Event = dict[str, Any]


class Refused(Exception):  # noqa: N818 - says what it is
    """The model's refusal of a move. Any of these codes is right."""

    def __init__(self, *codes: str) -> None:
        super().__init__(codes)
        self.codes = codes


# A prize that divides into nothing.
PRIZE = 100_003


class Disagreement(AssertionError):  # noqa: N818 - says what it is
    """The game and the model say different things."""


def assert_same(what: str, game: object, model: object) -> None:
    if game == model:
        return
    if isinstance(game, dict) and isinstance(model, dict) and game.keys() == model.keys():
        for name, told in game.items():
            assert_same(f"{what}, {name}", told, model[name])
    raise Disagreement(f"{what}: game {game!r}, model {model!r}")


class Pair:
    """A match of a game and of its model."""

    parts: Any
    model_type: Any

    def __init__(
        self, rules: Any, seats: tuple[int, ...], seed: bytes, now: int, *, toss: bool
    ) -> None:
        self.now, self.seats = now, seats
        self.told: list[dict[str, Any]] = []
        self.model = self.model_type(rules, seats, seed, now, toss=toss)
        self._take(self.parts.core.start(rules=rules, seats=seats, toss=toss, seed=seed, now=now))

    def _take(self, outcome: Any) -> None:
        self.game = outcome.state
        self.compare(outcome.events)

    def play(self, seat: int, move: dict[str, Any], seed: bytes) -> str | None:
        """Play the move in both. If both refuse it for the same reason, return its code."""
        codes: tuple[str, ...] = ()
        try:
            self.model.play(seat, deepcopy(move), self.now)
        except Refused as refused:
            codes = refused.codes
        try:
            parsed = self.parts.wire.read(move)
            outcome = self.parts.core.play(self.game, seat, parsed, now=self.now, seed=seed)
        except IllegalMove as refused:
            if self.code_of(refused) not in codes:
                said = f"game {refused.code}, model {codes}"
                raise Disagreement(f"{move} of {seat}: {said}") from refused
            # Neither has changed anything.
            self.compare(())
            return refused.code
        if codes:
            raise Disagreement(f"{move} of {seat}: the model says {codes}")
        self._take(outcome)
        return None

    def code_of(self, refused: IllegalMove) -> str:
        return refused.code

    def expire(self, seed: bytes) -> None:
        outcome = self.parts.core.expire(self.game, now=self.now, seed=seed)
        self.model.expire(self.now, seed)
        self._take(outcome)

    def postpone(self, by_ms: int) -> None:
        self.game = self.parts.core.postpone(self.game, by_ms=by_ms)
        self.model.postpone(by_ms)
        self.compare(())

    # What is compared.

    def compare(self, told: Sequence[Any]) -> None:
        self.told = [event.json() for event in told]
        self.compare_events()
        self.model.events = []
        self.compare_views()
        model, status = self.model, self.parts.core.status(self.game)
        assert_same("deadline", status.deadline, self.due)
        assert_same("deals", status.deals, model.number)
        assert_same("whether it is over", status.result is not None, model.stage == "over")
        if status.result is not None:
            self.compare_result(status.result)

    @property
    def due(self) -> Any:
        return self.model.deal.due_at if self.model.stage == "deal" else self.model.due_at

    def compare_events(self) -> None:
        assert_same("events", self.told, self.model.events)

    def compare_views(self) -> None:
        raise NotImplementedError

    def compare_result(self, result: Any) -> None:
        model = self.model
        assert_same("winners", list(result.winners), sorted(model.winners))
        assert_same("points lost", dict(result.points), model.lost)
        assert_same(
            "first", {s for s, rank in result.ranks.items() if rank == 1}, set(model.winners)
        )
        whole, odd = divmod(PRIZE, len(model.winners))
        parts = {seat: whole + (at < odd) for at, seat in enumerate(model.winners)}
        assert_same("shares", divide(PRIZE, result.shares), parts)
        assert_same("next order", list(result.next_order), model.find_next_order())


@dataclass
class Played:
    happened: Counter[str] = field(default_factory=Counter)
    steps: int = 0
    disagreement: str | None = None
    # The rules and the number of players.
    name: str = ""
    seats: int = 0


class Table:
    """The players of a match: random, skilled, silent ones, who may leave at any moment."""

    # Chances of a move by anybody, and of an outage.
    anything, outages = 0.15, 0.02
    silences: Sequence[float] = (0.02, 0.02, 0.2)
    leavings: Sequence[float] = (0, 0, 0.005, 0.02)
    # A move that is refused when the match is over.
    draw: Mapping[str, Any] = {"kind": "draw"}

    def __init__(self, pair: Any, rng: random.Random, number: int) -> None:
        self.pair, self.rng, self.number = pair, rng, number
        self.log: list[str] = []
        self.seen: Counter[str] = Counter()
        self.silence = rng.choice(self.silences)
        self.leaving = rng.choice(self.leavings)

    @property
    def seed(self) -> bytes:
        return seed_of(self.number, self.pair.model.number)

    def step(self) -> None:
        pair, rng, model = self.pair, self.rng, self.pair.model
        chance = rng.random()
        if chance < self.anything:
            self.play(*self.choose_any_move())
        elif chance < self.anything + self.outages:
            self.seen["postponed"] += 1
            pair.postpone(rng.randrange(60_000))
        elif rng.random() < self.leaving * (10 if model.stage == "between" else 1):
            where = model.stage
            if self.play(rng.choice(pair.seats), {"kind": "leave"}) is None:
                self.seen[f"left: {where}"] += 1
        elif model.stage == "between" or rng.random() < self.silence:
            self.expire()
        else:
            self.pass_time()
            self.play(model.deal.at_turn.seat, self.choose_own_move())

    def pass_time(self) -> None:
        """Let the player at turn think, now and then until their clock has run out."""
        later = self.pair.now + self.rng.randrange(self.rng.choice([4_000, 4_000, 4_000, 60_000]))
        last = self.pair.due - (self.rng.random() > 0.02)
        self.pair.now = max(self.pair.now, min(later, last))

    def choose_any_move(self) -> tuple[int, dict[str, Any]]:
        """Return a move of any seat, whether or not it is legal."""
        raise NotImplementedError

    def choose_own_move(self) -> dict[str, Any]:
        """Return a likely move of the player at turn."""
        raise NotImplementedError

    def play(self, seat: int, move: dict[str, Any]) -> str | None:
        self.log.append(f"{self.pair.now - NOW} ms, {seat}: {move}")
        code: str | None = self.pair.play(seat, move, self.seed)
        if code:
            self.seen[f"refused: {code}"] += 1
        elif move["kind"] == "arrange":
            self.seen["arranged"] += 1
        self.count()
        return code

    def expire(self) -> None:
        self.pair.now = max(self.pair.now, self.pair.due + self.rng.choice([-1, 0, 0, 900]))
        self.log.append(f"{self.pair.now - NOW} ms: the time is up")
        self.pair.expire(self.seed)
        self.count()

    def count(self) -> None:
        for event in self.pair.told:
            self.seen[event["kind"]] += 1
            if event["kind"] == "deal_over":
                self.seen[f"ended: {event['how']}"] += 1
                self.seen["shared deal"] += len(event["winners"]) > 1


def play_match(begin: Callable[[random.Random], Table], seed: int, number: int) -> Played:
    """Play a match to its end, and a little beyond."""
    played, table = Played(), None
    try:
        table = begin(random.Random(f"{seed}/{number}"))
        played.name, played.seats = table.pair.model.rules.name, len(table.pair.seats)
        played.happened = table.seen
        table.count()
        while table.pair.model.stage != "over":
            played.steps += 1
            table.step()
        for move in (table.draw, {"kind": "leave"}):
            table.play(table.pair.seats[0], dict(move))
    except Disagreement as found:
        log = table.log[-12:] if table else []
        told = [f"match {number} of seed {seed}", *log, str(found)[:2000]]
        played.disagreement = "\n  ".join(told)
    except Exception as error:
        error.add_note(f"match {number} of seed {seed}, {table.log[-12:] if table else []}")
        raise
    return played


def check(
    play: Callable[[int, int], Played], expected: Iterable[str], numbers: Iterable[int], steps: int
) -> list[Played]:
    """Assert that game and model agree, and that everything happens that the rules speak of."""
    played = [play(1, number) for number in numbers]
    assert [match.disagreement for match in played if match.disagreement] == []
    assert sum(match.steps for match in played) > steps
    happened = sum((match.happened for match in played), Counter[str]())
    assert [what for what in expected if not happened[what]] == []
    return played
