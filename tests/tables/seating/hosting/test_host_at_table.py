"""The start of a private table, and the tools of its host."""

from functools import partial

import pytest
from django.urls import reverse

from players.services import invite
from tables.models import Match, QueuePlace, Seat, SeatStatus, Table, TableStatus
from tables.play.bots import come_back
from tables.play.change import TableChange
from tables.play.reading import read_standing, snapshot
from tables.refusals import (
    HOST_STARTS,
    MATCH_RUNNING,
    NOT_THE_HOST,
    NOT_TO_YOU,
    REMOVED_FROM_TABLE,
    SENT_AWAY,
    TABLE_CLOSED,
    TOO_FEW_PLAYERS,
    InvitationNeeded,
    NotSeated,
    TableNotFound,
)
from tables.seating.closing import remove_player
from tables.seating.hosting.private_tables import open_private
from tables.seating.hosting.services import (
    close_own_table,
    pass_on,
    renew_link,
    send_away,
    start_table,
)
from tables.seating.queue import join_queue
from tables.seating.selectors import may_see
from tables.seating.supply import keep_supplied
from tests.accounts.staff import office
from tests.given import reload, require
from tests.refusals import kind_of, refused
from tests.tables.driving import (
    WELCOME,
    befriend,
    chips_of,
    end_match,
    leave,
    let_time_pass,
    list_seated,
    make_kind,
    seat_all,
    start_match,
)
from tests.together import names_of, run_at_once

pytestmark = pytest.mark.django_db


@pytest.fixture
def template(fees):
    return make_kind(preset="pool101", max_seats=3, entry_fee=100)


@pytest.fixture
def table(template, players):
    return open_private(template_id=template.pk, user_id=players[0].pk)


@pytest.fixture
def full(table, players):
    """The table with three players; its match is about to start."""
    sit(table, *players[:3])
    return table


def sit(table, *players):
    seat_all(table, *players)
    table.refresh_from_db()


def list_hosts(table):
    seen = require(snapshot(table_id=table.pk, user_id=None))
    return [chair["player"]["id"] for chair in seen.state["seats"] if chair.get("host")]


def expect_refusal(table, player, refusal):
    before = Table.objects.filter(pk=table.pk).values().get()
    with refused(refusal):
        start_table(table_id=table.pk, user_id=player.pk)
    assert Table.objects.filter(pk=table.pk).values().get() == before


def test_a_full_private_table_waits_for_its_host(table, players):
    sit(table, *players[:3])
    assert (table.status, table.deadline_at) == (TableStatus.WAITING, None)
    keep_supplied()
    assert reload(table).status == TableStatus.WAITING
    start_table(table_id=table.pk, user_id=players[0].pk)
    let_time_pass(table)
    assert len(Match.objects.get().players) == 3


def test_only_the_host_starts_a_table_that_is_not_full(table, players):
    host, guest, _friend, stranger = players
    sit(table, host)
    expect_refusal(table, host, TOO_FEW_PLAYERS)
    sit(table, guest)
    expect_refusal(table, guest, HOST_STARTS)
    expect_refusal(table, stranger, NotSeated)
    start_table(table_id=table.pk, user_id=host.pk)
    assert reload(table).status == TableStatus.STARTING
    expect_refusal(table, host, MATCH_RUNNING)
    let_time_pass(table)
    assert sorted(Match.objects.get().participants) == [host.pk, guest.pk]


def test_the_longest_seated_player_hosts_until_the_host_returns(table, players):
    host, guest, friend, _stranger = players
    sit(table, friend, host)
    assert list_hosts(table) == [host.pk]
    leave(table, host)
    sit(table, guest)
    assert list_hosts(table) == [friend.pk]
    expect_refusal(table, guest, HOST_STARTS)
    sit(table, host)
    assert list_hosts(table) == [host.pk]


