"""Answers to puzzles, ratings, the daily puzzle and streaks."""

from datetime import date, timedelta
from functools import partial

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from history.models import Puzzle, PuzzleAnswer, PuzzleRating
from history.puzzles.answering import (
    NO_ANSWER,
    NO_SUCH_PUZZLE,
    answer_puzzle,
    count_streak,
    find_next_puzzle,
    get_daily_puzzle,
    judge_answer,
    own_answer,
)
from history.puzzles.making import (
    choose_daily_puzzles,
    list_kinds,
    make_starting_puzzles,
    retire_puzzle,
)
from tests.given import reload, require
from tests.refusals import refused
from tests.tables.puzzle_answers import (
    answer_rightly,
    get_daily,
    get_puzzle,
    right_answer,
    wrong_answer,
)
from tests.together import run_at_once

pytestmark = pytest.mark.django_db


@pytest.fixture
def puzzles():
    make_starting_puzzles()
    return Puzzle.objects.order_by("pk")


# --- What a site begins with.


def test_the_starting_puzzles_are_made_once_and_have_right_answers(puzzles):
    count = puzzles.count()
    assert make_starting_puzzles() == count
    assert {(puzzle.game, puzzle.kind) for puzzle in puzzles} == set(list_kinds())
    for puzzle in puzzles:
        judged = judge_answer(puzzle, right_answer(puzzle))
        assert (judged.is_right, judged.loss) == (True, 0.0)
        assert judge_answer(puzzle, wrong_answer(puzzle)).is_right is False
        assert (puzzle.value, puzzle.deviation, puzzle.answers) == (1500, 350, 0)
    drops = {puzzle.solution["right"][0] for puzzle in puzzles if puzzle.kind == "drop"}
    assert drops == {"drop", "play"}


# --- Answers.


@pytest.mark.parametrize("kind", ["arrange", "discard", "drop"])
def test_a_right_answer_beats_the_puzzle(puzzles, make_player, kind):
    """Glicko-2 for a new player and a new puzzle gives 1500 ± 162.3 (docs/ratings.md)."""
    player, puzzle = make_player(chips=False), get_puzzle(kind)
    judged = answer_rightly(player, puzzle)
    assert (judged.is_right, judged.loss, judged.is_first) == (True, 0.0, True)
    assert judged.before == 1500
    assert judged.after == pytest.approx(1662.3, abs=0.1)
    rating = PuzzleRating.objects.get()
    assert (rating.user_id, rating.game) == (player.pk, "indian")
    assert (rating.answers, rating.right, rating.value) == (1, 1, judged.after)
    assert reload(puzzle).value == pytest.approx(1337.7, abs=0.1)
    assert puzzle.deviation == pytest.approx(rating.deviation)
    assert (puzzle.answers, puzzle.right) == (1, 1)


def test_a_wrong_answer_loses_to_the_puzzle(puzzles, make_player):
    player, puzzle = make_player(chips=False), get_puzzle("discard")
    worst = puzzle.solution["options"][-1]
    judged = answer_puzzle(user_id=player.pk, puzzle_id=puzzle.pk, answer=worst["answer"])
    assert (judged.is_right, judged.loss) == (False, worst["loss"])
    assert judged.after == pytest.approx(1337.7, abs=0.1)
    assert reload(puzzle).value == pytest.approx(1662.3, abs=0.1)
    assert (puzzle.answers, puzzle.right) == (1, 0)


def test_only_the_first_answer_counts_as_it_was_judged(puzzles, make_player):
    player, puzzle = make_player(chips=False), get_puzzle("drop")
    first = answer_puzzle(user_id=player.pk, puzzle_id=puzzle.pk, answer=wrong_answer(puzzle))
    again = answer_rightly(player, puzzle)
    assert (again.is_right, again.answer, again.is_first) == (False, first.answer, False)
    assert (again.before, again.after) == (first.before, first.after)
    assert PuzzleAnswer.objects.count() == 1
    assert PuzzleRating.objects.get().answers == 1
    assert reload(puzzle).answers == 1
    solution = {**puzzle.solution, "right": [wrong_answer(puzzle)]}
    Puzzle.objects.filter(pk=puzzle.pk).update(solution=solution)
    known = require(own_answer(puzzle.pk, player.pk))
    assert (known.is_right, known.loss, known.after) == (False, first.loss, first.after)


def test_an_invalid_answer_changes_nothing(puzzles, make_player):
    player = make_player(chips=False)
    for game, kind in list_kinds():
        for answer in ("no", "2H 2H 2H 2H", "x" * 101, "\x00"):
            puzzle = get_puzzle(kind, game)
            with refused(NO_ANSWER):
                answer_puzzle(user_id=player.pk, puzzle_id=puzzle.pk, answer=answer)
    with refused(NO_SUCH_PUZZLE):
        answer_puzzle(user_id=player.pk, puzzle_id=0, answer="drop")
    assert not PuzzleAnswer.objects.exists()
    assert not PuzzleRating.objects.exists()
    assert not Puzzle.objects.exclude(value=1500).exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("count", [1, 2])
