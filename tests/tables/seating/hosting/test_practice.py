"""The strength of practice bots."""

import pytest
from django.test import Client
from django.urls import reverse

from tables.models import BotStrength, Table
from tables.refusals import NoPractice, NotAlone, NotSeated, TableNotFound
from tables.seating.hosting.form import HostForm
from tables.seating.hosting.services import choose_bot_strength, chooses_bot_strength
from tests.given import reload
from tests.tables.driving import make_kind, seat_all

pytestmark = pytest.mark.django_db


def choose(table, player, strength=BotStrength.HARD):
    choose_bot_strength(table_id=table.pk, user_id=player.pk, strength=strength)


@pytest.fixture
def player(make_player, client):
    signed_in = make_player()
    client.force_login(signed_in)
    return signed_in


@pytest.fixture
def practice(make_table, player):
    table = make_table(max_seats=3, bots_wanted=2)
    seat_all(table, player)
    return table


def test_a_player_alone_with_bots_chooses_their_strength(practice, player):
    assert reload(practice).bot_strength == "medium"
    assert chooses_bot_strength(table_id=practice.pk, user_id=player.pk)
    for strength in ("easy", "medium", "hard"):
        choose(practice, player, BotStrength(strength))
        assert reload(practice).bot_strength == strength


@pytest.mark.parametrize(
    ("game", "plays"), [("gin", "expert"), ("indian", "hard"), ("five_hundred", "hard")]
)
def test_where_nobody_plays_better_than_hard_experts_are_hard(
    game, plays, make_table, client, player
):
    table = make_table(game=game, preset="points", bots_wanted=1)
    seat_all(table, player)
    choose(table, player, BotStrength.EXPERT)
    assert reload(table).bot_strength == plays
    answer = client.post(
        reverse("tables:bots", args=[table.pk]), {"strength": "expert"}, follow=True
    )
    assert f"From now on the strength of the bots is: {plays.title()}." in answer.content.decode()
    form = HostForm(game, {}, is_draft=True)
    assert ('value="expert"' in str(form["strength"])) is (plays == "expert")


def test_only_a_seated_player_of_a_practice_table_chooses(
    practice, player, make_player, make_table
):
    other, of_two = make_player(), make_table()
    with pytest.raises(NotSeated):
        choose(practice, other)
    assert not chooses_bot_strength(table_id=practice.pk, user_id=other.pk)
    assert not chooses_bot_strength(table_id=practice.pk, user_id=None)
    seat_all(of_two, other)
    with pytest.raises(NoPractice):
        choose(of_two, other)
    with pytest.raises(TableNotFound):
        choose_bot_strength(table_id=2**40, user_id=player.pk, strength=BotStrength.HARD)
    assert reload(practice).bot_strength == reload(of_two).bot_strength == "medium"


def test_two_players_with_bots_cannot_change_the_strength(make_table, make_player):
    table, one, other = make_table(max_seats=3, bots_wanted=1), make_player(), make_player()
    seat_all(table, one, other)
    for player in (one, other):
        with pytest.raises(NotAlone):
            choose(table, player)
        assert not chooses_bot_strength(table_id=table.pk, user_id=player.pk)
    assert reload(table).bot_strength == "medium"


class TestPages:
    @pytest.mark.parametrize(
        ("sent", "kept", "words"),
        [
            ("easy", "easy", "From now on the strength of the bots is: Easy."),
            *(
                (wrong, "medium", "Choose how well the bots should play.")
                for wrong in ("", "waiting", "grandmaster")
            ),
        ],
    )
    def test_the_form_changes_the_strength_or_asks_again(self, client, practice, sent, kept, words):
        address = reverse("tables:bots", args=[practice.pk])
        answer = client.post(address, {"strength": sent}, follow=True)
        assert reload(practice).bot_strength == kept
        assert words in answer.text

    def test_visitors_sign_in_and_strangers_are_refused(self, client, practice, make_player):
        address = reverse("tables:bots", args=[practice.pk])
        visitor = Client().post(address, {"strength": "easy"})
        assert visitor.headers["Location"].startswith("/accounts/login/")
        client.force_login(make_player())
        answer = client.post(address, {"strength": "easy"}, follow=True)
        assert "You do not sit at this table." in answer.text
        assert client.get(address).status_code == 405
        nowhere = reverse("tables:bots", args=[2**40])
        assert client.post(nowhere, {"strength": "easy"}).status_code == 404
        assert reload(practice).bot_strength == "medium"

    def test_play_now_sets_the_strength_for_the_first_player_only(self, client, make_player, fees):
        kind = make_kind(name="Fig", max_seats=3, bots_wanted=1)
        for wanted in ("hard", "easy"):
            client.force_login(make_player())
            client.post(reverse("tables:play", args=[kind.pk]), {"strength": wanted})
            assert Table.objects.get(template=kind).bot_strength == "hard"
        table = Table.objects.get(template=kind)
        assert table.sittings.filter(left_at=None, user__is_bot=False).count() == 2
