"""Whole matches by extreme rule sets, the worst that a host could choose.

They make every kind of call that a table makes: bots of all strengths, questions about hands, and views with
the legal moves. Some players are silent, so that penalties occur, too.
"""

import random
from collections.abc import Callable, Iterator
from typing import Any, Final, Literal, TypeVar

from games.engine.base import STRENGTHS, FieldType, IllegalMove, InvalidRules
from tests.games.driving import NOW, bot_view, seed_of

Kind = Literal["bot", "question", "view"]
T = TypeVar("T")
# Measures a call. Gets its kind, its name and the function to call.
Measure = Callable[[Kind, str, Callable[[], Any]], Any]

MOST_MOVES: Final = 150
# The chance that a field keeps the preset's value.
_UNCHANGED: Final = 0.4


def choose_extreme_rules(game: Any, rng: random.Random) -> Any:
    """Return rules that the game accepts, with most fields at one of their bounds."""
    book = game.rules
    rules = book.preset(rng.choice(list(book.presets)))
    fields = list(book.field_types().items())
    rng.shuffle(fields)
    for name, kind in fields:
        if rng.random() < _UNCHANGED:
            continue
        try:
            rules = book.change(rules, **{name: _choose_extreme(kind, book.json(rules)[name], rng)})
        except InvalidRules:
            continue  # contradicts the fields chosen so far
    return rules


def _choose_extreme(kind: FieldType, usual: Any, rng: random.Random) -> Any:
    if kind.is_optional and rng.random() < 0.2:
        return None
    if kind.kind == "flag":
        return rng.random() < 0.5
    if kind.kind == "choice":
        return rng.choice(kind.choices)
    if kind.kind == "number":
        return rng.choice((kind.least, kind.most))
    if kind.item is None or not isinstance(usual, list) or kind.item.kind != "number":
        return usual
    return [rng.choice((kind.item.least, kind.item.most, one)) for one in usual]


def choose_extreme_seats(game: Any, rules: Any, rng: random.Random) -> range:
    """Return any number of seats at which the format of these rules is played."""
    format = next(one for one in game.formats if one.code == game.money.get_format_code(rules))
    return range(rng.choice(format.seats))


def play_extreme_match(
    game: Any, number: int, measure: Measure, moves: int = MOST_MOVES
) -> Iterator[Any]:
    """Play at most this many moves of a match by extreme rules. Yield each state."""
    rng = random.Random(f"{game.code}/{number}")
    rules = choose_extreme_rules(game, rng)
    seats = choose_extreme_seats(game, rules, rng)
    strengths = {seat: rng.choice(STRENGTHS) for seat in seats}
    silence = {seat: rng.choice((0, 0, 0.1, 0.9)) for seat in seats}
    now, deals = NOW, 1
    outcome = game.core.start(
        rules=rules, seats=tuple(seats), toss=True, seed=seed_of(number), now=now
    )
    for _move in range(moves):
        state, status = outcome.state, outcome.status
        yield state
        if status.result is not None:
            return
        deals = status.deals
        fresh = seed_of(number, deals)
        for seat in status.acting:
            _ask(game, state, seat, measure)
        acting = [seat for seat in status.acting if rng.random() >= silence[seat]]
        if not acting:
            now = max(now, status.deadline or now)
            outcome = game.core.expire(state, now=now, seed=fresh)
            continue
        seat, view = acting[0], bot_view(game, state, acting[0])
        strength = strengths[seat]
        move = measure(
            "bot",
            strength,
            lambda: game.bots(view, seat, strength=strength, rng=random.Random(number)),  # noqa: B023 - called at once
        )
        now += 1
        outcome = game.core.play(state, seat, game.wire.read(move), now=now, seed=fresh)


def _ask(game: Any, state: Any, seat: int, measure: Measure) -> None:
    measure("view", "public", lambda: game.view.public(state))
    measure("view", "private", lambda: game.view.private(state, seat))
    measure("view", "legal", lambda: game.core.describe_legal(state, seat))
    if game.hand_help is not None:
        for kind in game.hand_help.questions:
            measure("question", kind, lambda: _answer(game, state, seat, kind))  # noqa: B023 - called at once


def _answer(game: Any, state: Any, seat: int, kind: str) -> Any:
    groups = game.view.private(state, seat).get("groups")
    try:
        return game.hand_help.answer(state, seat, {"kind": kind, "groups": groups})
    except IllegalMove:
        return None  # the question makes no sense now
