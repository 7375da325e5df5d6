"""The company of a private table: who may come, watch and talk, and the bots that fill it up."""

import pytest
from django.test import Client
from django.urls import reverse

from tables.chat.moderation import Line
from tables.chat.services import say
from tables.live.delayed_view import snapshot_for
from tables.models import Admission, Block, Follow, Match, QueuePlace, Seat, TableStatus
from tables.play.reading import read_standing, snapshot
from tables.refusals import ChatIsOff, FriendsOnly, InvitationNeeded, TooFewPlayers
from tables.seating.hosting.private_tables import HostTerms, open_hosted_table
from tables.seating.hosting.services import pass_on, start_table
from tables.seating.queue import join_queue
from tables.seating.selectors import may_see
from tables.seating.sitting import leave_table, take_seat
from tests.given import reload, require
from tests.tables.driving import end_match, let_time_pass

pytestmark = pytest.mark.django_db


@pytest.fixture
def players(make_player):
    return [make_player() for _ in range(4)]


@pytest.fixture
def host(players):
    return players[0]


@pytest.fixture
def open_as(host, make_table):
    make_table()

    def open_changed(**changes):
        terms = {"game": "indian", "preset": "pool61", "seats": 3, **changes}
        return open_hosted_table(HostTerms(**terms), user_id=host.pk)

    return open_changed


def befriend(one, other):
    Follow.objects.create(user=one, followed=other)
    Follow.objects.create(user=other, followed=one)


def sit(table, *players, invite=None):
    code = table.invite_code if invite is None else invite
    for player in players:
        take_seat(table_id=table.pk, user_id=player.pk, amount=0, invite=code)


def list_seated(table):
    seats = Seat.objects.filter(table=table, left_at=None, user__is_bot=False)
    return sorted(seats.values_list("user", flat=True))


# Tables of clubs: tests/tables/players/clubs.
WITHOUT_A_CLUB = [admission for admission in Admission if admission != Admission.CLUB]


class TestAdmission:
    def test_friends_only_sit_and_wait(self, open_as, players):
        host, friend, follower, stranger = players
        table = open_as(admission=Admission.FRIENDS)
        befriend(host, friend)
        Follow.objects.create(user=follower, followed=host)
        for other in (follower, stranger):
            with pytest.raises(FriendsOnly):
                sit(table, other)
            with pytest.raises(FriendsOnly):
                join_queue(table_id=table.pk, user_id=other.pk, invite=table.invite_code)
        with pytest.raises(InvitationNeeded):
            sit(table, friend, invite="")
        sit(table, friend)
        assert list_seated(table) == [host.pk, friend.pk]
        assert not QueuePlace.objects.exists()

    def test_friends_of_the_new_host_come_too(self, open_as, players):
        host, friend, other, _stranger = players
        table = open_as(admission=Admission.FRIENDS)
        befriend(host, friend)
        befriend(friend, other)
        sit(table, friend)
        with pytest.raises(FriendsOnly):
            sit(table, other)
        pass_on(table_id=table.pk, user_id=host.pk, to_user_id=friend.pk)
        sit(table, other)

    def test_guests_without_an_account_come_by_the_link_alone(self, open_as):
        tables = [open_as(admission=admission) for admission in WITHOUT_A_CLUB]
        assert [(table.admission, table.is_open_to_guests) for table in tables] == [
            *((Admission.LINK, True), (Admission.FRIENDS, False), (Admission.ANYBODY, True)),
        ]

    def test_a_listed_table_needs_no_link(self, open_as, players):
        table = open_as(admission=Admission.ANYBODY)
        sit(table, players[1], invite="")
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
            sit(table, other)
        assert list_seated(table) == [host.pk]


class TestWatching:
    def begin(self, table, *players):
        sit(table, *players)
        start_table(table_id=table.pk, user_id=table.opened_by_id)
        let_time_pass(table)

    @pytest.mark.parametrize("seconds", [0, 15])
    def test_where_nobody_watches_the_game_goes_to_seats_alone(
        self, open_as, players, settings, seconds
    ):
        settings.SPECTATOR_DELAY_SECONDS = seconds
        host, guest, stranger, _other = players
        table = open_as(allows_watchers=False)
        self.begin(table, guest)
        for user_id in (stranger.pk, None):
            for read in (snapshot, snapshot_for):
                seen = require(read(table_id=table.pk, user_id=user_id))
                assert seen.state["game"] is None
                assert [seat["state"] for seat in seen.state["seats"]] == [
                    "playing",
                    "playing",
                    None,
                ]
            assert require(read_standing(table_id=table.pk, user_id=user_id)).may_watch is False
        for player in (host, guest):
            assert (
                require(snapshot_for(table_id=table.pk, user_id=player.pk)).state["game"]
                is not None
            )

    def test_who_leaves_sees_no_more(self, open_as, players):
        _host, guest, third, _other = players
        table = open_as(allows_watchers=False, seats=4)
        self.begin(table, guest, third)
        leave_table(table_id=table.pk, user_id=third.pk)
        Seat.objects.filter(user=third).update(left_at="2026-01-01T00:00Z")
        assert require(snapshot_for(table_id=table.pk, user_id=third.pk)).state["game"] is None

    def test_elsewhere_everybody_watches(self, open_as, players, settings):
        settings.SPECTATOR_DELAY_SECONDS = 0
        table = open_as()
        self.begin(table, players[1])
        assert require(snapshot_for(table_id=table.pk, user_id=None)).state["game"] is not None


