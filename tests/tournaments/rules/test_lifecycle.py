"""The steps of a tournament and the times at which they are due."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.rules.lifecycle import (
    FOLLOWING,
    OVER,
    STATUSES_OF,
    Due,
    LifecycleStatus,
    Situation,
    TournamentPhase,
    compute_due_at,
    find_due_step,
    last_deal_at,
    may_register,
    may_withdraw,
)

ANNOUNCED = Situation(status=LifecycleStatus.ANNOUNCED, now=0, opens_at=10, starts_at=20, seats=6)
REGISTERING = replace(ANNOUNCED, status=LifecycleStatus.REGISTERING, now=15)
PLAYING = replace(REGISTERING, status=LifecycleStatus.PLAYING, now=25, tables_playing=2)
BREAK = replace(PLAYING, status=LifecycleStatus.BREAK, tables_playing=0, next_round_at=40)

SITUATIONS = st.builds(
    Situation,
    status=st.sampled_from(LifecycleStatus),
    now=st.integers(0, 100),
    opens_at=st.integers(0, 100),
    starts_at=st.integers(0, 100),
    late_until=st.none() | st.integers(0, 100),
    next_round_at=st.none() | st.integers(0, 100),
    is_paused=st.booleans(),
    tables_playing=st.integers(0, 3),
    latecomers=st.integers(0, 8),
    seats=st.integers(2, 6),
)


@pytest.mark.parametrize(
    ("at", "step"),
    [
        (ANNOUNCED, None),
        (replace(ANNOUNCED, now=10), Due.OPEN_REGISTRATION),
        (REGISTERING, None),
        (replace(REGISTERING, now=20), Due.START),
        (PLAYING, None),
        (replace(PLAYING, tables_playing=0), Due.END_ROUND),
        (replace(PLAYING, tables_playing=0, late_until=30), None),
        (replace(PLAYING, late_until=30, latecomers=5), None),
        (replace(PLAYING, late_until=30, latecomers=6), Due.SEAT_LATECOMERS),
        (replace(PLAYING, late_until=25, latecomers=1), Due.SEAT_LATECOMERS),
        (replace(PLAYING, late_until=25, latecomers=0, tables_playing=0), Due.END_ROUND),
        (BREAK, None),
        (replace(BREAK, now=40), Due.START_ROUND),
        (replace(BREAK, status=LifecycleStatus.FINISHED), None),
    ],
)
def test_the_due_step_of_a_situation(at, step):
    assert find_due_step(at) is step
    assert find_due_step(replace(at, is_paused=True)) is None


@given(SITUATIONS)
def test_a_step_is_due_at_the_computed_time(at):
    if find_due_step(at) is None and (moment := compute_due_at(at)) is not None:
        assert moment > at.now
        later = replace(at, now=moment, tables_playing=0)
        assert find_due_step(later) is not None


@given(SITUATIONS)
def test_no_step_is_due_after_the_end(at):
    over = replace(at, status=LifecycleStatus.FINISHED)
    assert find_due_step(over) is None
    assert compute_due_at(over) is None
    assert not may_register(over)
    assert not may_withdraw(over)


@given(SITUATIONS)
def test_a_player_who_may_withdraw_may_also_register(at):
    if may_withdraw(at) and not at.is_paused:
        assert may_register(at)


def test_registration_opens_and_closes_in_time():
    assert not may_register(ANNOUNCED)
    assert may_register(REGISTERING)
    assert may_withdraw(REGISTERING)
    assert not may_register(replace(REGISTERING, now=20))
    assert not may_register(PLAYING)
    late = replace(PLAYING, late_until=30)
    assert may_register(late)
    assert not may_withdraw(late)
    assert not may_register(replace(late, now=30))
    assert not may_register(replace(late, is_paused=True))


def test_every_status_is_reached_and_only_ends_are_final():
    assert set(FOLLOWING) == set(LifecycleStatus)
    assert {status for status, after in FOLLOWING.items() if not after} == OVER
    reached = {LifecycleStatus.ANNOUNCED} | set().union(*FOLLOWING.values())
    assert reached == set(LifecycleStatus)


def test_r10_4_no_new_deal_in_the_last_thirty_seconds():
    assert last_deal_at(1_000) == 970


def test_every_status_belongs_to_one_phase():
    statuses = [status for phase in TournamentPhase for status in STATUSES_OF[phase]]
    assert sorted(statuses) == sorted(LifecycleStatus)
