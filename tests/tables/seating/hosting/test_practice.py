"""A player who is alone with practice bots says how well they play."""

import pytest
from django.urls import reverse

from tables.models import BotStrength, Table
from tables.refusals import NoPractice, NotAlone, NotSeated, TableNotFound
from tables.seating.hosting.services import choose_bot_strength, chooses_bot_strength
from tests.tables.driving import make_kind, seat_all

pytestmark = pytest.mark.django_db


def strength_at(table):
    return Table.objects.values_list("bot_strength", flat=True).get(pk=table.pk)


def choose(table, player, strength=BotStrength.HARD):
    choose_bot_strength(table_id=table.pk, user_id=player.pk, strength=strength)


@pytest.fixture
def player(make_player):
    return make_player()


@pytest.fixture
def practice(make_table, player):
    table = make_table(max_seats=3, bots_wanted=2)
    seat_all(table, player)
    return table


def test_who_is_alone_with_the_bots_chooses(practice, player):
    assert strength_at(practice) == "medium"
    assert chooses_bot_strength(table_id=practice.pk, user_id=player.pk)
    for strength in BotStrength:
        choose(practice, player, strength)
        assert strength_at(practice) == strength.value


def test_nobody_else_does(practice, player, make_player, make_table):
    other = make_player()
    with pytest.raises(NotSeated):
        choose(practice, other)
    assert not chooses_bot_strength(table_id=practice.pk, user_id=other.pk)
    assert not chooses_bot_strength(table_id=practice.pk, user_id=None)
    seat_all_of_two = make_table()
    seat_all(seat_all_of_two, other)
    with pytest.raises(NoPractice):
        choose(seat_all_of_two, other)
    with pytest.raises(TableNotFound):
        choose_bot_strength(table_id=2**40, user_id=player.pk, strength=BotStrength.HARD)
    assert strength_at(practice) == strength_at(seat_all_of_two) == "medium"


def test_with_another_person_there_they_stay_as_they_are(make_table, make_player):
    table, one, other = make_table(max_seats=3, bots_wanted=1), make_player(), make_player()
    seat_all(table, one, other)
    for player in (one, other):
        with pytest.raises(NotAlone):
            choose(table, player)
        assert not chooses_bot_strength(table_id=table.pk, user_id=player.pk)
    assert strength_at(table) == "medium"


class TestPages:
    def test_the_form_changes_it_and_says_so(self, client, practice, player):
        client.force_login(player)
        address = reverse("tables:bots", args=[practice.pk])
        answer = client.post(address, {"strength": "easy"}, follow=True)
        assert strength_at(practice) == "easy"
        assert "The bots play from now on as: Easy." in answer.text

    @pytest.mark.parametrize("strength", ["", "waiting", "grandmaster"])
    def test_what_is_no_strength_changes_nothing(self, client, practice, player, strength):
        client.force_login(player)
        address = reverse("tables:bots", args=[practice.pk])
        answer = client.post(address, {"strength": strength}, follow=True)
        assert "Choose how well the bots are to play." in answer.text
        assert strength_at(practice) == "medium"

    def test_a_visitor_signs_in_and_a_stranger_is_refused(self, client, practice, make_player):
        address = reverse("tables:bots", args=[practice.pk])
        assert client.post(address, {"strength": "easy"}).url.startswith("/accounts/login/")
        client.force_login(make_player())
        answer = client.post(address, {"strength": "easy"}, follow=True)
        assert "You do not sit at this table." in answer.text
        assert client.get(address).status_code == 405
        nowhere = reverse("tables:bots", args=[2**40])
        assert client.post(nowhere, {"strength": "easy"}).status_code == 404
        assert strength_at(practice) == "medium"

    def test_play_now_takes_the_choice_along(self, client, player, make_table):
        make_table()  # the fees are set
        kind = make_kind(name="Fig", bots_wanted=1)
        client.force_login(player)
        client.post(reverse("tables:play", args=[kind.pk]), {"strength": "hard"})
        table = Table.objects.get(template=kind)
        assert table.sittings.filter(user=player, left_at=None).exists()
        assert strength_at(table) == "hard"

    def test_play_now_among_people_leaves_the_bots_alone(self, client, make_player, make_table):
        make_table()
        kind = make_kind(name="Fig", max_seats=3, bots_wanted=1)
        for wanted in ("easy", "hard"):
            client.force_login(make_player())
            client.post(reverse("tables:play", args=[kind.pk]), {"strength": wanted})
        table = Table.objects.get(template=kind)
        assert table.sittings.filter(left_at=None, user__is_bot=False).count() == 2
        assert strength_at(table) == "easy"
