"""Wording of a tournament's page: times, the winner, and withdrawing."""

import pytest
from django.utils.translation import override

from tests.tournaments.browsing import read_page, read_tournament_as
from tests.tournaments.driving import begin, enter, play_to_the_end
from tournaments.templatetags.lengths import length_of_time

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("seconds", "english", "hindi"),
    [
        (0, "0 seconds", "0 सेकंड"),
        (1, "1 second", "1 सेकंड"),
        (15, "15 seconds", "15 सेकंड"),
        (90, "90 seconds", "90 सेकंड"),
        (60, "1 minute", "1 मिनट"),
        (600, "10 minutes", "10 मिनट"),
        (3_600, "1 hour", "1 घंटा"),
        (7_200, "2 hours", "2 घंटे"),
    ],
)
def test_a_length_is_given_in_its_largest_exact_unit(seconds, english, hindi):
    for language, said in (("en", english), ("hi", hindi)):
        with override(language):
            assert length_of_time(seconds) == said


def test_the_winner_is_not_called_out(client, make_tournament_of, make_player):
    tournament = make_tournament_of(seats=2, qualifiers=1)
    users = [make_player(), make_player()]
    enter(tournament, *users)
    play_to_the_end(begin(tournament))
    first, second = tournament.entrants.order_by("place").select_related("user")
    assert "<strong> Winner </strong> · You finished 1st of 2." in read_tournament_as(
        client, tournament, first.user
    )
    assert "Winner" in read_page(client, "/tournaments/mine/")
    assert "<strong> Out, round 1 </strong> · You finished 2nd of 2." in read_tournament_as(
        client, tournament, second.user
    )
    assert "Winner" not in read_page(client, "/tournaments/mine/")


def test_hindi_distinguishes_withdrawing_an_entry_from_withdrawing_money(
    client, make_tournament_of, make_player
):
    tournament, user = make_tournament_of(round_seconds=600), make_player()
    enter(tournament, user)
    page = read_tournament_as(client, tournament, user, "hi")
    assert "नाम वापस लें" in page
    assert "पैसे निकालें" not in page.split('id="structure-title"')[0].split("<main")[1]
    assert "एक राउंड 10 मिनट का होता है" in page


def test_a_card_without_entrants_shows_the_prize_part_of_an_entry(
    client, make_tournament_of, make_player
):
    """The card must not say that there is nothing to win."""
    tournament = make_tournament_of(entry_fee=100)
    with override("en"):
        empty = read_page(client, "/tournaments/")
    assert f"Prizes: {tournament.entry_fee - tournament.fee_rake} chips of each entry" in empty
    enter(tournament, make_player())
    with override("en"):
        entered = read_page(client, "/tournaments/")
    assert "of each entry" not in entered
    assert f"{tournament.entry_fee - tournament.fee_rake} chips in prizes" in entered