def test_concurrent_answers_count_once_for_each_player(make_player, count):
    make_starting_puzzles()
    puzzle, players = get_puzzle("drop"), [make_player(chips=False) for _ in range(count)]
    if count == 1:
        players *= 2
    results = run_at_once(*(partial(answer_rightly, player, puzzle) for player in players))
    after = sorted(judged.after for judged in results)
    assert sorted(judged.is_first for judged in results) == [count == 2, True]
    # The second player met a puzzle with a lower rating.
    assert (after[0] < after[1]) == (count == 2)
    assert sorted(PuzzleRating.objects.values_list("value", flat=True)) == after[-count:]
    assert (reload(puzzle).answers, PuzzleAnswer.objects.count()) == (count, count)


def test_the_database_refuses_second_answers_and_daily_puzzles(puzzles, make_player):
    player, puzzle = make_player(chips=False), puzzles[0]
    answer_rightly(player, puzzle)
    answer = PuzzleAnswer.objects.get()
    answer.pk = None
    with pytest.raises(IntegrityError, match="answered_once"), transaction.atomic():
        answer.save(force_insert=True)
    with pytest.raises(IntegrityError, match="a_day_has_one_puzzle"), transaction.atomic():
        Puzzle.objects.update(daily_on=date(2026, 1, 1))


# --- The puzzle of the day, and the next one.


def test_every_day_has_a_puzzle_of_the_next_kind(puzzles):
    Puzzle.objects.update(daily_on=None)
    first = date(2026, 3, 1)
    days = [first + timedelta(days=n) for n in range(6)]
    for day in days:
        choose_daily_puzzles(day)
    chosen = dict(Puzzle.objects.filter(daily_on__in=days).values_list("daily_on", "kind"))
    in_turn = [kind for _game, kind in list_kinds()]
    assert [chosen[day] for day in days] == [
        in_turn[day.toordinal() % len(in_turn)] for day in days
    ]
    choose_daily_puzzles(days[0])
    assert dict(Puzzle.objects.filter(daily_on__in=days).values_list("daily_on", "kind")) == chosen


def test_the_oldest_daily_puzzle_is_used_again(puzzles):
    Puzzle.objects.exclude(pk__in=[puzzle.pk for puzzle in puzzles[:4]]).delete()
    Puzzle.objects.update(daily_on=None)
    first = date(2026, 3, 1)
    for n in range(3):
        choose_daily_puzzles(first + timedelta(days=n))
    was_first = Puzzle.objects.get(daily_on=first).pk
    choose_daily_puzzles(first + timedelta(days=3))
    assert Puzzle.objects.get(daily_on=first + timedelta(days=4)).pk == was_first
    assert not Puzzle.objects.filter(daily_on=first).exists()


def test_a_retired_daily_puzzle_is_replaced_at_once(puzzles, make_player):
    today = timezone.localdate()
    retired = Puzzle.objects.get(daily_on=today)
    retire_puzzle(puzzle_id=retired.pk, is_retired=True)
    now = get_daily().puzzle
    assert (now.daily_on, now.pk == retired.pk) == (today, False)
    with refused(NO_SUCH_PUZZLE):
        answer_puzzle(user_id=make_player(chips=False).pk, puzzle_id=retired.pk, answer="drop")
    retire_puzzle(puzzle_id=retired.pk, is_retired=False)
    assert reload(retired).retired_at is None


def test_the_last_daily_puzzle_stays_without_the_job(puzzles):
    Puzzle.objects.update(daily_on=None)
    oldest = puzzles[0]
    assert get_daily().puzzle == oldest
    Puzzle.objects.filter(pk=puzzles[2].pk).update(
        daily_on=timezone.localdate() - timedelta(days=9)
    )
    assert get_daily().puzzle == puzzles[2]
    Puzzle.objects.all().delete()
    assert get_daily_puzzle() is None


def test_the_next_puzzle_is_the_nearest_unanswered_by_rating(puzzles, make_player):
    player = make_player(chips=False)
    of_drop = list(Puzzle.objects.filter(kind="drop").order_by("pk"))
    for place, puzzle in enumerate(of_drop):
        Puzzle.objects.filter(pk=puzzle.pk).update(value=2000 - 100 * place)

    def find_following(after=0):
        return find_next_puzzle(game="indian", kind="drop", user_id=player.pk, after=after)

    assert find_following() == of_drop[5]  # 1500, a new player's rating
    assert find_following(after=of_drop[5].pk).value in (1400, 1600)
    answer_rightly(player, of_drop[5])
    assert find_following() == of_drop[3]  # 1700: the player has 1662 now
    for puzzle in of_drop:
        answer_rightly(player, puzzle)
    assert find_following() is None


