"""R10.11 as players see it, also in Hindi: current and next stakes, and chips in the ranking."""

import pytest
from django.utils import timezone

from tests.tournaments.browsing import read_page, read_region, read_tournament
from tests.tournaments.driving import begin, enter, open_tables
from tournaments.models import Round, RoundTable

pytestmark = pytest.mark.django_db


@pytest.fixture
def shoot_out(make_tournament_of, make_player, signed_in):
    """A shoot-out with five entrants before its start. The viewer is one of them."""
    cup = make_tournament_of(
        name="Peacock Cup", format="shoot-out", stakes="1, 2, 4", seats=3, deals=1
    )
    players = [signed_in.player, *(make_player() for _ in range(4))]
    enter(cup, *players)
    return cup


def test_the_page_explains_the_stakes_before_the_start(signed_in, shoot_out):
    body = read_tournament(signed_in, shoot_out)
    for said in (
        "3 rounds of 1 deal. Everybody begins with 560 tournament chips",
        "Round 1: 1 chip a point.",
        "Round 2: 2 chips a point. Players with fewer than 160 tournament chips cannot play in it.",
        "Final of the best 3: 4 chips a point. Players with fewer than 320 tournament chips cannot play in it.",
        "there would be 3 rounds",
    ):
        assert said in body
    assert "of every table advance" not in body


def test_the_round_shows_its_stake_and_the_next_one(signed_in, shoot_out):
    begin(shoot_out)
    said = read_region(signed_in, shoot_out, "round")
    assert (
        "1 chip a point · next round at 2, for players with at least 160 tournament chips" in said
    )
    assert "go on" not in said
    Round.objects.update(number=2)
    shoot_out.round_number = 2
    shoot_out.save()
    said = read_region(signed_in, shoot_out, "round")
    assert "2 chips a point" in said
    assert (
        "next: the final of the best 3 at 4, for players with at least 320 tournament chips" in said
    )
    Round.objects.update(number=3, is_final=True)
    assert "next" not in read_region(signed_in, shoot_out, "round")


def test_a_player_at_a_finished_table_sees_what_their_chips_are_worth(signed_in, shoot_out):
    begin(shoot_out)
    own = RoundTable.objects.get(seats__entrant__user=signed_in.player)
    RoundTable.objects.filter(pk=own.pk).update(ended_at=timezone.now())
    own.seats.update(chips=159, rank=2)
    assert "not enough to go on" in read_region(signed_in, shoot_out, "own-result")
    own.seats.update(chips=160)
    assert "You go on" in read_region(signed_in, shoot_out, "own-result")
    Round.objects.update(number=2)
    own.seats.update(chips=900)
    said = read_region(signed_in, shoot_out, "own-result")
    assert "you will see whether that is enough for the final" in said
    ranks = read_tournament(signed_in, shoot_out, show="ranks").split("<tbody>")[1]
    assert ranks.index(">900<") < ranks.index(">560<")


def test_the_table_shows_the_stake_and_the_next_round(signed_in, shoot_out):
    begin(shoot_out)
    beside = read_tournament(signed_in, shoot_out, show="table")
    assert "1 chip a point · next round at 2" in beside
    assert "Rounds and ranks" in beside
    table = open_tables(shoot_out)[0]
    assert signed_in.get(f"/tables/{table.pk}/").status_code == 200


def test_in_hindi(signed_in, shoot_out):
    signed_in.cookies["django_language"] = "hi"
    signed_in.player.language = "hi"
    signed_in.player.save()
    assert "राउंड 2: एक अंक के 2 चिप्स।" in read_tournament(signed_in, shoot_out)
    begin(shoot_out)
    assert "एक अंक का 1 चिप · अगला राउंड 2 पर" in read_region(signed_in, shoot_out, "round")
    assert "पॉइंट्स शूट-आउट" in read_page(signed_in, "/tournaments/")
