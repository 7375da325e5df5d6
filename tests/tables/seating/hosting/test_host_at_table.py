"""A host's decisions at a private table, the host's leaving in each state, and presses at one moment."""

from datetime import timedelta

import pytest
from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse

from tables.models import Match, QueuePlace, Seat, SeatStatus, Table, TableStatus
from tables.play.change import Change
from tables.play.reading import read_standing
from tables.play.stand_ins import come_back
from tables.players.services import follow, invite
from tables.refusals import (
    InvitationNeeded,
    MatchRunning,
    NotSeated,
    NotTheHost,
    NotToYou,
    RemovedFromTable,
    SentAway,
    TableClosed,
    TooFewPlayers,
)
from tables.seating.closing import remove_player
from tables.seating.hosting.services import (
    close_own_table,
    pass_on,
    renew_link,
    send_away,
    start_table,
)
from tables.seating.queue import join_queue
from tables.seating.selectors import may_see
from tables.seating.sitting import leave_table, take_seat
from tables.seating.supply import keep_supplied
from tests.given import reload, require
from tests.tables.driving import end_match, let_time_pass
from tests.tables.seating.hosting.test_services import (
    expect_refusal,
    hosts_at,
    players,
    sit,
    table,
    template,
)
from tests.together import names_of, run_at_once
from wallet.ledger.balances import get_player_balances

__all__ = ["players", "table", "template"]
pytestmark = pytest.mark.django_db


class TestPassingOn:
    def test_the_new_host_starts_and_the_old_one_does_not(self, table, players):
        host, guest, _friend, _stranger = players
        sit(table, host, guest)
        pass_on(table_id=table.pk, user_id=host.pk, to_user_id=guest.pk)
        assert hosts_at(table) == [guest.pk]
        expect_refusal(table, host, NotTheHost)
        start_table(table_id=table.pk, user_id=guest.pk)

    def test_the_role_comes_back_when_the_new_host_leaves(self, table, players):
        host, guest, friend, _stranger = players
        sit(table, friend, host, guest)
        pass_on(table_id=table.pk, user_id=host.pk, to_user_id=guest.pk)
        leave_table(table_id=table.pk, user_id=guest.pk)
        assert hosts_at(table) == [host.pk]

    def test_only_to_another_person_at_the_table(self, table, players):
        host, guest, _friend, stranger = players
        sit(table, host, guest)
        for other in (host, stranger):
            with pytest.raises(NotToYou):
                pass_on(table_id=table.pk, user_id=host.pk, to_user_id=other.pk)
        with pytest.raises(NotTheHost):
            pass_on(table_id=table.pk, user_id=guest.pk, to_user_id=guest.pk)
        assert hosts_at(table) == [host.pk]


