"""R10.4b: after a round's time limit turns are short, and after a further time the deal is counted."""

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.engine.base import DEAL_ENDS
from games.engine.game import Overtime
from games.engine.state import Stage, replace
from games.indian.game import GAME
from games.indian.rules.ruleset import PRESETS
from tests.effort import share_of
from tests.games.driving import CODES, GAMES, NOW, bot_move, seed_of
from tests.games.indian.scenes import (
    DECLARABLE,
    HOPELESS,
    WORTHLESS,
    act,
    expire,
    result,
    scene,
    view,
    view_own,
    win_by_declaring,
)
from tests.games.test_laws import rules_of

TURN_MS = 10_000
# An upper bound for the windows that keep their full time: buying, declaring, showing, defending.
WINDOWS_MS = 200_000
HANDS = (HOPELESS, WORTHLESS, DECLARABLE)
RULES = replace(PRESETS["deals2"], deals=1, qualifiers=1)


def hasten(match, *, begins_at=NOW, count_at=NOW + 120_000):
    return Overtime(begins_at, TURN_MS, count_at).hasten(GAME, match, now=NOW)


@pytest.mark.parametrize(
    ("begins_in", "due_in", "deadline_in"),
    [
        (0, TURN_MS, TURN_MS),  # ten seconds for a turn, without extra time
        (35_000, 30_000, 45_000),  # the turn had 30 seconds and a minute of extra time
        (3_600_000, 30_000, 90_000),  # the turn ends before the overtime
    ],
)
def test_r10_4b_turns_are_short_in_overtime(begins_in, due_in, deadline_in):
    match = hasten(scene(*HANDS, rules=RULES), begins_at=NOW + begins_in, count_at=NOW + 7_200_000)
    assert (view(match)["due_at"], act.deadline(match)) == (NOW + due_in, NOW + deadline_in)
    assert view(match)["players"]["1"]["extra_ms"] == 60_000  # kept until it is their turn


def test_r10_4b_showing_keeps_its_time():
    match = win_by_declaring(scene(DECLARABLE, HOPELESS, WORTHLESS, rules=RULES))
    assert view(match)["phase"] == "show"
    assert act.deadline(hasten(match)) == act.deadline(match) == NOW + 45_000


def test_r10_4b_a_deal_is_counted_at_the_end_of_a_turn_by_the_best_arrangement():
    """R4.7: the lowest count wins. No deal is counted before that time, which an outage postpones."""
    assert view(expire(hasten(scene(*HANDS, rules=RULES))))["turn"] == 1
    match = hasten(scene(*HANDS, rules=RULES), begins_at=NOW - 200_000, count_at=NOW)
    counted = expire(match)
    assert (view(counted)["result"]["how"], counted.stage) == ("limit", Stage.OVER)
    # Seat 2 could have declared; the others count their hands, up to 80.
    assert dict(result(counted).scores) == {0: 80 - 70, 1: 80 - 80, 2: 80 + 150}
    drawn = act(match, 0, "draw", source="closed", now=NOW + 1_000)
    assert view(drawn)["phase"] == "turn"
    later = GAME.core.postpone(drawn, by_ms=60_000)
    for state, is_over in ((drawn, True), (later, False)):
        card = view_own(state, 0)["drawn"]
        after = act(state, 0, "discard", card=card, now=NOW + 2_000)
        assert (view(after)["result"] is not None) is is_over


def list_event_rules(code: str) -> dict[str, Any]:
    """Return tournament rules for each format, by a test id."""
    game = GAMES[code]
    formats = [format for format in game.formats if format.is_for_events]
    made = {
        f"{code} {format.code}": game.money.adapt_to_event(
            game.rules.preset(format.presets[0]), deals=2, qualifiers=1
        )
        for format in formats
    }
    found = [one for one in rules_of(code) if getattr(one, "qualifiers", None)]
    return made or ({code: found[0]} if found else {})


EVENTS = {name: (code, rules) for code in CODES for name, rules in list_event_rules(code).items()}


@pytest.mark.parametrize("name", EVENTS)
@settings(max_examples=share_of(6), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(number=st.integers(0, 2**32), starts=st.integers(0, 200_000), lasts=st.integers(0, 120_000))
def test_r10_4b_every_deal_ends_in_time(name, number, starts, lasts):
    """Bots play, and one or two seats are often silent."""
    code, rules = EVENTS[name]
    game, rng, now = GAMES[code], random.Random(number), NOW
    [format] = [one for one in game.formats if one.code == game.money.get_format_code(rules)]
    count = rng.choice([seats for seats in format.seats if seats > (rules.qualifiers or 1)])
    overtime = Overtime(NOW + starts, TURN_MS, NOW + starts + lasts)
    silent = set(rng.sample(range(count), rng.randint(1, 2)))
    outcome = game.core.start(
        rules=rules, seats=tuple(range(count)), toss=True, seed=seed_of(number), now=now
    )
    ended_at = 0
    while outcome.status.result is None:
        state = overtime.hasten(game, outcome.state, now=now)
        status = game.core.status(state)
        if game.view.public(state)["phase"] == "turn":
            assert now < status.deadline <= overtime.compute_due_by(now)
        seed = seed_of(number, status.deals)
        moves = [seat for seat in status.acting if seat not in silent or rng.random() < 0.3]
        if moves:
            move = game.wire.read(bot_move(game, state, moves[0], "easy", rng))
            now = min(now + rng.randrange(4_000), status.deadline - 1)
            outcome = game.core.play(state, moves[0], move, now=now, seed=seed)
        else:
            now = status.deadline
            if not status.acting and now >= overtime.begins_at:
                outcome = game.core.conclude(state)  # in overtime no new deal begins
            else:
                outcome = game.core.expire(state, now=now, seed=seed)
        if any(event.kind == DEAL_ENDS for event in outcome.events):
            ended_at = now
    assert ended_at <= overtime.count_at + TURN_MS + WINDOWS_MS
