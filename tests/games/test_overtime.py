"""R10.4b: past the limit of a round turns are short, and after a stated time a deal is counted."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.engine.base import DEAL_ENDS, Event
from games.engine.overtime import Overtime
from games.engine.state import Stage
from games.indian.game import GAME as INDIAN
from games.indian.rules.deal import Ending, Phase
from games.indian.rules.ruleset import PRESETS
from games.registry import get_game
from tests.effort import share_of
from tests.games.driving import seed_of
from tests.games.indian.scenes import (
    DECLARABLE,
    HOPELESS,
    NOW,
    WORTHLESS,
    act,
    expire,
    scene,
    view,
    won_by_declaring,
)
from tests.games.values import replace
from tests.given import the

TURN_MS = 10_000
RULES = replace(PRESETS["deals2"], deals=1, qualifiers=1)
HANDS = (HOPELESS, WORTHLESS, DECLARABLE)


def in_overtime(match, *, now=NOW, begins_at=NOW, count_at=NOW + 120_000):
    return Overtime(begins_at, TURN_MS, count_at).hastened(INDIAN, match, now=now)


# --- Turns ----------------------------------------------------------------------------------------


def test_r10_4b_a_turn_in_overtime_takes_ten_seconds_and_no_extra_time():
    match = in_overtime(scene(*HANDS, rules=RULES))
    assert INDIAN.core.status(match).deadline == view(match)["due_at"] == NOW + TURN_MS
    assert view(match)["players"]["0"]["extra_ms"] == 0
    assert view(match)["players"]["1"]["extra_ms"] == 60_000  # until it is their turn


def test_r10_4b_a_turn_that_runs_over_the_limit_ends_ten_seconds_after_it():
    """It had 30 seconds and a minute of extra time; 35 seconds later is the limit."""
    match = in_overtime(scene(*HANDS, rules=RULES), begins_at=NOW + 35_000)
    assert view(match)["due_at"] == NOW + 30_000
    assert INDIAN.core.status(match).deadline == NOW + 45_000


def test_r10_4b_a_turn_that_ends_before_it_anyway_is_as_it_was():
    match = scene(*HANDS, rules=RULES)
    later = NOW + 3_600_000
    assert in_overtime(match, begins_at=later, count_at=later) is match


def test_r10_4b_showing_keeps_its_time():
    match = won_by_declaring(scene(DECLARABLE, HOPELESS, WORTHLESS, rules=RULES))
    assert match.deal.phase is Phase.SHOW
    assert (
        INDIAN.core.status(in_overtime(match)).deadline
        == INDIAN.core.status(match).deadline
        == NOW + 45_000
    )


# --- The count ------------------------------------------------------------------------------------


def counted(match, *, now):
    """The player at turn is silent; the time of the count has come by then."""
    hasty = in_overtime(match, now=now, begins_at=NOW - 200_000, count_at=now)
    return expire(hasty)


def test_r10_4b_a_deal_is_counted_at_the_end_of_a_turn_by_the_best_arrangement():
    """R4.7: the lowest count wins; who is silent is counted like everybody else."""
    match = counted(scene(*HANDS, rules=RULES), now=NOW)
    assert (match.deal.ending, match.stage) == (Ending.LIMIT, Stage.OVER)
    points = {player.seat: player.points for player in match.deal.players}
    # The third could have declared; the others count what they hold, 80 at most.
    assert points == {0: 70, 1: 80, 2: 0}
    result = INDIAN.core.status(match).result
    assert result is not None
    assert dict(result.scores) == {0: 80 - 70, 1: 80 - 80, 2: 80 + 150}
    assert dict(result.ranks) == {2: 1, 0: 2, 1: 3}


def test_r10_4b_nobody_is_counted_in_the_middle_of_a_turn():
    match = in_overtime(scene(*HANDS, rules=RULES), begins_at=NOW - 200_000, count_at=NOW)
    match = act(match, 0, "draw", source="closed", now=NOW + 1_000)
    assert match.deal.phase is Phase.TURN
    match = act(match, 0, "discard", card=view_of_drawn(match), now=NOW + 2_000)
    assert match.deal.ending is Ending.LIMIT


def view_of_drawn(match):
    return INDIAN.view.private(match, 0)["drawn"]


def test_r10_4b_before_the_count_the_deal_goes_on():
    match = expire(in_overtime(scene(*HANDS, rules=RULES)))
    assert (match.deal.phase, match.deal.at_turn.seat) == (Phase.TURN, 1)


def test_an_outage_moves_the_count_too():
    match = in_overtime(scene(*HANDS, rules=RULES), begins_at=NOW - 200_000, count_at=NOW)
    later = INDIAN.core.postpone(match, by_ms=60_000)
    assert INDIAN.core.status(later).deadline == NOW + TURN_MS + 60_000
    missed = expire(later, now=NOW + TURN_MS + 60_000)
    assert missed.deal.ending is Ending.LIMIT
    early = INDIAN.core.postpone(in_overtime(match, count_at=NOW), by_ms=60_000)
    drawn = act(early, 0, "draw", source="closed", now=NOW + 1_000)
    # Before the postponed time no turn is the last one.
    assert act(drawn, 0, "discard", card=view_of_drawn(drawn), now=NOW + 2_000).deal.ending is None


# --- Laws, for every game that tournaments are played in ------------------------------------------


@dataclass(frozen=True)
class Step:
    state: Any
    events: tuple[Event, ...]
    now: int


GAMES = {
    "indian": ("deals2", range(2, 7)),
    "gin": ("game100", range(2, 3)),
    "basic": (None, range(2, 7)),
    "contract": (None, range(3, 6)),
    "rummikub": (None, range(2, 5)),
}
# The windows that keep their time, and more: a sale, a declaration, showing, a defence.
WINDOWS_MS = 200_000


def event_rules(game, preset):
    for name in [preset] if preset else game.rules.presets:
        try:
            return game.money.for_event(game.rules.preset(name), deals=2, qualifiers=1)
        except Exception:  # noqa: BLE001, S112 - the preset is not for tournaments
            continue
    raise AssertionError(f"{game.code} has no rules for tournaments")


def played(code: str, seats: int, number: int, overtime: Overtime) -> Iterator[Step]:
    """Bots play, but for one or two who never do anything, some of the time."""
    game, rng = get_game(code), random.Random(number)
    rules = event_rules(game, GAMES[code][0])
    written = game.rules.json(rules)
    silent = set(rng.sample(range(seats), rng.randint(1, 2)))
    now = NOW
    reached = game.core.start(
        rules=rules, seats=tuple(range(seats)), toss=True, seed=seed_of(number), now=now
    )
    while True:
        state = overtime.hastened(game, reached.state, now=now)
        yield Step(state, reached.events, now)
        status = game.core.status(state)
        if status.result is not None:
            return
        seed, deadline = seed_of(number, status.deals), the(status.deadline)
        moves = [seat for seat in status.acting if seat not in silent or rng.random() < 0.3]
        if not moves:
            now = deadline
            is_last = not status.acting and now >= overtime.begins_at
            concluded = game.core.conclude(state) if is_last else None  # no deal begins any more
            assert (concluded is not None) == is_last
            reached = concluded or game.core.expire(state, now=now, seed=seed)
            continue
        seat = moves[0]
        asked = {
            "public": game.view.public(state),
            "you": game.view.private(state, seat),
            "rules": written,
        }
        move = game.wire.read(game.bots(asked, seat, strength="easy", rng=rng))
        now = min(now + rng.randrange(4_000), deadline - 1)
        reached = game.core.play(state, seat, move, now=now, seed=seed)


@pytest.mark.parametrize("code", GAMES)
@settings(max_examples=share_of(6), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    number=st.integers(0, 2**32),
    starts=st.integers(0, 200_000),
    lasts=st.integers(0, 120_000),
    data=st.data(),
)
def test_law_r10_4b_a_deal_ends_in_time_and_nothing_is_made_or_lost(
    code, number, starts, lasts, data
):
    game = get_game(code)
    seats = data.draw(st.sampled_from(GAMES[code][1]))
    overtime = Overtime(NOW + starts, TURN_MS, NOW + starts + lasts)
    cards: dict[int, list[Any]] = {}
    ended_at: dict[int, int] = {}
    last: Step | None = None
    for step in played(code, seats, number, overtime):
        deal = game.core.status(step.state).deals
        held = sorted(step.state.deal.cards())
        assert held == cards.setdefault(deal, held)
        public = game.view.public(step.state)
        if public["phase"] == "turn":
            deadline = game.core.status(step.state).deadline
            assert deadline is not None
            assert step.now < deadline <= overtime.due_by(step.now)
        if any(event.kind == DEAL_ENDS for event in step.events):
            ended_at[deal] = step.now
        last = step
    assert ended_at
    assert last is not None
    assert max(ended_at.values()) <= overtime.count_at + TURN_MS + WINDOWS_MS
    assert game.stored.load(game.stored.dump(last.state)) == last.state
    result = game.core.status(last.state).result
    assert result is not None
    if code in ("indian", "rummikub"):  # what one wins the others lose
        rules = event_rules(game, GAMES[code][0])
        assert sum(result.scores.values()) == game.money.event_start(rules) * seats
    assert sorted(result.ranks) == list(range(seats))
