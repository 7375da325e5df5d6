"""Tables closed by staff, and players removed by staff."""

import pytest

from accounts.desk.staff_roles import Role
from core.models import OutgoingEmail
from core.models.audit import AuditEntry
from core.refusals import Refusal
from lobby.selectors import list_lobby_tables
from tables.live.clock import act_on_table
from tables.models import Match, MatchStatus, QueuePlace, Seat, SeatStatus, Table, TableStatus
from tables.play.cancelling import cancel_match
from tables.refusals import (
    CLOSING_REASON_MISSING,
    ONLY_PEOPLE,
    REMOVED_FROM_TABLE,
    SEATS_ARE_ARRANGED,
    TABLE_CLOSED,
    TABLE_CLOSING,
    NotSeated,
)
from tables.seating.closing import close_after_match, close_now, remove_player
from tables.seating.queue import join_queue, maintain_queue
from tables.seating.sitting import take_seat
from tables.seating.supply import play_now
from tests.accounts.staff import member, office
from tests.given import reload
from tests.refusals import refused
from tests.tables.driving import (
    BUY_IN,
    WELCOME,
    act,
    begin_match,
    chips_of,
    drop,
    game_view,
    leave,
    let_time_pass,
    list_seated,
    make_kind,
    player_at,
    seat_a_bot,
    seat_all,
    start_match,
)
from tests.tables.pools import FEE, pot_of
from tests.together import names_of, run_at_once
from wallet.ledger.balances import compute_spendable
from wallet.money import Currency

pytestmark = pytest.mark.django_db
# R7.2: a first drop costs 20 points of one chip; a tenth of them is the service fee.
LOST, WON = WELCOME - 20, WELCOME + 18


def close_after(table):
    return close_after_match(table_id=table.pk, staff_id=1)


def close_at_once(table, reason="Bad weather."):
    return close_now(table_id=table.pk, reason=reason, staff_id=1)


def remove(table, user):
    return remove_player(table_id=table.pk, user_id=user.pk)


def assert_closed(table):
    assert (reload(table).status, table.due_at, table.bot_seats) == (TableStatus.CLOSED, None, [])
    assert table.closed_at is not None
    assert list_seated(table) == []
    assert not QueuePlace.objects.filter(table=table).exists()


def get_turn_and_other(table):
    """Return the current player and the other one."""
    turn = game_view(table)["turn"]
    return player_at(table, turn), player_at(table, 1 - turn)


class TestAfterTheMatch:
    def test_the_match_is_played_and_paid_before_the_table_closes(self, table):
        assert [e["kind"] for e in close_after(table).events] == ["closing"]
        assert reload(table).status == TableStatus.PLAYING
        assert Match.objects.get().status == MatchStatus.RUNNING
        loser, winner = get_turn_and_other(table)
        step = act(table, game_view(table)["turn"], kind="drop").changes[-1]
        assert [event["kind"] for event in step.events][-2:] == ["settled", "closed"]
        assert step.patch["table"]["status"] == "closed"
        assert Match.objects.get().status == MatchStatus.FINISHED
        assert_closed(table)
        assert (chips_of(loser), chips_of(winner)) == (LOST, WON)
        assert act_on_table(table.pk) is None
        assert Match.objects.count() == 1

    def test_nobody_sits_or_queues_at_a_closing_table(self, table, make_player):
        waiting = make_player()
        join_queue(table_id=table.pk, user_id=waiting.pk)
        close_after(table)
        assert not QueuePlace.objects.exists()
        with refused(TABLE_CLOSING):
            seat_all(table, waiting)
        with refused(TABLE_CLOSING):
            join_queue(table_id=table.pk, user_id=waiting.pk)
        assert (len(list_seated(table)), chips_of(waiting)) == (2, WELCOME)
        assert maintain_queue(table.pk) == []
        assert table.pk not in [entry.table.pk for entry in list_lobby_tables().entries]

    def test_a_closing_table_releases_the_stack_of_a_kept_chair(self, make_table, players):
        one, other, third, waiting = players
        table = start_match(make_table(max_seats=3), one, other)
        seat_all(table, third)
        join_queue(table_id=table.pk, user_id=waiting.pk)
        leave(table, third)
        assert len(maintain_queue(table.pk)) == 1
        assert compute_spendable(waiting.pk, Currency.CHIPS) == WELCOME - 80
        close_after(table)
        assert compute_spendable(waiting.pk, Currency.CHIPS) == WELCOME

    def test_a_cancelled_match_closes_the_table_as_well(self, make_table, players):
        table = make_table(preset="pool101", entry_fee=FEE)
        match = begin_match(table, *players[:2])
        close_after(table)
        cancel_match(match_id=match.pk, reason="The deck was wrong.", staff_id=1)
        assert_closed(table)
        assert [chips_of(player) for player in players] == [WELCOME] * 4

    def test_a_table_without_a_match_closes_at_once(self, make_table, make_player):
        table, player = make_table(), make_player()
        seat_all(table, player)
        assert [e["kind"] for e in close_after(table).events] == ["closed"]
        assert_closed(table)
        assert chips_of(player) == WELCOME
        with refused(TABLE_CLOSED):
            close_after(table)

    def test_a_table_between_two_matches_closes_at_once(self, table):
        players = get_turn_and_other(table)
        drop(table)
        assert reload(table).status == TableStatus.BETWEEN
        close_after(table)
        assert_closed(table)
        assert [chips_of(player) for player in players] == [LOST, WON]
        assert act_on_table(table.pk) is None
        assert Match.objects.count() == 1

    def test_play_now_opens_another_table_beside_a_closing_one(self, players, fees):
        template = make_kind(name="Tamarind Room")
        one, two, other, _fourth = players
        play_now(template_id=template.pk, user_id=one.pk)
        table = Table.objects.get(template=template)
        play_now(template_id=template.pk, user_id=two.pk)
        let_time_pass(table)
        close_after(table)
        play_now(template_id=template.pk, user_id=other.pk)
        assert Seat.objects.get(user=other).table_id != table.pk

    def test_a_table_of_an_event_is_not_closed_by_staff(self, table):
        Table.objects.filter(pk=table.pk).update(event_url="/tournaments/1/")
        version, someone = reload(table).version, player_at(table, 0)
        for attempt in (close_after, close_at_once, lambda table: remove(table, someone)):
            with refused(SEATS_ARE_ARRANGED):
                attempt(table)
        assert (reload(table).version, table.closing_at, table.removed) == (
            *(version, None),
            None,
        )