def test_a_host_who_leaves_stops_the_start_and_the_next_player_hosts(full, players):
    host, guest, friend, _stranger = players
    start_table(table_id=full.pk, user_id=host.pk)
    assert reload(full).status == TableStatus.STARTING
    leave(full, host)
    assert (reload(full).status, full.deadline_at) == (TableStatus.WAITING, None)
    assert list_hosts(full) == [guest.pk]
    expect_refusal(full, host, NotSeated)
    start_table(table_id=full.pk, user_id=guest.pk)
    let_time_pass(full)
    assert sorted(Match.objects.get().participants) == [guest.pk, friend.pk]


def test_a_public_table_has_no_host(make_table, players):
    table = make_table()
    seat_all(table, *players[:2])
    assert list_hosts(table) == []
    expect_refusal(table, players[0], TableNotFound)


class TestPassingOn:
    def test_the_new_host_starts_and_the_old_one_does_not(self, table, players):
        host, guest, _friend, _stranger = players
        sit(table, host, guest)
        pass_on(table_id=table.pk, user_id=host.pk, to_user_id=guest.pk)
        assert list_hosts(table) == [guest.pk]
        expect_refusal(table, host, HOST_STARTS)
        start_table(table_id=table.pk, user_id=guest.pk)

    def test_the_role_returns_when_the_new_host_leaves(self, table, players):
        host, guest, friend, _stranger = players
        sit(table, friend, host, guest)
        pass_on(table_id=table.pk, user_id=host.pk, to_user_id=guest.pk)
        leave(table, guest)
        assert list_hosts(table) == [host.pk]

    def test_only_another_seated_player_becomes_host(self, table, players):
        host, guest, _friend, stranger = players
        sit(table, host, guest)
        for other in (host, stranger):
            with refused(NOT_TO_YOU):
                pass_on(table_id=table.pk, user_id=host.pk, to_user_id=other.pk)
        with refused(NOT_THE_HOST):
            pass_on(table_id=table.pk, user_id=guest.pk, to_user_id=guest.pk)
        assert list_hosts(table) == [host.pk]


class TestSendingAway:
    def test_a_player_sent_away_keeps_the_chips_and_cannot_return(self, table, players):
        host, guest, _friend, _stranger = players
        sit(table, host, guest)
        send_away(table_id=table.pk, user_id=host.pk, other_id=guest.pk)
        assert list_seated(table) == [host.pk]
        assert chips_of(guest) == WELCOME
        with refused(SENT_AWAY):
            sit(table, guest)
        with refused(SENT_AWAY):
            join_queue(table_id=table.pk, user_id=guest.pk, invite=table.invite_code)
        assert not may_see(table_id=table.pk, user_id=guest.pk, invite=table.invite_code)
        assert require(read_standing(table_id=table.pk, user_id=guest.pk)).may_watch is False

    def test_no_player_is_sent_away_and_no_table_closed_during_a_match(self, full, players):
        host, guest = players[:2]
        let_time_pass(full)
        with refused(MATCH_RUNNING):
            send_away(table_id=full.pk, user_id=host.pk, other_id=guest.pk)
        for player, refusal in ((host, MATCH_RUNNING), (guest, NOT_THE_HOST)):
            with refused(refusal):
                close_own_table(table_id=full.pk, user_id=player.pk)
        end_match(full)
        send_away(table_id=full.pk, user_id=host.pk, other_id=guest.pk)
        assert Seat.objects.get(user=guest).status == SeatStatus.LEFT

    def test_a_waiting_player_sent_away_loses_the_place(self, full, players):
        host, stranger = players[0], players[3]
        join_queue(table_id=full.pk, user_id=stranger.pk, invite=full.invite_code)
        send_away(table_id=full.pk, user_id=host.pk, other_id=stranger.pk)
        assert not QueuePlace.objects.exists()

    def test_only_the_host_sends_players_away(self, table, players):
        host, guest, friend, stranger = players
        sit(table, host, guest)
        for by, whom, refusal in (
            (guest, host, NOT_THE_HOST),
            (stranger, guest, NotSeated),
            (host, host, NOT_TO_YOU),
            (host, friend, NOT_TO_YOU),
        ):
            with refused(refusal):
                send_away(table_id=table.pk, user_id=by.pk, other_id=whom.pk)
        assert len(list_seated(table)) == 2

    def test_an_invitation_undoes_what_the_host_did_but_not_what_staff_did(self, table, players):
        host, guest = players[:2]
        befriend(host, guest)
        sit(table, host, guest)
        send_away(table_id=table.pk, user_id=host.pk, other_id=guest.pk)
        invite(user_id=host.pk, friend_id=guest.pk, table_id=table.pk)
        sit(table, guest)
        remove_player(table_id=table.pk, user_id=guest.pk)
        invite(user_id=host.pk, friend_id=guest.pk, table_id=table.pk)
        with refused(REMOVED_FROM_TABLE):
            sit(table, guest)


