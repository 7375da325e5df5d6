"""What a browser is told that its player may do is what the rules allow, in every state of a match."""

import random
from collections import Counter
from typing import Any

import pytest

from games.indian.game import GAME
from games.indian.rules.match import Match
from games.indian.rules.ruleset import PRESETS
from tests.games.indian.driving import drive, random_choosing
from tests.games.values import replace

FREE = {"groups", "rev"}  # what a player fills in, in any way that is judged later
NO_FIELDS = {"kind", "points"}
KINDS = {"draw", "drop", "discard", "finish", "declare", "show", "arrange", "leave"}
MORE_OF_POOL = {"rejoin", "offer_split", "answer_split"}


def view_of(match: Match, seat: int) -> list[dict[str, Any]]:
    return GAME.core.legal_view(match, seat)


def told(match: Match, seat: int) -> set[tuple[str, str, str]]:
    """Each kind, field and value that the browser is told of."""
    return {
        (str(entry["kind"]), field, str(value))
        for entry in view_of(match, seat)
        for field, values in [("", [""]), *entry.items()]
        if field not in NO_FIELDS
        for value in (["free"] if values is None else values)
    }


def allowed(match: Match, seat: int) -> set[tuple[str, str, str]]:
    """The same of the moves that the rules allow."""
    moves: list[dict[str, Any]] = [
        dict(GAME.wire.write(move)) for move in GAME.core.legal(match, seat)
    ]
    return {
        (str(move["kind"]), field, "free" if field in FREE else str(value))
        for move in moves
        for field, value in [("", ""), *move.items()]
        if field not in NO_FIELDS
    }


@pytest.mark.parametrize("name", PRESETS)
def test_what_is_told_is_what_is_allowed(name: str) -> None:
    kinds, pool = Counter[str](), PRESETS[name].elimination_score is not None
    for number in range(6):
        rules = replace(PRESETS[name], max_turns=(3, 9)[number % 2])
        rng = random.Random(number)
        order = tuple(rng.sample(range(6), 2 + number % 5))
        for step in drive(random_choosing(rng), seats=order, rules=rules, seed=number):
            for seat in range(6):
                assert told(step.match, seat) == allowed(step.match, seat)
                kinds.update(str(entry["kind"]) for entry in view_of(step.match, seat))
    wanted = KINDS | (MORE_OF_POOL if pool else set())
    assert set(kinds) <= wanted
    assert len(kinds) > 5, kinds


def test_a_drop_is_told_with_what_it_costs() -> None:
    match = GAME.core.start(
        rules=PRESETS["points"], seats=(0, 1), toss=False, seed=bytes(32), now=0
    ).state
    seat = match.deal.at_turn.seat
    [drop] = [entry for entry in view_of(match, seat) if entry["kind"] == "drop"]
    assert drop == {"kind": "drop", "points": PRESETS["points"].first_drop}
    assert view_of(match, 5) == []