class TestSendingAway:
    def test_the_player_goes_with_their_chips_and_does_not_come_back(self, table, players):
        host, guest, _friend, _stranger = players
        sit(table, host, guest)
        send_away(table_id=table.pk, user_id=host.pk, other_id=guest.pk)
        assert Seat.objects.filter(table=table, left_at=None).get().user_id == host.pk
        assert get_player_balances(guest.pk).chips == 10_000
        with pytest.raises(SentAway):
            sit(table, guest)
        with pytest.raises(SentAway):
            join_queue(table_id=table.pk, user_id=guest.pk, invite=table.invite_code)
        assert not may_see(table_id=table.pk, user_id=guest.pk, invite=table.invite_code)
        assert require(read_standing(table_id=table.pk, user_id=guest.pk)).may_watch is False

    def test_it_stops_the_start_of_a_full_table(self, table, players):
        host, guest, friend, _stranger = players
        sit(table, host, guest, friend)
        assert table.status == TableStatus.STARTING
        send_away(table_id=table.pk, user_id=host.pk, other_id=guest.pk)
        assert (reload(table).status, table.deadline_at) == (TableStatus.WAITING, None)

    def test_nobody_is_thrown_out_of_a_match(self, table, players):
        host, guest, friend, _stranger = players
        sit(table, host, guest, friend)
        let_time_pass(table)
        with pytest.raises(MatchRunning):
            send_away(table_id=table.pk, user_id=host.pk, other_id=guest.pk)
        end_match(table)
        send_away(table_id=table.pk, user_id=host.pk, other_id=guest.pk)
        assert Seat.objects.get(user=guest).status == SeatStatus.LEFT

    def test_one_who_waits_loses_the_place(self, table, players):
        host, guest, friend, stranger = players
        sit(table, host, guest, friend)
        join_queue(table_id=table.pk, user_id=stranger.pk, invite=table.invite_code)
        send_away(table_id=table.pk, user_id=host.pk, other_id=stranger.pk)
        assert not QueuePlace.objects.exists()

    def test_nobody_else_sends_anybody_away(self, table, players):
        host, guest, friend, stranger = players
        sit(table, host, guest)
        for by, whom, refusal in (
            (guest, host, NotTheHost),
            (stranger, guest, NotSeated),
            (host, host, NotToYou),
            (host, friend, NotToYou),
        ):
            with pytest.raises(refusal):
                send_away(table_id=table.pk, user_id=by.pk, other_id=whom.pk)
        assert Seat.objects.filter(table=table, left_at=None).count() == 2

    def test_an_invitation_of_the_host_lets_a_friend_back(self, table, players):
        host, guest, _friend, _stranger = players
        for one, other in ((host, guest), (guest, host)):
            follow(user_id=one.pk, other_id=other.pk)
        sit(table, host, guest)
        send_away(table_id=table.pk, user_id=host.pk, other_id=guest.pk)
        invite(user_id=host.pk, friend_id=guest.pk, table_id=table.pk)
        sit(table, guest)

    def test_what_staff_have_done_the_host_does_not_undo(self, table, players):
        host, guest, _friend, _stranger = players
        for one, other in ((host, guest), (guest, host)):
            follow(user_id=one.pk, other_id=other.pk)
        sit(table, host, guest)
        remove_player(table_id=table.pk, user_id=guest.pk)
        invite(user_id=host.pk, friend_id=guest.pk, table_id=table.pk)
        with pytest.raises(RemovedFromTable):
            sit(table, guest)


class TestLinkAndClosing:
    def test_another_link_shuts_out_who_has_the_old_one(self, table, players):
        host, guest, friend, _stranger = players
        sit(table, host, guest)
        code = renew_link(table_id=table.pk, user_id=host.pk)
        assert code != table.invite_code
        with pytest.raises(InvitationNeeded):
            sit(table, friend)
        assert not may_see(table_id=table.pk, user_id=friend.pk, invite=table.invite_code)
        assert may_see(table_id=table.pk, user_id=guest.pk)
        table.refresh_from_db()
        sit(table, friend)

    def test_closing_gives_everybody_their_chips_back(self, table, players):
        host, guest, friend, stranger = players
        sit(table, host, guest, friend)
        join_queue(table_id=table.pk, user_id=stranger.pk, invite=table.invite_code)
        close_own_table(table_id=table.pk, user_id=host.pk)
        assert reload(table).status == TableStatus.CLOSED
        assert {get_player_balances(player.pk).chips for player in players} == {10_000}
        assert not QueuePlace.objects.exists()
        with pytest.raises(TableClosed):
            close_own_table(table_id=table.pk, user_id=host.pk)

    def test_a_running_match_is_not_closed(self, table, players):
        host, guest, friend, _stranger = players
        sit(table, host, guest, friend)
        let_time_pass(table)
        with pytest.raises(MatchRunning):
            close_own_table(table_id=table.pk, user_id=host.pk)
        with pytest.raises(NotTheHost):
            close_own_table(table_id=table.pk, user_id=guest.pk)