class TestLinkAndClosing:
    def test_a_new_link_shuts_out_holders_of_the_old_one(self, table, players):
        host, guest, friend, _stranger = players
        sit(table, host, guest)
        assert renew_link(table_id=table.pk, user_id=host.pk) != table.invite_code
        with pytest.raises(InvitationNeeded):
            seat_all(table, friend)
        assert not may_see(table_id=table.pk, user_id=friend.pk, invite=table.invite_code)
        assert may_see(table_id=table.pk, user_id=guest.pk)
        seat_all(reload(table), friend)

    def test_closing_a_table_returns_all_chips(self, full, players):
        host, stranger = players[0], players[3]
        join_queue(table_id=full.pk, user_id=stranger.pk, invite=full.invite_code)
        close_own_table(table_id=full.pk, user_id=host.pk)
        assert reload(full).status == TableStatus.CLOSED
        assert {chips_of(player) for player in players} == {WELCOME}
        assert not QueuePlace.objects.exists()
        with refused(TABLE_CLOSED):
            close_own_table(table_id=full.pk, user_id=host.pk)


class TestTheHostLeaves:
    def test_a_host_replaced_by_a_bot_hosts_again_after_returning(self, make_free, players):
        host, guest = players[:2]
        opened = make_free(max_seats=3, bots_take_over=True, opened_by_id=host.pk)
        start_match(opened, *players[:3])
        leave(opened, host)
        assert list_hosts(opened) == [guest.pk]
        come_back(table_id=opened.pk, user_id=host.pk)
        assert list_hosts(opened) == [host.pk]

    def test_the_next_player_hosts_at_once_during_a_match(self, full, players):
        host, guest, friend, _stranger = players
        let_time_pass(full)
        leave(full, host)
        assert Seat.objects.get(user=host).status == SeatStatus.LEAVING
        assert list_hosts(full) == [guest.pk]
        end_match(full)
        assert list_hosts(full) == [guest.pk]
        send_away(table_id=full.pk, user_id=guest.pk, other_id=friend.pk)

    def test_the_others_play_on_between_two_matches(self, full, players):
        host, guest = players[:2]
        let_time_pass(full)
        end_match(full)
        leave(full, host)
        assert (reload(full).status, list_hosts(full)) == (TableStatus.BETWEEN, [guest.pk])


