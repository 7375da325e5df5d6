"""Puzzle rush: three minutes, three mistakes, no rating."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from history.models import Puzzle, PuzzleAnswer, PuzzleRating, PuzzleRush
from history.puzzles.answering import NO_ANSWER
from history.puzzles.making import make_starting_puzzles, retire_puzzle
from history.puzzles.rush import (
    LASTS,
    NO_PUZZLES,
    Bests,
    answer_in_rush,
    begin_rush,
    filter_quick_puzzles,
    get_bests,
    get_last_rush,
    get_running_rush,
    is_best_rush,
)
from tests.given import reload, require
from tests.refusals import refused
from tests.tables.puzzle_answers import right_answer, wrong_answer
from tests.together import run_at_once

pytestmark = pytest.mark.django_db


@pytest.fixture
def player(make_player):
    make_starting_puzzles()
    return make_player(chips=False)


@pytest.fixture
def rush(player):
    return begin_rush(user_id=player.pk, game="indian")


def answer(rush, *, rightly=True):
    puzzle = Puzzle.objects.get(pk=reload(rush).asked[-1])
    text = right_answer(puzzle) if rightly else wrong_answer(puzzle)
    judged = answer_in_rush(user_id=rush.user_id, rush_id=rush.pk, puzzle_id=puzzle.pk, answer=text)
    return None if judged is None else judged.is_right


def test_a_rush_asks_new_puzzles_and_changes_no_rating(player, rush):
    assert rush.ends_at - rush.began_at == LASTS == timedelta(minutes=3)
    assert [answer(rush) for _ in range(4)] == [True] * 4
    assert answer(rush, rightly=False) is False
    assert (reload(rush).right, rush.wrong, len(rush.asked), len(set(rush.asked))) == (4, 1, 6, 6)
    assert set(rush.asked) <= set(filter_quick_puzzles("indian").values_list("pk", flat=True))
    assert get_running_rush(player.pk) == rush
    assert not PuzzleAnswer.objects.exists()
    assert not PuzzleRating.objects.exists()
    assert not Puzzle.objects.exclude(answers=0).exists()


def test_a_rush_asks_the_easiest_puzzles_first(player):
    for number, puzzle in enumerate(filter_quick_puzzles("indian").order_by("pk")):
        Puzzle.objects.filter(pk=puzzle.pk).update(value=1000 + number)
    rush = begin_rush(user_id=player.pk, game="indian")
    while answer(rush):
        rush.refresh_from_db()
        if rush.asked[-1] == 0:
            break
    values = [Puzzle.objects.get(pk=pk).value - 1000 for pk in rush.asked[:-1]]
    # It is one of the five easiest puzzles that remain.
    assert all(value < number + 5 for number, value in enumerate(values))
    assert sorted(values) == list(range(len(values)))


def test_three_mistakes_end_a_rush(player, rush):
    assert [answer(rush, rightly=False) for _ in range(3)] == [False] * 3
    assert get_running_rush(player.pk) is None
    ended = require(get_last_rush(player.pk))
    assert (ended.right, ended.wrong, ended.asked[-1]) == (0, 3, 0)
    assert ended.ends_at < ended.began_at + LASTS


def test_a_rush_ends_when_every_puzzle_is_answered(player):
    asked = filter_quick_puzzles("indian")
    for puzzle in asked[2:]:
        retire_puzzle(puzzle_id=puzzle.pk, is_retired=True)
    rush = begin_rush(user_id=player.pk, game="indian")
    assert [answer(rush), answer(rush)] == [True, True]
    assert get_running_rush(player.pk) is None
    assert get_bests(player.pk)["indian"].ever == 2


def test_late_answers_to_a_rush_do_not_count(player, rush):
    PuzzleRush.objects.update(ends_at=timezone.now() - timedelta(seconds=3))
    assert answer(rush) is None
    assert (reload(rush).right, rush.wrong, len(rush.asked)) == (0, 0, 1)
    # Answers sent before the end count.
    PuzzleRush.objects.update(ends_at=timezone.now() - timedelta(seconds=1))
    assert answer(rush) is True
    assert get_running_rush(player.pk) is None


@pytest.mark.django_db(transaction=True)
def test_a_repeated_answer_to_a_rush_counts_once(player, rush):
    puzzle = Puzzle.objects.get(pk=rush.asked[0])

    def send():
        return answer_in_rush(
            user_id=player.pk, rush_id=rush.pk, puzzle_id=puzzle.pk, answer=right_answer(puzzle)
        )

    assert sum(judged is not None for judged in run_at_once(send, send)) == 1
    assert (reload(rush).right, len(rush.asked)) == (1, 2)


def test_foreign_and_invalid_answers_to_a_rush_change_nothing(player, rush, make_player):
    puzzle = Puzzle.objects.get(pk=rush.asked[0])
    asked = {"rush_id": rush.pk, "puzzle_id": puzzle.pk}
    other = make_player(chips=False).pk
    assert answer_in_rush(user_id=other, answer=right_answer(puzzle), **asked) is None
    with refused(NO_ANSWER):
        answer_in_rush(user_id=player.pk, answer="no", **asked)
    assert (reload(rush).right, rush.wrong, len(rush.asked)) == (0, 0, 1)


def test_a_rush_remembers_how_each_puzzle_went(player, rush):
    for rightly in (True, True, False, True):
        answer(rush, rightly=rightly)
    assert reload(rush).results == [True, True, False, True]
    assert (rush.streak, rush.longest_streak) == (1, 2)
    answer(rush, rightly=False)
    assert (reload(rush).streak, rush.longest_streak) == (0, 2)


def test_a_best_rush_solved_more_than_each_before(player, rush):
    assert not is_best_rush(rush)  # there is no earlier rush to beat
    answer(rush)
    for solved, is_best in ((1, False), (2, True), (1, False)):
        later = begin_rush(user_id=player.pk, game="indian")
        for _ in range(solved):
            answer(later)
        assert is_best_rush(reload(later)) is is_best


def test_a_new_rush_ends_the_running_one(player):
    first = begin_rush(user_id=player.pk, game="indian")
    second = begin_rush(user_id=player.pk, game="indian")
    assert get_running_rush(player.pk) == second
    assert answer(first) in (True, None)  # within the time allowed for an answer under way
    with refused(NO_PUZZLES):
        begin_rush(user_id=player.pk, game="chess")
    assert get_running_rush(player.pk) == second


def test_the_best_rush_ever_and_of_today(player):
    assert get_bests(player.pk) == {}
    now = timezone.now()
    for right, days in ((9, 3), (4, 0), (6, 0)):
        began = now - timedelta(days=days)
        PuzzleRush.objects.create(
            user=player, game="indian", began_at=began, ends_at=began, right=right, asked=[0]
        )
    assert get_bests(player.pk) == {"indian": Bests(ever=9, today=6)}
    PuzzleRush.objects.exclude(right=9).delete()
    assert get_bests(player.pk) == {"indian": Bests(ever=9, today=None)}


def list_scores(page):
    return re.findall(r"<span>([^<]+)</span>\s*<strong>([^<]+)</strong>", page)


def test_the_page_leads_through_a_rush(player, client):
    address = reverse("puzzle_rush")
    assert "/login/" in client.get(address)["Location"]
    assert "/login/" in client.post(address, {"game": "indian"})["Location"]
    client.force_login(player)
    assert "Begin the rush" in client.get(address).text
    client.post(address, {"game": "indian"})
    rush = require(get_running_rush(player.pk))
    page = client.get(address).text
    assert list_scores(page) == [("Solved", "0"), ("Mistakes", "0 of 3"), ("In a row", "0")]
    puzzle = Puzzle.objects.get(pk=rush.asked[-1])
    sent = {"rush": rush.pk, "puzzle": puzzle.pk}
    page = client.post(address, {**sent, "answer": right_answer(puzzle)}, follow=True)
    assert "Right!" in page.text
    assert list_scores(page.text) == [("Solved", "1"), ("Mistakes", "0 of 3"), ("In a row", "1")]
    PuzzleRush.objects.update(ends_at=timezone.now())
    over = client.get(address).text
    assert "1 puzzle solved" in over
    assert "0 mistakes" in over
    assert list_scores(over)[-1] == ("Longest row", "1")
    assert reverse("puzzle", args=[puzzle.pk]) in over
    # A retired puzzle is no longer linked.
    retire_puzzle(puzzle_id=puzzle.pk, is_retired=True)
    assert reverse("puzzle", args=[puzzle.pk]) not in client.get(address).text
    assert client.post(address, {"rush": "x", "puzzle": "1"}).status_code == 404
    refused = client.post(address, {"game": "chess"}, follow=True).text
    assert "There are no puzzles for a rush yet." in refused