def test_visitors_get_all_puzzles_of_a_kind_in_turn(puzzles):
    of_drop = list(Puzzle.objects.filter(kind="drop").order_by("pk"))
    after, seen = 0, []
    for _ in range(len(of_drop) + 1):
        found = require(find_next_puzzle(game="indian", kind="drop", user_id=None, after=after))
        seen.append(found)
        after = found.pk
    assert seen == [*of_drop, of_drop[0]]


def test_a_streak_counts_days_in_a_row_up_to_a_wrong_answer(puzzles, make_player):
    player, today = make_player(chips=False), date(2026, 3, 10)

    def answer(days_ago, *, is_right):
        PuzzleAnswer.objects.create(
            puzzle=puzzles[days_ago],
            user=player,
            answer="drop",
            is_right=is_right,
            loss=0,
            daily_on=today - timedelta(days=days_ago),
            value_before=1500,
            value=1500,
        )

    assert count_streak(player.pk, today) == 0
    for days_ago, is_right in ((1, True), (2, True), (3, False), (4, True)):
        answer(days_ago, is_right=is_right)
    assert count_streak(player.pk, today) == 2
    answer(0, is_right=True)
    assert count_streak(player.pk, today) == 3
    assert count_streak(player.pk, today + timedelta(days=2)) == 0


def make_known_daily(player):
    """Answer a training puzzle that then becomes the daily puzzle. Return it and the answer's result."""
    Puzzle.objects.filter(daily_on=timezone.localdate()).update(daily_on=None)
    puzzle = get_puzzle("drop")
    first = answer_rightly(player, puzzle)
    Puzzle.objects.filter(pk=puzzle.pk).update(daily_on=timezone.localdate())
    return puzzle, first


def test_a_puzzle_known_from_training_is_answered_again_on_its_day(puzzles, make_player):
    player, today = make_player(chips=False), timezone.localdate()
    puzzle, first = make_known_daily(player)
    assert count_streak(player.pk, today) == 0
    assert require(get_daily_puzzle(player.pk)).is_right is None
    assert own_answer(puzzle.pk, player.pk) is None
    again = answer_rightly(player, puzzle)
    assert (again.is_right, again.is_first) == (True, False)
    assert require(get_daily_puzzle(player.pk)).is_right is True
    assert count_streak(player.pk, today) == 1
    # It is not rated again, and a third answer changes nothing.
    kept = PuzzleAnswer.objects.get()
    assert (kept.daily_on, kept.value_before, kept.value) == (today, first.before, first.after)
    assert PuzzleRating.objects.get().answers == 1
    third = answer_puzzle(
        user_id=player.pk, puzzle_id=puzzle.pk, answer=wrong_answer(reload(puzzle))
    )
    assert third == again


def test_answered_wrongly_on_its_day_it_ends_the_streak(puzzles, make_player):
    player, today = make_player(chips=False), timezone.localdate()
    puzzle, _first = make_known_daily(player)
    answer_puzzle(user_id=player.pk, puzzle_id=puzzle.pk, answer=wrong_answer(puzzle))
    assert require(get_daily_puzzle(player.pk)).is_right is False
    assert count_streak(player.pk, today) == 0


@pytest.mark.django_db(transaction=True)
def test_of_two_tabs_with_a_known_daily_puzzle_one_answers(make_player):
    make_starting_puzzles()
    player = make_player(chips=False)
    puzzle, _first = make_known_daily(player)
    right = partial(answer_rightly, player, puzzle)
    wrong = partial(
        answer_puzzle, user_id=player.pk, puzzle_id=puzzle.pk, answer=wrong_answer(puzzle)
    )
    one, other = run_at_once(right, wrong)
    kept = PuzzleAnswer.objects.get()
    assert one == other
    assert (kept.answer, kept.is_right) == (one.answer, one.is_right)
    assert count_streak(player.pk, timezone.localdate()) == int(one.is_right)
    assert PuzzleRating.objects.get().answers == 1


def test_a_retired_puzzle_of_the_day_is_not_answered_again(puzzles, make_player):
    player, today = make_player(chips=False), timezone.localdate()
    Puzzle.objects.filter(daily_on=today).update(daily_on=None)
    answer_rightly(player, puzzles[3])
    Puzzle.objects.filter(pk=puzzles[3].pk).update(daily_on=today, retired_at=timezone.now())
    assert require(own_answer(puzzles[3].pk, player.pk)).is_right
    assert answer_rightly(player, puzzles[3]).is_right
    assert PuzzleAnswer.objects.get(user=player).daily_on is None


def test_an_answer_to_the_daily_puzzle_records_the_day(puzzles, make_player):
    player = make_player(chips=False)
    today = get_daily()
    other = Puzzle.objects.exclude(pk=today.puzzle.pk).earliest("pk")
    for puzzle in (today.puzzle, other):
        answer_rightly(player, puzzle)
    days = PuzzleAnswer.objects.order_by("pk").values_list("daily_on", flat=True)
    assert list(days) == [timezone.localdate(), None]
    assert get_daily(player.pk).is_right is True