class TestPages:
    @pytest.fixture
    def send(self, table):
        def send_as(player, name, other=None):
            client = office(player)
            data = {} if other is None else {"player": other.pk}
            return client.post(reverse(f"tables:{name}", args=[table.pk]), data)

        return send_as

    def test_the_pages_of_the_host_act_without_changing_the_terms(self, full, players, send):
        host, guest, friend, _stranger = players
        here = reverse("table", args=[full.pk])
        terms = "rules", "format", "entry_fee", "point_value", "max_seats", "rake_bps", "admission"
        code, before = full.invite_code, [getattr(full, name) for name in terms]
        assert send(host, "send_away", friend).url == here
        # The table was about to start.
        assert (reload(full).status, full.deadline_at) == (TableStatus.WAITING, None)
        assert send(host, "renew_link").url == here
        assert send(host, "pass_on", guest).url == here
        start_table(table_id=full.pk, user_id=guest.pk)
        assert (reload(full).sent_away, full.host_id) == ([friend.pk], guest.pk)
        assert full.status == TableStatus.STARTING
        assert full.invite_code != code
        # None of the host's acts changes the terms of the table.
        assert [getattr(full, name) for name in terms] == before
        assert send(guest, "close").url == "/"
        assert reload(full).status == TableStatus.CLOSED

    @pytest.mark.parametrize("name", ["pass_on", "send_away", "renew_link", "close"])
    def test_pages_of_the_host_do_nothing_for_others(self, table, players, send, name):
        host, guest, _friend, stranger = players
        sit(table, host, guest)
        before = Table.objects.filter(pk=table.pk).values().get()
        assert send(stranger, name, guest).status_code == 404
        send(guest, name, host)
        assert Table.objects.filter(pk=table.pk).values().get() == before

    def test_only_the_host_finds_make_host_on_a_players_card(self, table, players):
        host, guest, _friend, _stranger = players
        sit(table, host, guest)
        offers = [
            "Make host" in office(viewer).get(reverse("table_player", args=[table.pk, seat])).text
            for viewer, seat in ((host, 1), (host, 0), (guest, 0))
        ]
        assert offers == [True, False, False]


@pytest.mark.django_db(transaction=True)
class TestRaces:
    def test_concurrent_starts_begin_one_match(self, table, players):
        host = players[0]
        sit(table, *players[:2])
        results = run_at_once(*2 * [lambda: start_table(table_id=table.pk, user_id=host.pk)])
        assert names_of(results) == ["TableChange", "match_running"]
        let_time_pass(table)
        assert Match.objects.count() == 1

    def test_sending_away_stops_a_simultaneous_start(self, table, players):
        host, guest = players[:2]
        sit(table, host, guest)
        started, sent = run_at_once(
            lambda: start_table(table_id=table.pk, user_id=host.pk),
            lambda: send_away(table_id=table.pk, user_id=host.pk, other_id=guest.pk),
        )
        assert not isinstance(sent, Exception)
        assert reload(table).status == TableStatus.WAITING
        assert started is None or kind_of(started) in (TOO_FEW_PLAYERS, TableChange)
        assert len(list_seated(table)) == 1

    def test_a_simultaneous_start_counts_only_before_the_role_is_passed_on(self, table, players):
        host, guest = players[:2]
        sit(table, host, guest)
        passed, started = run_at_once(
            lambda: pass_on(table_id=table.pk, user_id=host.pk, to_user_id=guest.pk),
            lambda: start_table(table_id=table.pk, user_id=host.pk),
        )
        assert not isinstance(passed, Exception)
        was_started = not isinstance(started, Exception)
        assert was_started or kind_of(started) == HOST_STARTS
        assert (reload(table).status == TableStatus.STARTING) == was_started
        assert list_hosts(table) == [guest.pk]

    def test_the_role_is_passed_on_only_once(self, full, players):
        host, guest, friend, _stranger = players
        results = run_at_once(
            *(
                partial(pass_on, table_id=full.pk, user_id=host.pk, to_user_id=to.pk)
                for to in (guest, friend)
            )
        )
        refusals = [kind_of(result) for result in results if isinstance(result, Exception)]
        assert refusals == [NOT_THE_HOST]
        assert len(list_hosts(full)) == 1

    def test_a_player_who_leaves_while_sent_away_gets_the_chips_once(self, table, players):
        host, guest = players[:2]
        sit(table, host, guest)
        results = run_at_once(
            lambda: leave(table, guest),
            lambda: send_away(table_id=table.pk, user_id=host.pk, other_id=guest.pk),
        )
        refusals = [kind_of(one) for one in results if isinstance(one, Exception)]
        assert refusals in ([NotSeated], [NOT_TO_YOU])
        assert chips_of(guest) == WELCOME
