"""Verdicts on answers to puzzles, which never contradict themselves."""

import re

import pytest
from django.urls import reverse

from history.models import Puzzle
from history.puzzles.answering import judge_answer
from history.puzzles.making import make_starting_puzzles
from history.puzzles.verdicts import Grade, word_verdict
from tests.tables.puzzle_answers import get_puzzle, right_answer, wrong_answer

pytestmark = pytest.mark.django_db
# Texts that may only be shown for an answer that was not the best.
OF_WORSE_ONES = ("Better", "gives away", "not as you arranged it", "Your arrangement", "You laid")


@pytest.fixture
def puzzles():
    make_starting_puzzles()


def give(puzzle, answer):
    judged = judge_answer(puzzle, answer)
    return judged, word_verdict(puzzle, judged)


def list_answers(puzzle):
    options = puzzle.solution.get("options")
    if options is None:
        return [right_answer(puzzle), wrong_answer(puzzle)]
    return [option["answer"] for option in options]


def test_right_is_said_of_the_best_answer_alone_in_every_game(puzzles):
    games = set()
    for puzzle in Puzzle.objects.all():
        games.add(puzzle.game)
        for answer in list_answers(puzzle):
            judged, verdict = give(puzzle, answer)
            is_best = judged.is_right and not judged.loss
            assert (verdict.heading == "Right!") is is_best, (puzzle.pk, answer)
            assert (verdict.heading == "Not the best") is not judged.is_right
            if is_best:
                said = verdict.sentence.replace("The other choice gives away", "")
                assert not any(told in said for told in OF_WORSE_ONES), said
                assert "The best discard is" not in said
            else:
                assert "is the best discard" not in verdict.sentence
                assert "No discard is better" not in verdict.sentence
    assert games == {"indian", "gin", "rummikub", "basic", "contract"}


def test_a_discard_that_is_nearly_as_good_says_so_and_counts(puzzles, client):
    puzzle = next(
        one
        for one in Puzzle.objects.filter(kind="discard")
        if one.solution["options"][1]["loss"]
        and one.solution["options"][1]["answer"] in one.solution["right"]
    )
    second = puzzle.solution["options"][1]
    judged, verdict = give(puzzle, second["answer"])
    assert (judged.is_right, verdict.grade) == (True, Grade.GOOD)
    assert (
        f"{second['loss']} points worse on average. The puzzle counts as solved."
        in verdict.sentence
    )
    page = client.post(reverse("puzzle", args=[puzzle.pk]), {"answer": second["answer"]}).text
    assert "Right!" not in page
    assert re.search(r'<h2 id="verdict"[^>]*>Good</h2>', page)


def test_of_equal_discards_none_is_called_worse(puzzles, client):
    puzzle = get_puzzle("discard")
    first, second = puzzle.solution["options"][:2]
    second["loss"] = 0.0
    puzzle.save()
    for option in (first, second):
        _judged, verdict = give(puzzle, option["answer"])
        assert verdict.heading == "Right!"
        assert verdict.sentence.startswith("No discard is better than the ")
        page = client.post(reverse("puzzle", args=[puzzle.pk]), {"answer": option["answer"]}).text
        assert "puzzle__marked--own" in page
        assert "puzzle__marked--best" not in page


def test_the_marked_cards_are_the_players_and_the_better_one(puzzles, client):
    puzzle = get_puzzle("discard")
    page = client.post(reverse("puzzle", args=[puzzle.pk]), {"answer": wrong_answer(puzzle)}).text
    assert page.count("puzzle__marked--own") == page.count("puzzle__marked--best") == 1