class TestNow:
    def test_closing_at_once_cancels_a_match_and_returns_the_fees(self, make_table, players):
        table = make_table(preset="pool101", entry_fee=FEE, max_seats=3)
        match = begin_match(table, *players[:3])
        close_at_once(table)
        assert_closed(table)
        assert reload(match).status == MatchStatus.CANCELLED
        assert match.cancelled_for == "Bad weather."
        assert pot_of(match) == 0
        assert [chips_of(player) for player in players] == [WELCOME] * 4

    def test_closing_a_running_match_needs_a_reason(self, table, make_table):
        with refused(CLOSING_REASON_MISSING):
            close_at_once(table, reason=" ")
        assert reload(table).status == TableStatus.PLAYING
        idle = make_table()
        close_at_once(idle)
        assert_closed(idle)


class TestRemoving:
    def test_a_removed_player_drops_and_gets_the_rest_back(self, table):
        out, other = get_turn_and_other(table)
        remove(table, out)
        # The drop ended the match of two players.
        assert chips_of(out) == LOST
        assert (reload(table).status, table.removed) == (TableStatus.WAITING, [out.pk])
        close_at_once(table)
        assert chips_of(other) == WON

    def test_two_of_three_play_on_when_the_third_is_removed(self, make_table, players):
        table = start_match(make_table(max_seats=3), *players[:3])
        out = player_at(table, (game_view(table)["turn"] + 1) % 3)
        for _attempt in range(2):  # the second time changes nothing
            remove(table, out)
            assert reload(table).status == TableStatus.PLAYING
            assert Seat.objects.get(user=out).status == SeatStatus.LEAVING
        drop(table)
        assert Seat.objects.get(user=out).status == SeatStatus.LEFT
        assert chips_of(out) == LOST

    def test_a_removed_waiting_player_gets_the_stack_back_and_cannot_return(
        self, make_table, make_player
    ):
        table, out, other = make_table(), make_player(), make_player()
        seat_all(table, out, other)
        remove(table, out)
        assert chips_of(out) == WELCOME
        mail = OutgoingEmail.objects.get()
        assert mail.user == out
        assert "Peepal Room" in mail.text
        with refused(REMOVED_FROM_TABLE):
            seat_all(table, out)
        with refused(REMOVED_FROM_TABLE):
            join_queue(table_id=table.pk, user_id=out.pk)
        assert chips_of(out) == WELCOME
        assert reload(table).status == TableStatus.WAITING
        # Other tables admit the player.
        seat_all(make_table(), out)

    def test_a_removed_player_loses_the_place_in_the_queue(self, table, make_player):
        out = make_player()
        join_queue(table_id=table.pk, user_id=out.pk)
        remove(table, out)
        assert not QueuePlace.objects.exists()
        with refused(REMOVED_FROM_TABLE):
            join_queue(table_id=table.pk, user_id=out.pk)

    def test_neither_strangers_nor_bots_are_removed(self, make_table, make_player):
        table = make_table(bots_wanted=1)
        seat_all(table, make_player())
        seat_a_bot(table)
        bot = Seat.objects.get(user__is_bot=True).user
        for user, refusal in ((make_player(), NotSeated), (bot, ONLY_PEOPLE)):
            with refused(refusal):
                remove(table, user)
        assert reload(table).removed is None
        assert len(list_seated(table)) == 2


