"""The job that makes puzzles from finished deals."""

import json
from datetime import timedelta

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.utils import timezone

from games.indian.lab.puzzles import finding
from history.models import AnalysisState, Puzzle, PuzzleSearch, SeatAnalysis
from history.puzzles import making
from history.puzzles.making import (
    DEALS_A_DAY,
    PUZZLES_A_DAY,
    SECONDS_FOR_A_DEAL,
    find_puzzles,
    make_starting_puzzles,
)
from history.tasks import find_new_puzzles
from tables.models import Table
from tests.given import require
from tests.tables.driving import end_match, play_a_turn, start_match
from tests.tables.puzzle_answers import get_daily

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _any_deal(monkeypatch):
    """Allow only one kind of puzzle, and accept any hand of thirteen cards for it."""
    monkeypatch.setattr(finding, "_LEAST_DOUBT", 0)
    monkeypatch.setattr(finding, "_LEAST_MELDS", 0)
    monkeypatch.setattr(finding, "_MOST_LEFT", 80)
    monkeypatch.setattr(finding, "_FIRST_ARRANGED_TURN", 1)
    monkeypatch.setattr(making, "list_kinds", lambda: [("indian", "arrange")])


@pytest.fixture
def finish(make_player, make_table):
    """Play a deal of two turns, and end it."""

    def play():
        table = make_table(name="Banyan Court")
        start_match(table, make_player(), make_player())
        play_a_turn(table)
        play_a_turn(table)
        return end_match(table)

    return play


def test_a_finished_deal_becomes_a_puzzle_without_names(finish):
    finish()
    assert find_new_puzzles() == 1
    puzzle = Puzzle.objects.get()
    assert (puzzle.kind, puzzle.value, puzzle.retired_at) == ("arrange", 1500, None)
    told = json.dumps([puzzle.task, puzzle.solution])
    for name in ("Player", "Banyan", "seed", "match", "seat", "user"):
        assert name not in told
    assert set(puzzle.task) == {"hand", "wild", "wild_rank", "rules"}
    # The next job makes it the puzzle of the day.
    assert find_puzzles() == 0
    assert get_daily().puzzle.daily_on == timezone.localdate()


def test_only_finished_deals_are_searched_and_only_once(finish, make_table, make_player):
    assert find_puzzles() == 0
    start_match(make_table(), make_player(), make_player())
    assert find_puzzles() == 0
    first = finish()
    assert (find_puzzles(), find_puzzles()) == (1, 0)
    search = PuzzleSearch.objects.get()
    assert (search.through, search.match, search.looked_at) == (first.pk, None, 1)
    finish()
    assert (find_puzzles(), find_puzzles()) == (1, 0)
    assert Puzzle.objects.count() == 2


def test_starting_puzzles_do_not_count_towards_the_daily_limit(finish):
    began_with = make_starting_puzzles()
    finish()
    assert find_puzzles() == 1
    assert Puzzle.objects.count() == began_with + 1


def test_no_puzzle_is_made_of_a_lesson(finish):
    match = finish()
    Table.objects.filter(pk=match.table_id).update(is_lesson=True)
    assert find_puzzles() == 0
    assert not Puzzle.objects.exists()


def test_puzzles_and_searched_deals_are_limited_a_day(finish):
    finish()
    assert find_puzzles() == 1
    puzzle = Puzzle.objects.get()
    for _ in range(PUZZLES_A_DAY - 1):
        puzzle.pk, puzzle.daily_on = None, None
        puzzle.save(force_insert=True)
    match = finish()
    assert find_puzzles() == 0
    assert PuzzleSearch.objects.get().through < match.pk
    # The next day has room again, up to the daily limit of deals.
    Puzzle.objects.update(made_at=timezone.now() - timedelta(hours=25))
    PuzzleSearch.objects.update(looked_at=DEALS_A_DAY)
    assert find_puzzles() == 0
    PuzzleSearch.objects.update(day=timezone.localdate() - timedelta(days=1))
    assert find_puzzles() == 1
    assert PuzzleSearch.objects.get().looked_at == 1


def test_waiting_analyses_come_before_puzzles(finish):
    match = finish()
    waiting = SeatAnalysis.objects.create(
        match=match,
        deal=1,
        seat=0,
        user_id=match.players["0"]["user"],
        game="indian",
        deadline_at=timezone.now(),
    )
    assert find_puzzles() == 0
    SeatAnalysis.objects.filter(pk=waiting.pk).update(state=AnalysisState.FAILED)
    assert find_puzzles() == 1


def test_a_dead_search_is_repeated_and_a_slow_one_ignored(finish):
    match = finish()
    taken = require(making._take(timezone.now()))
    assert find_puzzles() == 0  # another job works on it
    PuzzleSearch.objects.update(deadline_at=timezone.now() - timedelta(seconds=1))
    assert find_puzzles() == 1  # the same deal again
    assert PuzzleSearch.objects.get().through == match.pk
    assert making._store(taken, making._find_puzzle(match.pk, [("indian", "arrange")])) == 0
    assert Puzzle.objects.count() == 1


def test_a_deal_that_takes_too_long_is_given_up(finish, monkeypatch):
    match = finish()

    def slow(*_args, **_named):
        raise SoftTimeLimitExceeded  # raised as by the worker's time limit

    monkeypatch.setattr(making, "deal_record", slow)
    assert find_puzzles() == 0
    search = PuzzleSearch.objects.get()
    assert (search.through, search.match, search.deadline_at) == (match.pk, None, None)
    monkeypatch.undo()
    assert find_puzzles() == 0  # it is not repeated
    assert not Puzzle.objects.exists()


def test_the_time_limit_of_a_search_is_well_below_the_workers():
    assert find_new_puzzles.soft_time_limit == SECONDS_FOR_A_DEAL
    assert settings.CELERY_TASK_TIME_LIMIT > 1.5 * SECONDS_FOR_A_DEAL
    assert making.RUNS_FOR.total_seconds() > 1.5 * SECONDS_FOR_A_DEAL


def test_a_deal_that_crashes_the_search_is_skipped_after_three_attempts(finish, monkeypatch):
    match = finish()

    def broken(*_args, **_named):
        raise ZeroDivisionError

    monkeypatch.setattr(making, "deal_record", broken)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            find_puzzles()
        PuzzleSearch.objects.update(deadline_at=timezone.now() - timedelta(seconds=1))
    assert find_puzzles() == 0
    assert PuzzleSearch.objects.get().through == match.pk
    monkeypatch.undo()
    assert not Puzzle.objects.exists()
