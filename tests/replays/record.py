"""Record whole matches for `test_replays`: `python -m tests.replays.record` adds what is missing.

A file that is there already is never touched: it says how a match was once played.
"""

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from games.engine.base import Strength
from games.indian.game import GAME
from games.indian.rules.ruleset import PRESETS, RuleSet
from tests.games.driving import (
    Chooser,
    CommittedChange,
    drive,
    make_bot_chooser,
    make_random_chooser,
    seed_of,
)
from tests.games.values import replace

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Wanted:
    """The first match, by number, in which all of these events happen."""

    rules: RuleSet
    seats: tuple[int, ...]
    happens: frozenset[str]
    strengths: tuple[Strength, ...] = ()

    def chooser(self, number: int) -> Chooser:
        rng = random.Random(number)
        if self.strengths:
            return make_bot_chooser(GAME, dict(zip(self.seats, self.strengths, strict=True)), rng)
        return make_random_chooser(GAME, rng)


def _shorten(name: str, turns: int) -> RuleSet:
    return replace(PRESETS[name], max_turns=turns)


def _list_happenings(*kinds: str) -> frozenset[str]:
    return frozenset(kinds)


MATCHES = {
    "points_two_bots": Wanted(
        PRESETS["points"], (0, 1), _list_happenings("declared"), ("medium", "easy")
    ),
    "points_six_bots": Wanted(
        PRESETS["points"],
        (5, 3, 1, 0, 2, 4),
        _list_happenings("declared", "shown"),
        ("medium",) * 6,
    ),
    "points_at_random": Wanted(
        PRESETS["points"],
        (0, 2, 4, 5),
        _list_happenings("dropped", "left", "missed_turn", "finished"),
    ),
    "points_reshuffled": Wanted(PRESETS["points"], (1, 0, 5, 3, 2), _list_happenings("reshuffled")),
    "junglee_at_random": Wanted(PRESETS["junglee-points"], (1, 4), _list_happenings("declared")),
    "pool61_rejoined": Wanted(
        PRESETS["pool61"], (0, 1, 2), _list_happenings("rejoined", "eliminated"), ("medium",) * 3
    ),
    "pool61_split": Wanted(
        _shorten("pool61", 4),
        (2, 0, 3, 1),
        _list_happenings("split_offered", "split_answered", "rejoin_open"),
    ),
    "pool101_bots": Wanted(
        PRESETS["pool101"], (0, 1, 2, 3), _list_happenings("eliminated"), ("medium", "easy") * 2
    ),
    "pool201_bots": Wanted(
        PRESETS["pool201"], (4, 1), _list_happenings("eliminated"), ("medium",) * 2
    ),
    "deals2_tied": Wanted(_shorten("deals2", 4), (3, 5), _list_happenings("deal_over")),
    "deals3_bots": Wanted(PRESETS["deals3"], (0, 1, 2), _list_happenings("shown"), ("easy",) * 3),
    "deals6_at_random": Wanted(
        _shorten("deals6", 5), (0, 1, 4), _list_happenings("dropped", "left")
    ),
}

# What else must be so for a match to be worth keeping.
EXTRAS: dict[str, Callable[[list[CommittedChange]], bool]] = {
    "pool61_split": lambda steps: len(steps[-1].match.winners) > 1,
    "deals2_tied": lambda steps: steps[-1].match.tie_breaker,
}


def record(name: str, wanted: Wanted) -> dict[str, Any]:
    for number in count():
        steps = list(
            drive(GAME, wanted.chooser(number), seats=wanted.seats, rules=wanted.rules, seed=number)
        )
        kinds = {event.kind for step in steps for event in step.events}
        if wanted.happens <= kinds and EXTRAS.get(name, bool)(steps):
            return _write(wanted, number, steps)
    raise AssertionError


def _write(wanted: Wanted, number: int, steps: list[CommittedChange]) -> dict[str, Any]:
    deals = GAME.core.status(steps[-1].match).deals
    return {
        "rules": GAME.rules.json(wanted.rules),
        "seats": wanted.seats,
        "seeds": [seed_of(number, deal).hex() for deal in range(deals)],
        "start": steps[0].now,
        "moves": [
            [step.now, step.seat, step.move and GAME.wire.write(step.move)] for step in steps[1:]
        ],
        "deals": [
            event.json() for step in steps for event in step.events if event.kind == "deal_over"
        ],
        "result": result_json(steps[-1]),
    }


def result_json(step: CommittedChange) -> dict[str, Any]:
    result = GAME.core.status(step.match).result
    assert result is not None
    data: dict[str, Any] = json.loads(
        json.dumps({name: getattr(result, name) for name in result.__slots__ if name != "facts"})
    )
    return data


def main() -> None:
    for name, wanted in MATCHES.items():
        path = HERE / f"{name}.json"
        if not path.exists():
            path.write_text(_write_lines(record(name, wanted)))


def _write_lines(data: dict[str, Any]) -> str:
    """JSON with one line for each move, so that a change of a match can be read."""
    fields = []
    for key, value in data.items():
        text = json.dumps(value)
        if isinstance(value, list) and key in ("moves", "deals", "seeds"):
            text = "[\n" + ",\n".join(f"  {json.dumps(item)}" for item in value) + "\n ]"
        fields.append(f' "{key}": {text}')
    return "{\n" + ",\n".join(fields) + "\n}\n"


if __name__ == "__main__":
    main()
