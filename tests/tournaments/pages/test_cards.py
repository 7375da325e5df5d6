"""A tournament's card: the game, the price, and the buttons to enter and to withdraw."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.given import reload
from tests.tournaments.browsing import read_page, sign_in
from tests.tournaments.driving import assert_books_balance, begin, chips_of, enter, pool_of
from tests.tournaments.friends import open_cup
from tournaments.models import Entrant, EntrantState, Tournament

pytestmark = pytest.mark.django_db


def read_card(client, tournament, path="/tournaments/"):
    body = read_page(client, path)
    found = re.search(rf'<li id="tournament-{tournament.pk}">(.*?)</article>', body)
    assert found, "it has no card"
    return " ".join(re.sub("<[^>]+>", " ", found[1]).split())


def test_a_card_says_what_is_played_and_for_how_much(signed_in, make_tournament_of):
    cup = make_tournament_of(name="Lotus Cup", seats=6, deals=2, max_entrants=64, bots_to=8)
    card = read_card(signed_in, cup)
    start = timezone.localtime(cup.starts_at)
    assert f"{start:%H:%M} IST" in card
    assert "Indian rummy · 2 deals a round · 6 at a table" in card
    assert "Entry 100 chips · Prizes: 90 chips of each entry" in card
    assert "0 of 64 · bots fill up to 8" in card
    assert "Enter · 100 chips" in card
    enter(cup, signed_in.player)
    # The amount without the fee of a tenth.
    assert "Entry 100 chips · 90 chips in prizes" in read_card(signed_in, cup)


@pytest.mark.parametrize(
    ("terms", "facts"),
    [
        ({"format": "heads-up", "seats": 2, "qualifiers": 1}, "1 deal a round · one against one"),
        (
            {"format": "shoot-out", "seats": 4},
            "1 deal a round · rising stakes, you keep your chips",
        ),
        ({"preset": "pool101", "seats": 5}, "Pool 101 · 5 at a table"),
        (
            {"game": "gin", "preset": "game100", "seats": 2, "qualifiers": 1},
            "Gin to 100 · 2 at a table",
        ),
    ],
)
def test_each_kind_is_named_in_plain_words(client, make_tournament_of, terms, facts):
    assert f"· {facts}" in read_card(client, make_tournament_of(**terms))


def test_a_player_withdraws_on_the_card_and_is_refunded(signed_in, make_tournament_of):
    cup = make_tournament_of(name="Lotus Cup")
    enter(cup, signed_in.player)
    assert (chips_of(signed_in.player), pool_of(cup)) == (9_900, 100)
    card = read_card(signed_in, cup)
    assert "Registered" in card
    assert "Withdraw" in card
    assert "Enter ·" not in card
    answer = signed_in.post(f"/tournaments/{cup.pk}/withdraw/", HTTP_HX_REQUEST="true")
    assert (answer.status_code, answer["HX-Trigger"]) == (200, "tournaments-changed")
    assert "what you paid is back in your wallet" in answer.content.decode()
    assert "<html" not in answer.content.decode()
    assert (chips_of(signed_in.player), pool_of(cup), reload(cup).seats_taken) == (10_000, 0, 0)
    assert "Enter · 100 chips" in read_card(signed_in, cup)
    assert_books_balance(cup)


def test_nobody_withdraws_on_the_card_once_it_has_begun(signed_in, make_tournament_of, make_player):
    cup = make_tournament_of()
    enter(cup, signed_in.player, make_player())
    begin(cup)
    assert "Withdraw" not in read_card(signed_in, cup, "/tournaments/?phase=running")
    answer = signed_in.post(f"/tournaments/{cup.pk}/withdraw/", HTTP_HX_REQUEST="true")
    assert "nobody can withdraw any more" in answer.content.decode()
    assert (chips_of(signed_in.player), pool_of(cup), reload(cup).seats_taken) == (9_900, 200, 2)
    assert Entrant.objects.get(user=signed_in.player).state == EntrantState.PLAYING


def test_a_running_card_leads_to_the_readers_table_and_others_watch(
    signed_in, make_tournament_of, make_player, client
):
    cup = make_tournament_of()
    enter(cup, signed_in.player, make_player())
    begin(cup)
    assert "Go to your table" in read_card(signed_in, cup, "/tournaments/?phase=running")
    assert "Go to your table" in read_card(signed_in, cup, "/tournaments/mine/")
    sign_in(client, make_player())
    assert "Watch" in read_card(client, cup, "/tournaments/?phase=running")


def test_a_full_tournament_has_a_waiting_list_on_its_card(
    signed_in, make_tournament_of, make_player
):
    cup = make_tournament_of(max_entrants=2)
    enter(cup, make_player(), make_player())
    assert "Join the waiting list" in read_card(signed_in, cup)
    answer = signed_in.post(f"/tournaments/{cup.pk}/register/", HTTP_HX_REQUEST="true")
    assert "you are on the waiting list" in answer.content.decode()
    card = read_card(signed_in, cup)
    assert "Withdraw" in card
    assert chips_of(signed_in.player) == 10_000


def test_cash_is_looked_at_before_it_is_paid(signed_in, make_tournament_of, settings):
    settings.CASH_PLAY = "sandbox"
    cup = make_tournament_of(name="Cash Cup", currency="INR", entry_fee=5_000)
    body = read_page(signed_in, "/tournaments/")
    assert "Enter · ₹50" in read_card(signed_in, cup)
    # The list has no button that pays. It links to the page that explains the fee.
    assert f"/tournaments/{cup.pk}/register/" not in body
    assert f'href="/tournaments/{cup.pk}/#take-part"' in body
    page = read_page(signed_in, f"/tournaments/{cup.pk}/")
    assert 'id="take-part"' in page
    assert "₹45 go to the prize pool, ₹5 are the service fee" in page


def test_a_visitor_signs_in_from_the_card(client, make_tournament_of):
    cup = make_tournament_of()
    body = read_page(client, "/tournaments/")
    assert "/register/" not in body
    assert f'href="/accounts/login/?next=/tournaments/{cup.pk}/"' in body


def test_nobody_enters_before_registration_opens(signed_in, make_tournament_of):
    cup = make_tournament_of()
    Tournament.objects.update(status="ANNOUNCED", opens_at=timezone.now() + timedelta(minutes=5))
    card = read_card(signed_in, cup)
    assert "opens" in card
    assert "Enter ·" not in card


@pytest.mark.usefixtures("starting_fees")
def test_ones_own_are_under_mine_with_private_ones(signed_in, make_player, make_tournament_of):
    cup = open_cup(signed_in.player)
    other = make_tournament_of(name="Lotus Cup")
    body = read_page(signed_in, "/tournaments/mine/")
    assert f'id="tournament-{cup.pk}"' in body
    assert f'id="tournament-{other.pk}"' not in body
    assert "Withdraw" in read_card(signed_in, cup, "/tournaments/mine/")


@pytest.mark.parametrize(
    ("path", "reason", "way"),
    [
        ("/tournaments/", "No tournament of this kind is announced", "/tournaments/new/"),
        ("/tournaments/?kind=FREE", "No tournament of this kind is announced", "?phase=upcoming"),
        ("/tournaments/?phase=running", "is being played just now", "/tournaments/"),
        ("/tournaments/?phase=over", "has been played to its end", "/tournaments/"),
        ("/tournaments/mine/", "You have entered no tournament yet", "/tournaments/new/"),
    ],
)
def test_an_empty_list_says_why_and_what_to_do(signed_in, path, reason, way):
    body = read_page(signed_in, path)
    empty = body.split('class="empty"')[1].split("</div>")[0]
    assert reason in empty
    assert way in empty


def test_the_definitions_are_folded_and_the_column_stands_beside(signed_in):
    body = read_page(signed_in, "/tournaments/")
    assert body.index("<details") < body.index("Knock-out: the best players of every table")
    assert 'id="friends-title"' in body
