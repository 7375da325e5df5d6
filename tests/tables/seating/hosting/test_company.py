"""Guests, watchers, chat and bots at a private table."""

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from tables.live.delayed_view import snapshot_for
from tables.models import Admission, Block, Follow, Match, QueuePlace, Seat, TableStatus
from tables.refusals import FRIENDS_ONLY, InvitationNeeded
from tables.seating.hosting.private_tables import HostTerms, open_hosted_table
from tables.seating.hosting.services import pass_on, start_table
from tables.seating.queue import join_queue
from tables.seating.selectors import may_see
from tests.given import reload, require
from tests.refusals import refused
from tests.tables.driving import (
    befriend,
    begin_next_match,
    end_match,
    get_match,
    leave,
    let_time_pass,
    list_seated,
    seat_all,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def host(players):
    return players[0]


@pytest.fixture
def open_as(host, fees):
    def open_changed(**changes):
        terms = {"game": "indian", "preset": "pool61", "seats": 3, **changes}
        return open_hosted_table(HostTerms(**terms), user_id=host.pk)

    return open_changed


# Tables of clubs: tests/players/clubs.
WITHOUT_A_CLUB = [admission for admission in Admission if admission != Admission.CLUB]


class TestAdmission:
    def test_only_friends_of_the_host_sit_at_a_table_of_friends(self, open_as, players):
        host, friend, follower, stranger = players
        table = open_as(admission=Admission.FRIENDS)
        befriend(host, friend)
        Follow.objects.create(user=follower, followed=host)
        for other in (follower, stranger):
            with refused(FRIENDS_ONLY):
                seat_all(table, other)
            with refused(FRIENDS_ONLY):
                join_queue(table_id=table.pk, user_id=other.pk, invite=table.invite_code)
        with pytest.raises(InvitationNeeded):
            seat_all(table, friend, invite="")
        seat_all(table, friend)
        assert list_seated(table) == [host.pk, friend.pk]
        assert not QueuePlace.objects.exists()

    def test_friends_of_the_new_host_may_sit(self, open_as, players):
        host, friend, other, _stranger = players
        table = open_as(admission=Admission.FRIENDS)
        befriend(host, friend)
        befriend(friend, other)
        seat_all(table, friend)
        with refused(FRIENDS_ONLY):
            seat_all(table, other)
        pass_on(table_id=table.pk, user_id=host.pk, to_user_id=friend.pk)
        seat_all(table, other)

    def test_only_tables_with_a_link_admit_guests_without_an_account(self, open_as):
        tables = [open_as(admission=admission) for admission in WITHOUT_A_CLUB]
        closed = {table.admission for table in tables if not table.is_open_to_guests}
        assert closed == {Admission.FRIENDS}

    def test_a_listed_table_needs_no_link(self, open_as, players):
        table = open_as(admission=Admission.ANYBODY)
        seat_all(table, players[1], invite="")
        assert may_see(table_id=table.pk, user_id=None)

    @pytest.mark.parametrize("admission", WITHOUT_A_CLUB)
    @pytest.mark.parametrize("blocker", [0, 1])
    def test_a_block_keeps_away_as_if_there_were_no_table(
        self, open_as, players, admission, blocker
    ):
        host, other = players[:2]
        table = open_as(admission=admission)
        befriend(host, other)
        pair = (host, other) if blocker == 0 else (other, host)
        Block.objects.create(user=pair[0], blocked=pair[1])
        with pytest.raises(InvitationNeeded):
            seat_all(table, other)
        assert list_seated(table) == [host.pk]


class TestWatching:
    def begin(self, table, *players):
        seat_all(table, *players)
        start_table(table_id=table.pk, user_id=table.opened_by_id)
        let_time_pass(table)

    def test_a_player_who_has_left_no_longer_sees_the_game(self, open_as, players):
        _host, guest, third, _other = players
        table = open_as(allows_watchers=False, seats=4)
        self.begin(table, guest, third)
        leave(table, third)
        Seat.objects.filter(user=third).update(left_at="2026-01-01T00:00Z")
        assert require(snapshot_for(table_id=table.pk, user_id=third.pk)).state["game"] is None

    def test_anybody_watches_a_table_with_watchers(self, open_as, players, settings):
        settings.SPECTATOR_DELAY_SECONDS = 0
        table = open_as()
        self.begin(table, players[1])
        assert require(snapshot_for(table_id=table.pk, user_id=None)).state["game"] is not None


@pytest.mark.parametrize("allows", [True, False])
def test_only_a_table_with_chat_shows_its_form(open_as, host, client, allows):
    table = open_as(allows_chat=allows)
    client.force_login(host)
    assert ('data-action="chat"' in client.get(f"/tables/{table.pk}/").text) == allows


class TestBots:
    def test_bots_come_with_the_start_and_go_with_the_end(self, open_as, players):
        host, guest = players[:2]
        table = open_as(preset="points", seats=4, fills_with_bots=True, bot_strength="easy")
        assert reload(table).bot_due_at is None
        assert (table.is_practice, table.bot_strength) == (False, "easy")
        seat_all(table, guest)
        assert list_seated(table) == [host.pk, guest.pk]
        start_table(table_id=table.pk, user_id=host.pk)
        let_time_pass(table)
        bots = {seat: p["user"] for seat, p in get_match(table).players.items() if p["bot"]}
        assert len(bots) == 2
        end_match(table)
        assert (reload(table).status, table.bot_seats) == (TableStatus.BETWEEN, [])
        again = begin_next_match(table)
        assert {s: p["user"] for s, p in again.players.items() if p["bot"]} == bots

    def test_a_host_plays_with_bots_until_a_friend_gets_their_chair(self, open_as, players):
        host, guest = players[:2]
        table = open_as(preset="points", seats=2, fills_with_bots=True)
        start_table(table_id=table.pk, user_id=host.pk)
        let_time_pass(table)
        end_match(table)
        assert reload(table).status == TableStatus.BETWEEN
        second = begin_next_match(table)
        assert [player["bot"] for player in second.players.values()] == [False, True]
        join_queue(table_id=table.pk, user_id=guest.pk, invite=table.invite_code)
        end_match(table)
        seat_all(table, guest)
        assert sorted(begin_next_match(table).participants) == [host.pk, guest.pk]
        assert Match.objects.count() == 3


def invite_path(user):
    return reverse("players:invite", args=[user.pk])


class TestPage:
    def company(self, table, player, invite=""):
        client = Client()
        if player is not None:
            client.force_login(player)
        return client.get(reverse("table_company", args=[table.pk]), {"invite": invite})

    def test_the_company_page_lists_players_invitations_and_friends_to_invite(
        self, open_as, players, client
    ):
        host, guest, friend, other = players
        table = open_as()
        befriend(host, friend)
        befriend(host, other)
        seat_all(table, guest)
        client.force_login(host)
        answer = client.post(invite_path(friend), {"table": table.pk, "back": "table"})
        assert answer.headers["Location"] == f"/tables/{table.pk}/"
        page = " ".join(self.company(table, host).text.split())
        assert "2 of 2 are ready" in page
        assert f"Invited: {friend.player_name}." in page
        assert page.count("Send away") == 1
        assert invite_path(other) in page
        assert invite_path(friend) not in page
        assert "Close the table for all" in page

    def test_a_guest_gets_none_of_the_hosts_tools(self, open_as, players):
        table = open_as()
        seat_all(table, players[1])
        for player in (players[1], players[2]):
            page = self.company(table, player, table.invite_code).text
            for tool in ("Send away", "Make host", "Close the table for all", "Another link"):
                assert tool not in page

    def test_strangers_get_no_company_page(self, open_as, players, make_table):
        table = open_as()
        assert self.company(table, players[1]).status_code == 404
        assert self.company(table, None, "wrong").status_code == 404
        assert self.company(table, None, table.invite_code).status_code == 200
        assert self.company(make_table(), players[1]).status_code == 404

    def test_the_company_page_leaves_the_session_alone(self, open_as, players):
        table = open_as()
        client = Client()
        answer = client.get(
            reverse("table_company", args=[table.pk]), {"invite": table.invite_code}
        )
        assert answer.status_code == 200
        assert settings.SESSION_COOKIE_NAME not in client.cookies