class TestTheHostLeaves:
    """Whatever state the table is in, somebody who is there hosts it, or it closes."""

    def test_while_all_wait_the_next_one_hosts_and_starts(self, table, players):
        host, guest, friend, _stranger = players
        sit(table, host, guest, friend)
        leave_table(table_id=table.pk, user_id=host.pk)
        assert hosts_at(table) == [guest.pk]
        expect_refusal(table, host, NotSeated)
        start_table(table_id=table.pk, user_id=guest.pk)

    def test_after_start_was_pressed_one_alone_waits_again_and_hosts(self, table, players):
        host, guest, friend, _stranger = players
        sit(table, host, guest)
        start_table(table_id=table.pk, user_id=host.pk)
        leave_table(table_id=table.pk, user_id=host.pk)
        assert (reload(table).status, hosts_at(table)) == (TableStatus.WAITING, [guest.pk])
        assert not Match.objects.filter(table=table).exists()
        sit(table, friend)
        start_table(table_id=table.pk, user_id=guest.pk)

    def test_the_host_for_whom_a_bot_plays_hosts_again_when_they_are_back(
        self, make_table, make_player
    ):
        host, guest, friend = (make_player() for _ in range(3))
        free = {"point_value": 0, "entry_fee": 0, "invite_code": "abcdefghijkl"}
        opened = make_table(max_seats=3, bots_take_over=True, opened_by_id=host.pk, **free)
        for player in (host, guest, friend):
            take_seat(table_id=opened.pk, user_id=player.pk, amount=0, invite=opened.invite_code)
        let_time_pass(opened)
        leave_table(table_id=opened.pk, user_id=host.pk)
        assert hosts_at(opened) == [guest.pk]
        come_back(table_id=opened.pk, user_id=host.pk)
        assert hosts_at(opened) == [host.pk]

    def test_in_a_match_the_next_one_hosts_at_once(self, table, players):
        host, guest, friend, _stranger = players
        sit(table, host, guest, friend)
        let_time_pass(table)
        leave_table(table_id=table.pk, user_id=host.pk)
        assert Seat.objects.get(user=host).status == SeatStatus.LEAVING
        assert hosts_at(table) == [guest.pk]
        end_match(table)
        assert hosts_at(table) == [guest.pk]
        send_away(table_id=table.pk, user_id=guest.pk, other_id=friend.pk)

    def test_between_two_matches_it_goes_on_without_them(self, table, players):
        host, guest, friend, _stranger = players
        sit(table, host, guest, friend)
        let_time_pass(table)
        end_match(table)
        leave_table(table_id=table.pk, user_id=host.pk)
        assert (reload(table).status, hosts_at(table)) == (TableStatus.BETWEEN, [guest.pk])

    def test_a_table_that_all_have_left_is_closed(self, table, players):
        sit(table, *players[:2])
        for player in players[:2]:
            leave_table(table_id=table.pk, user_id=player.pk)
        assert hosts_at(table) == []
        Table.objects.filter(pk=table.pk).update(created_at=Now() - timedelta(minutes=16))
        keep_supplied()
        assert reload(table).status == TableStatus.CLOSED


