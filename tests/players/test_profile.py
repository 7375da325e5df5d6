"""A player's page: ratings with their charts, recent matches, and challenging a friend."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import PageShownTo, User
from core.refusals import SWITCHED_OFF
from players import services
from players.models import DayTotal, RatingChange
from players.profile import MatchLine, list_played, list_rating_tiles
from players.refusals import NOT_FRIENDS, TOO_MANY_INVITATIONS
from tables.models import Admission, Seat, Table, TableInvitation
from tests.refusals import refused
from tests.tables.driving import befriend, end_match, rate, start_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def asha(make_player):
    return make_player()


@pytest.fixture
def ravi(make_player):
    return make_player()


def play(make_table, *players, **changes):
    """Play a match to its end and empty the table. Return the match."""
    table = start_match(make_table(), *players)
    match = end_match(table)
    Seat.objects.filter(table=table).update(left_at=timezone.now())
    if changes:
        Table.objects.filter(pk=table.pk).update(**changes)
    return match


def show_to(player, whom):
    services.show_page_to(user_id=player.pk, whom=whom)
    player.refresh_from_db()


def list_matches(player, *, viewer_id):
    """Return the lines of the player's matches, as this viewer sees them."""
    lines = list_played(player, viewer_id=viewer_id)
    found = [line for line in lines if isinstance(line, MatchLine)]
    assert len(found) == len(lines)
    return found


def read_page(client, viewer, player):
    if viewer is not None:
        client.force_login(viewer)
    return client.get(reverse("players:player", args=[player.pk])).text


def names(line):
    return [name for _face, name in line.others]


def test_the_line_of_a_rating_runs_from_the_oldest_to_the_newest(asha, ravi, make_table):
    rate(asha, 1612.4, 60, matches=12)
    before = 1500.0
    for value in (1500.0, 1530.0, 1612.4):
        RatingChange.objects.create(
            match=play(make_table, asha, ravi), user=asha, game="indian", format="POINTS",
            value_before=before, deviation_before=80, value=value, deviation=60, volatility=0.06,
        )  # fmt: skip
        before = value
    (tile,) = list_rating_tiles(asha.pk)
    assert (tile.text, list(tile.values)) == ("1612", [1500, 1530, 1612])
    assert tile.points == "0.0,28.0 50.0,21.0 100.0,2.0"
    assert (tile.change, tile.change_text) == (82, "+82")
    assert tile.leaderboard == f"{reverse('leaderboards')}?game=indian%3APOINTS&period=ALL"


class TestLastMatches:
    def test_players_see_their_own_with_amount_and_replay(self, asha, ravi, make_table):
        match = play(make_table, asha, ravi)
        (line,) = list_matches(asha, viewer_id=asha.pk)
        assert names(line) == [ravi.player_name]
        assert line.url == reverse("deal_replay", args=[match.pk, 1])
        seat = next(seat for seat, one in match.players.items() if one["user"] == asha.pk)
        assert line.amount == match.settlement["amounts"][seat] != 0

    def test_others_see_neither_amounts_nor_opponents_who_hide_their_own(
        self, asha, ravi, make_player, make_table
    ):
        stranger, open_one = make_player(), make_player()
        show_to(open_one, PageShownTo.EVERYBODY)
        play(make_table, asha, ravi)
        play(make_table, asha, open_one)
        newest, oldest = list_matches(asha, viewer_id=stranger.pk)
        assert (names(newest), newest.unnamed) == ([open_one.player_name], 0)
        assert (names(oldest), oldest.unnamed) == ([], 1)
        assert {(line.amount, line.url) for line in (newest, oldest)} == {(None, "")}
        _newest, own = list_matches(asha, viewer_id=ravi.pk)
        assert (names(own), own.unnamed) == ([ravi.player_name], 0)
        assert own.amount is not None
        services.block(user_id=stranger.pk, other_id=open_one.pk)
        newest, _oldest = list_matches(asha, viewer_id=stranger.pk)
        assert (names(newest), newest.unnamed) == ([], 1)

    def test_a_friends_table_is_seen_by_those_who_sat_there(
        self, asha, ravi, make_player, make_table
    ):
        stranger = make_player()
        play(make_table, asha, ravi, invite_code="neem")
        assert list_matches(asha, viewer_id=stranger.pk) == []
        assert list_matches(asha, viewer_id=None) == []
        assert len(list_matches(asha, viewer_id=ravi.pk)) == 1
        assert len(list_matches(asha, viewer_id=asha.pk)) == 1

    def test_a_lesson_is_no_match(self, asha, ravi, make_table):
        play(make_table, asha, ravi, is_lesson=True)
        assert list_matches(asha, viewer_id=asha.pk) == []

    def test_a_page_shows_them_to_whom_its_player_chose(self, client, asha, ravi, make_table):
        play(make_table, asha, ravi)
        assert "Replay" not in read_page(client, ravi, asha)
        assert "Last matches" not in read_page(client, ravi, asha)
        show_to(asha, PageShownTo.EVERYBODY)
        assert "Replay" in read_page(client, ravi, asha)
        stranger = User.objects.create_user("leela@example.com", player_name="Leela")
        page = read_page(client, stranger, asha)
        assert "Last matches" in page
        assert ravi.player_name not in page
        assert "Replay" not in page