class TestChat:
    def test_where_chat_is_off_nobody_says_anything(self, open_as, host):
        table = open_as(allows_chat=False)
        with pytest.raises(ChatIsOff):
            say(table_id=table.pk, user_id=host.pk, line=Line(text="Hello"))

    def test_the_page_has_no_chat_then(self, open_as, host, client, settings):
        settings.TABLES_AT_ONCE = 3
        client.force_login(host)
        pages = [
            client.get(f"/tables/{open_as(allows_chat=allows).pk}/").text
            for allows in (True, False)
        ]
        assert ['data-action="chat"' in page for page in pages] == [True, False]


class TestBots:
    def test_they_come_with_the_start_and_go_with_the_end(self, open_as, players):
        host, guest = players[:2]
        table = open_as(preset="points", seats=4, fills_with_bots=True, bot_strength="easy")
        table.refresh_from_db()
        assert (table.bot_due_at, table.is_practice, table.bot_strength) == (None, False, "easy")
        sit(table, guest)
        assert Seat.objects.filter(user__is_bot=True).count() == 0
        start_table(table_id=table.pk, user_id=host.pk)
        let_time_pass(table)
        first = Match.objects.get()
        bots = {seat: p["user"] for seat, p in first.players.items() if p["bot"]}
        assert len(bots) == 2
        end_match(table)
        assert (reload(table).status, table.bot_seats) == (TableStatus.BETWEEN, [])
        let_time_pass(table)
        again = Match.objects.latest("pk")
        assert {s: p["user"] for s, p in again.players.items() if p["bot"]} == bots

    def test_alone_the_host_plays_with_them_and_on(self, open_as, host):
        table = open_as(preset="points", seats=2, fills_with_bots=True)
        start_table(table_id=table.pk, user_id=host.pk)
        let_time_pass(table)
        end_match(table)
        assert reload(table).status == TableStatus.BETWEEN
        let_time_pass(table)
        assert Match.objects.count() == 2
        leave_table(table_id=table.pk, user_id=host.pk)
        end_match(table)
        assert not Seat.objects.filter(left_at=None).exists()

    def test_a_late_friend_gets_a_bots_chair_between_two_matches(self, open_as, players):
        host, guest = players[:2]
        table = open_as(preset="points", seats=2, fills_with_bots=True)
        start_table(table_id=table.pk, user_id=host.pk)
        let_time_pass(table)
        join_queue(table_id=table.pk, user_id=guest.pk, invite=table.invite_code)
        end_match(table)
        sit(table, guest)
        let_time_pass(table)
        assert sorted(Match.objects.latest("pk").participants) == [host.pk, guest.pk]

    def test_without_them_a_match_needs_two(self, open_as, host):
        table = open_as()
        with pytest.raises(TooFewPlayers):
            start_table(table_id=table.pk, user_id=host.pk)


def invite_path(user):
    return reverse("people:invite", args=[user.pk])


class TestPage:
    def company(self, table, player, invite=""):
        client = Client()
        if player is not None:
            client.force_login(player)
        return client.get(reverse("tables:company", args=[table.pk]), {"invite": invite})

    def test_it_says_who_is_there_whom_one_waits_for_and_whom_one_may_ask(self, open_as, players):
        host, guest, friend, other = players
        table = open_as()
        for one in (friend, other):
            befriend(host, one)
        sit(table, guest)
        client = Client()
        client.force_login(host)
        answer = client.post(invite_path(friend), {"table": table.pk, "back": "table"})
        assert answer.headers["Location"] == f"/tables/{table.pk}/"
        page = " ".join(self.company(table, host).text.split())
        assert "2 of 3 seats are taken." in page
        assert f"Invited: {friend.player_name}." in page
        assert page.count("Send away") == 1
        assert invite_path(other) in page
        assert invite_path(friend) not in page
        assert "Close the table" in page

    def test_a_guest_finds_no_tool_of_the_host(self, open_as, players):
        table = open_as()
        sit(table, players[1])
        for player in (players[1], players[2]):
            page = self.company(table, player, table.invite_code).text
            for tool in ("Send away", "Make host", "Close the table", "Another link"):
                assert tool not in page

    def test_strangers_find_nothing(self, open_as, players, make_table):
        table = open_as()
        assert self.company(table, players[1]).status_code == 404
        assert self.company(table, None, "wrong").status_code == 404
        assert self.company(table, None, table.invite_code).status_code == 200
        assert self.company(make_table(), players[1]).status_code == 404
