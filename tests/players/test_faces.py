"""Faces of players."""

import re
from pathlib import Path

import pytest
from django.urls import reverse

from accounts.faces import BOT_FACES, FACES, choose_face
from accounts.models import User
from accounts.people.closing import make_unknown
from config.account_data.export import export_account_data
from tables.play.reading import snapshot
from tests.given import reload, require

SPRITE = Path(__file__).resolve().parents[2] / "static/img/faces.svg"
MOST_BYTES = 30_000
CHOOSE = reverse("accounts:face")


@pytest.fixture
def asha(make_player, client):
    player = make_player()
    client.force_login(player)
    return player


def test_every_face_is_drawn_and_small():
    assert re.findall(r'<symbol id="(\w+)"', SPRITE.read_text()) == [*FACES, *BOT_FACES]
    assert len(FACES) == 24
    assert SPRITE.stat().st_size <= MOST_BYTES


def test_the_account_number_decides_without_a_choice():
    first = [choose_face(number, chosen="", is_bot=False) for number in range(24)]
    assert sorted(first) == sorted(FACES)
    assert choose_face(24, chosen="", is_bot=False) == first[0]
    assert choose_face(3, chosen="owl", is_bot=False) == "owl"
    # A withdrawn face is replaced by another.
    assert choose_face(3, chosen="dragon", is_bot=False) == first[3]
    assert choose_face(7, chosen="owl", is_bot=True) in BOT_FACES


@pytest.mark.django_db
def test_a_face_chosen_in_the_profile_is_shown_everywhere(asha, client, make_free):
    page = client.get(reverse("accounts:settings")).text
    assert re.findall(r'name="face"\s+value="(\w+)"', page) == list(FACES)
    assert require(re.search(r'value="(\w+)"\s+required\s+checked', page))[1] == asha.shown_face
    assert client.post(CHOOSE, {"face": "parrot"}).status_code == 302
    assert reload(asha).face == "parrot"
    assert "faces.svg#parrot" in client.get("/").text
    player_page = client.get(reverse("players:player", args=[asha.pk])).text
    assert player_page.count("#parrot") >= 2  # in the bar and in the page's header
    table = make_free(opened_by_id=asha.pk)
    sit = {"seat": "0", "amount": "0", "invite": table.invite_code}
    client.post(reverse("tables:sit", args=[table.pk]), sit)
    seats = require(snapshot(table_id=table.pk, user_id=None)).state["seats"]
    assert seats[0]["player"]["face"] == "parrot"
    assert "#parrot" in client.get(reverse("table_company", args=[table.pk])).text
    assert b'"face": "parrot"' in export_account_data(asha.pk)


@pytest.mark.django_db
@pytest.mark.parametrize("sent", [{}, {"face": ""}, {"face": "bot1"}, {"face": "dragon"}])
def test_a_face_that_is_not_offered_is_refused(asha, client, sent):
    client.post(CHOOSE, sent)
    assert reload(asha).face == ""


@pytest.mark.django_db
def test_visitors_and_closed_accounts_have_no_face(asha, client):
    User.objects.filter(pk=asha.pk).update(face="owl")
    client.logout()
    assert "/accounts/login/" in client.post(CHOOSE, {"face": "fox"}).headers["Location"]
    make_unknown(user_id=asha.pk, keep_identity=False)
    assert reload(asha).face == ""