class TestTheHead:
    def test_the_own_page_leads_to_the_settings_and_says_what_to_do(self, client, asha):
        page = read_page(client, asha, asha)
        assert re.search(rf'class="button"\s+href="{reverse("accounts:settings")}"', page)
        assert "Challenge" not in page
        assert "No rated match yet." in page
        assert "You have not finished a match yet." in page
        assert "You are in no club yet." in page

    def test_matches_are_counted_for_those_who_may_see_them(self, client, asha, ravi):
        DayTotal.objects.create(
            user=asha, game="indian", format="POINTS", day=timezone.localdate(), matches=318
        )
        assert "318 matches" in read_page(client, asha, asha)
        assert "318" not in read_page(client, ravi, asha)

    def test_only_friends_are_offered_a_challenge(self, client, asha, ravi):
        address = reverse("players:challenge", args=[asha.pk])
        services.follow(user_id=ravi.pk, other_id=asha.pk)
        assert address not in read_page(client, ravi, asha)
        services.follow(user_id=asha.pk, other_id=ravi.pk)
        assert address in read_page(client, ravi, asha)


class TestChallenging:
    def test_a_challenge_opens_a_table_and_invites_the_friend(self, client, asha, ravi):
        befriend(asha, ravi)
        client.force_login(asha)
        address = reverse("players:challenge", args=[ravi.pk])
        answer = client.post(address, {"game": "gin"})
        table = Table.objects.get()
        assert answer.url == reverse("table", args=[table.pk])
        assert (table.game, table.max_seats, table.is_free) == ("gin", 2, True)
        assert table.admission == Admission.LINK
        assert table.is_private
        assert [seat.user_id for seat in Seat.objects.filter(table=table, left_at=None)] == [
            asha.pk
        ]
        invitation = TableInvitation.objects.get()
        assert (invitation.sender_id, invitation.invited_id) == (asha.pk, ravi.pk)

    def test_only_a_friend_is_challenged(self, client, asha, ravi):
        services.follow(user_id=asha.pk, other_id=ravi.pk)
        with refused(NOT_FRIENDS):
            services.challenge(user_id=asha.pk, friend_id=ravi.pk, game="gin")
        client.force_login(asha)
        address = reverse("players:challenge", args=[ravi.pk])
        page = client.post(address, {"game": "gin"}, follow=True)
        assert "You can invite only friends" in page.text
        assert not Table.objects.exists()
        assert not TableInvitation.objects.exists()

    def test_a_game_that_is_not_offered_opens_nothing(self, asha, ravi):
        befriend(asha, ravi)
        with refused(SWITCHED_OFF):
            services.challenge(user_id=asha.pk, friend_id=ravi.pk, game="chess")
        assert not Table.objects.exists()

    def test_an_invitation_too_many_opens_no_table(self, asha, ravi, monkeypatch):
        befriend(asha, ravi)
        monkeypatch.setattr(services, "INVITATIONS_A_DAY", 0)
        with refused(TOO_MANY_INVITATIONS):
            services.challenge(user_id=asha.pk, friend_id=ravi.pk, game="gin")
        assert not Table.objects.exists()
