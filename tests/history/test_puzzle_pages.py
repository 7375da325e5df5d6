"""Pages of puzzles for visitors, players and staff."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.desk.staff_roles import Role
from core.models.audit import AuditEntry
from history.models import Puzzle, PuzzleAnswer, PuzzleRating
from history.puzzles.answering import answer_puzzle
from history.puzzles.making import (
    choose_daily_puzzles,
    list_kinds,
    make_starting_puzzles,
    retire_puzzle,
)
from tests.accounts.staff import member, office
from tests.tables.puzzle_answers import (
    answer_rightly,
    get_daily,
    get_puzzle,
    right_answer,
    wrong_answer,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def puzzles():
    make_starting_puzzles()


def test_a_visitors_answer_leaves_no_trace(puzzles, client):
    for kind in ("arrange", "discard", "drop"):
        puzzle = get_puzzle(kind)
        address = reverse("puzzle", args=[puzzle.pk])
        asked = client.get(address).text
        for told in (
            'data-region="verdict"',
            "worse",
            "best discard",
            "no arrangement counts less",
        ):
            assert told not in asked
        right = client.post(address, {"answer": right_answer(puzzle)}).text
        assert "Right!" in right
        assert "Without an account this is not rated." in right
        assert "Not the best" in client.post(address, {"answer": wrong_answer(puzzle)}).text
    assert not PuzzleAnswer.objects.exists()
    assert not PuzzleRating.objects.exists()
    assert not Puzzle.objects.exclude(answers=0).exists()


def test_a_right_choice_is_named_and_a_wrong_one_bettered(puzzles, client):
    puzzle = get_puzzle("drop")
    address = reverse("puzzle", args=[puzzle.pk])
    right = client.post(address, {"answer": right_answer(puzzle)}).text
    assert "Better:" not in right
    assert "The other choice gives away" in right
    assert "Better:" in client.post(address, {"answer": wrong_answer(puzzle)}).text


def test_a_guest_of_a_first_deal_is_not_rated(puzzles, client):
    client.post(reverse("begin_lesson"))
    puzzle = get_puzzle("drop")
    page = client.post(reverse("puzzle", args=[puzzle.pk]), {"answer": right_answer(puzzle)})
    assert "not rated" in page.text
    assert not PuzzleRating.objects.exists()


def test_a_player_sees_the_first_answer_and_the_new_rating(puzzles, client, make_player):
    player, puzzle = make_player(chips=False), get_puzzle("discard")
    client.force_login(player)
    address = reverse("puzzle", args=[puzzle.pk])
    answered = client.post(address, {"answer": right_answer(puzzle)})
    assert (answered.status_code, answered["Location"]) == (302, address)
    page = client.get(address).text
    assert "Right!" in page
    assert "1,500 → 1,662" in page
    assert page.count("1,338") == 1
    assert "Rated 1,338" in page
    client.post(address, {"answer": wrong_answer(puzzle)})
    assert "Right!" in client.get(address).text
    shown = client.get(reverse("puzzles")).text
    assert "1662?" in shown
    assert "1 of 1" in shown


def test_an_invalid_answer_is_refused_and_the_question_shown_again(puzzles, client):
    puzzle = get_puzzle("discard")
    for data in ({"answer": "drop"}, {}):
        page = client.post(reverse("puzzle", args=[puzzle.pk]), data, follow=True).text
        assert "This is not a valid answer to the puzzle." in page
        assert "Which card do you discard?" in page


def test_the_addresses_of_puzzles_lead_to_a_puzzle_or_nowhere(puzzles, client):
    today = Puzzle.objects.get(daily_on=timezone.localdate())
    assert client.get(reverse("daily_puzzle"))["Location"] == reverse("puzzle", args=[today.pk])
    address = reverse("next_puzzle")
    found = client.get(f"{address}?game=indian&kind=drop")
    assert found["Location"] == reverse("puzzle", args=[get_puzzle("drop").pk])
    beyond = f"?game=indian&kind=drop&after={10**14}"
    assert client.get(address + beyond)["Location"] == found["Location"]
    assert client.get(f"/puzzles/{10**30}/").status_code == 404
    for query in ("", "?game=chess", "?game=indian&kind=no", "?game=indian&after=x", "?kind=drop"):
        assert client.get(address + query).status_code == 404
    retire_puzzle(puzzle_id=today.pk, is_retired=True)
    assert client.get(reverse("puzzle", args=[today.pk])).status_code == 404
    assert client.get(reverse("puzzle", args=[0])).status_code == 404


def test_a_player_who_solved_every_puzzle_of_a_kind_is_told(puzzles, client, make_player):
    player = make_player(chips=False)
    client.force_login(player)
    for puzzle in Puzzle.objects.filter(kind="drop"):
        answer_puzzle(user_id=player.pk, puzzle_id=puzzle.pk, answer="drop")
    page = client.get(f"{reverse('next_puzzle')}?game=indian&kind=drop", follow=True)
    assert "You have answered all puzzles of this kind." in page.text


def test_the_lobby_shows_the_puzzle_of_the_day(client, make_player):
    assert "Puzzle of the day" not in client.get(reverse("lobby")).text
    make_starting_puzzles()
    assert "Solve the puzzle of the day" in client.get(reverse("lobby")).text
    player = make_player()
    today = get_daily().puzzle
    answer_rightly(player, today)
    client.force_login(player)
    page = client.get(reverse("lobby")).text
    assert "You have solved it." in page
    assert "Solve the puzzle of the day" not in page


def test_a_site_without_puzzles_says_so(client):
    assert client.get(reverse("puzzles")).text.count("None yet.") == len(list_kinds()) > 3
    assert client.get(reverse("daily_puzzle"))["Location"] == reverse("puzzles")


def test_puzzles_of_games_not_offered_are_hidden(puzzles, client, settings):
    settings.GAMES_OFFERED = ["five_hundred"]
    assert list_kinds() == []
    choose_daily_puzzles(timezone.localdate() + timedelta(days=9))
    assert client.get(reverse("daily_puzzle"))["Location"] == reverse("puzzles")
    assert client.get(reverse("puzzle", args=[get_puzzle("drop").pk])).status_code == 404
    assert "Puzzle of the day" not in client.get(reverse("lobby")).text


# --- The administration.


def test_staff_retire_a_puzzle_with_a_reason(puzzles):
    puzzle = get_puzzle("discard")
    client = office(member(Role.GAMES))
    page = client.get(reverse("admin:history_puzzle_change", args=[puzzle.pk])).text
    assert "Retire the puzzle" in page
    retired = Puzzle.objects.filter(retired_at__isnull=False)
    decide = reverse("admin:history_puzzle_decide", args=[puzzle.pk])
    client.post(decide, {"decision": "retire", "reason": ""})
    assert not retired.exists()
    client.post(decide, {"decision": "retire", "reason": "Two answers are as good."})
    assert retired.get() == puzzle
    entry = AuditEntry.objects.latest("pk")
    assert (entry.action, entry.reason) == ("retire", "Two answers are as good.")
    client.post(decide, {"decision": "return", "reason": "They are not."})
    assert not retired.exists()


# --- Tiles that are laid on a table.


def test_a_wrong_answer_of_tiles_is_explained(puzzles, client):
    puzzle = Puzzle.objects.filter(game="rummikub").earliest("pk")
    address = reverse("puzzle", args=[puzzle.pk])
    lying = "|".join(map(" ".join, puzzle.task["table"]))
    page = client.post(address, {"answer": lying}).text
    assert "Not every group is a meld, so your answer is not valid." in page
    assert f"At most {puzzle.solution['points']} tiles can be laid." in page
    right = client.post(address, {"answer": right_answer(puzzle)}).text
    assert "Right!" in right
    assert "is not valid" not in right