class TestDesk:
    def page(self, table):
        return f"/admin/tables/table/{table.pk}/"

    def decide(self, desk, table, decision, reason="Cheats."):
        form = {"decision": decision, "reason": reason}
        return desk.post(f"{self.page(table)}decide/", form, follow=True).text

    def test_each_role_gets_its_own_buttons(self, table):
        pages = [
            office(member(role)).get(f"{self.page(table)}change/").text
            for role in (Role.GAMES, Role.SUPPORT, Role.FINANCE)
        ]
        assert ['value="close_now"' in text for text in pages] == [True, False, False]
        removes = f'value="remove:{player_at(table, 0).pk}"'
        assert [removes in text for text in pages] == [True, True, False]

    def test_staff_close_with_a_reason_as_their_role_allows(self, table):
        desk = office(member(Role.GAMES))
        assert "Write a reason" in self.decide(desk, table, "close_after", reason=" ")
        assert reload(table).closing_at is None
        self.decide(desk, table, "close_after", reason="The season ends.")
        assert reload(table).closing_at is not None
        entry = AuditEntry.objects.get()
        assert (entry.action, entry.reason) == ("close_after", "The season ends.")
        assert "closing_at" in entry.after
        # Support may not close tables.
        other = office(member(Role.SUPPORT))
        assert "Nothing was done" in self.decide(other, table, "close_now")
        assert reload(table).status == TableStatus.PLAYING
        self.decide(other, table, f"remove:{player_at(table, 0).pk}")
        # The drop ended the match, so the table closed.
        assert reload(table).status == TableStatus.CLOSED
        assert AuditEntry.objects.count() == 2

    def test_staff_close_several_tables_with_one_reason(self, table, make_table):
        idle, arranged = make_table(), make_table()
        Table.objects.filter(pk=arranged.pk).update(event_url="/tournaments/1/")
        desk = office(member(Role.GAMES))
        tables = (table, idle, arranged)
        form = {
            "action": "close_after_their_match",
            "_selected_action": [table.pk for table in tables],
        }
        assert "Write a reason" in desk.post("/admin/tables/table/", form, follow=True).text
        form["reason_for_audit"] = "Server moves."
        page = desk.post("/admin/tables/table/", form, follow=True).text
        assert page.count(" closes after its match") == 2
        assert str(Refusal(SEATS_ARE_ARRANGED)) in page
        status = [reload(table).status for table in tables]
        assert status == [TableStatus.PLAYING, TableStatus.CLOSED, TableStatus.WAITING]
        entries = AuditEntry.objects.values_list("action", "object_id", "reason")
        assert sorted(entries) == sorted(
            ("close_after", str(table.pk), "Server moves.") for table in (table, idle)
        )


@pytest.mark.django_db(transaction=True)
class TestRaces:
    def test_a_player_who_sits_down_while_the_table_closes_keeps_the_chips(
        self, make_table, make_player
    ):
        table, player = make_table(), make_player()
        results = run_at_once(
            lambda: take_seat(table_id=table.pk, user_id=player.pk, amount=BUY_IN),
            lambda: close_after(table),
        )
        assert names_of(results) in (
            ["TableChange", "TableChange"],
            ["TableChange", "table_closed"],
        )
        assert_closed(table)
        assert chips_of(player) == WELCOME

    def test_a_last_move_while_the_table_closes_is_paid_or_undone(self, table):
        players, seat = get_turn_and_other(table), game_view(table)["turn"]
        run_at_once(lambda: act(table, seat, kind="drop"), lambda: close_at_once(table))
        assert_closed(table)
        # The first act is final: the drop is paid, or the match is cancelled.
        assert [chips_of(player) for player in players] in ([LOST, WON], [WELCOME, WELCOME])
        assert Match.objects.exclude(status=MatchStatus.RUNNING).count() == 1

    def test_a_table_closed_twice_at_once_returns_the_chips_once(self, table):
        players = get_turn_and_other(table)
        results = run_at_once(lambda: close_at_once(table), lambda: close_at_once(table))
        assert names_of(results) == ["TableChange", "table_closed"]
        assert_closed(table)
        assert [chips_of(player) for player in players] == [WELCOME] * 2