class TestPages:
    """The texts that a page of the table sends."""

    @pytest.fixture
    def send(self, table):
        def send_as(player, name, other=None):
            client = Client()
            client.force_login(player)
            data = {} if other is None else {"player": other.pk}
            return client.post(reverse(f"tables:{name}", args=[table.pk]), data)

        return send_as

    def test_the_host_acts_and_comes_back(self, table, players, send):
        host, guest, friend, _stranger = players
        sit(table, host, guest, friend)
        here = reverse("tables:table", args=[table.pk])
        code = table.invite_code
        terms = (
            "rules",
            "format",
            "entry_fee",
            "point_value",
            "max_seats",
            "rake_bps",
            "admission",
        )
        before = [getattr(table, name) for name in terms]
        assert send(host, "send_away", friend).url == here
        assert send(host, "renew_link").url == here
        assert send(host, "pass_on", guest).url == here
        assert (reload(table).sent_away, table.host_id) == ([friend.pk], guest.pk)
        assert table.invite_code != code
        # Nothing that a host does changes the terms on which the others have sat down.
        assert [getattr(table, name) for name in terms] == before
        assert send(guest, "close").url == "/"
        assert reload(table).status == TableStatus.CLOSED

    @pytest.mark.parametrize("name", ["start", "pass_on", "send_away", "renew_link", "close"])
    def test_for_a_stranger_there_is_no_such_table(self, table, players, send, name):
        host, guest, _friend, stranger = players
        sit(table, host, guest)
        before = Table.objects.filter(pk=table.pk).values().get()
        assert send(stranger, name, guest).status_code == 404
        send(guest, name, host)
        assert Table.objects.filter(pk=table.pk).values().get() == before

    def test_the_card_of_a_player_has_the_role_to_pass_on(self, table, players):
        host, guest, _friend, _stranger = players
        sit(table, host, guest)
        offers = []
        for viewer, seat in ((host, 1), (host, 0), (guest, 0)):
            client = Client()
            client.force_login(viewer)
            page = client.get(reverse("tables:player", args=[table.pk, seat])).text
            offers.append("Make host" in page)
        assert offers == [True, False, False]


@pytest.mark.django_db(transaction=True)
class TestRaces:
    """Of two presses at one moment the second finds what the first has done."""

    def test_two_starts_are_one(self, table, players):
        host, guest, _friend, _stranger = players
        sit(table, host, guest)
        results = run_at_once(*2 * [lambda: start_table(table_id=table.pk, user_id=host.pk)])
        assert names_of(results) == ["Change", "MatchRunning"]
        let_time_pass(table)
        assert Match.objects.count() == 1

    def test_start_and_send_away(self, table, players):
        host, guest, _friend, _stranger = players
        sit(table, host, guest)
        started, sent = run_at_once(
            lambda: start_table(table_id=table.pk, user_id=host.pk),
            lambda: send_away(table_id=table.pk, user_id=host.pk, other_id=guest.pk),
        )
        table.refresh_from_db()
        assert not isinstance(sent, Exception)
        assert table.status == TableStatus.WAITING
        assert started is None or isinstance(started, TooFewPlayers | Change)
        assert Seat.objects.filter(table=table, left_at=None).count() == 1

    def test_pass_on_and_start(self, table, players):
        host, guest, _friend, _stranger = players
        sit(table, host, guest)
        passed, started = run_at_once(
            lambda: pass_on(table_id=table.pk, user_id=host.pk, to_user_id=guest.pk),
            lambda: start_table(table_id=table.pk, user_id=host.pk),
        )
        assert not isinstance(passed, Exception)
        table.refresh_from_db()
        was_started = not isinstance(started, Exception)
        assert was_started or isinstance(started, NotTheHost)
        assert (table.status == TableStatus.STARTING) == was_started
        assert hosts_at(table) == [guest.pk]

    def test_two_hosts_pass_on_and_take_back(self, table, players):
        host, guest, friend, _stranger = players
        sit(table, host, guest, friend)
        results = run_at_once(
            *[
                lambda to=to: pass_on(table_id=table.pk, user_id=host.pk, to_user_id=to.pk)
                for to in (guest, friend)
            ]
        )
        refusals = [result for result in results if isinstance(result, Exception)]
        assert [type(refusal) for refusal in refusals] == [NotTheHost]
        assert len(hosts_at(table)) == 1

    def test_leaving_and_being_sent_away(self, table, players):
        host, guest, _friend, _stranger = players
        sit(table, host, guest)
        left, sent = run_at_once(
            lambda: leave_table(table_id=table.pk, user_id=guest.pk),
            lambda: send_away(table_id=table.pk, user_id=host.pk, other_id=guest.pk),
        )
        refusals = [type(one) for one in (left, sent) if isinstance(one, Exception)]
        assert refusals in ([NotSeated], [NotToYou])
        assert get_player_balances(guest.pk).chips == 10_000
