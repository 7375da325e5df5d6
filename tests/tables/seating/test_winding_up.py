"""Staff close tables and stand players up: everybody has exactly what is theirs, and nobody comes in
behind it."""

import pytest
from django.db.models.functions import Now

from accounts.desk.staff_roles import Role
from core.models import OutgoingEmail
from core.models.audit import AuditEntry
from tables.live.clock import act_on_table
from tables.lobby.selectors import list_lobby_tables
from tables.models import (
    Match,
    MatchStatus,
    QueuePlace,
    Seat,
    SeatStatus,
    Table,
    TableStatus,
)
from tables.refusals import (
    NotSeated,
    OnlyPeople,
    ReasonMissing,
    RemovedFromTable,
    SeatsAreArranged,
    TableClosed,
    TableClosing,
)
from tables.seating.closing import cancel_match, close_after_match, close_now, remove_player
from tables.seating.queue import join_queue, tend_queue
from tables.seating.sitting import leave_table, take_seat
from tables.seating.supply import play_now
from tests.accounts.staff import member, office
from tests.given import reload
from tests.tables.driving import (
    BUY_IN,
    act,
    game_view,
    hurry_to_the_end,
    let_time_pass,
    make_kind,
    player_at,
    seat_all,
    start_match,
)
from tests.tables.play.test_match_entry_fees import FEE, begin, chips_of, pot_of
from tests.together import names_of, run_at_once
from wallet.ledger.balances import compute_spendable
from wallet.money import Currency

pytestmark = pytest.mark.django_db
WELCOME = 10_000
# R7.2: a first drop costs 20 points of one chip; a tenth of them is the service fee.
LOST, WON = WELCOME - 20, WELCOME + 18


def wind_up_after_match(table):
    return close_after_match(table_id=table.pk, staff_id=1)


def wind_up_now(table, reason="Bad weather."):
    return close_now(table_id=table.pk, reason=reason, staff_id=1)


def remove(table, user):
    return remove_player(table_id=table.pk, user_id=user.pk)


def assert_closed(table):
    assert (reload(table).status, table.due_at, table.bot_seats) == (TableStatus.CLOSED, None, [])
    assert table.closed_at is not None
    assert not Seat.objects.filter(table=table, left_at__isnull=True).exists()
    assert not QueuePlace.objects.filter(table=table).exists()


class TestAfterTheMatch:
    def test_the_match_is_played_to_its_end_and_paid_and_then_everybody_goes_home(
        self, make_table, make_player
    ):
        table = start_match(make_table(), make_player(), make_player())
        assert [e["kind"] for e in wind_up_after_match(table).events] == ["closing"]
        table.refresh_from_db()
        assert (table.status, Match.objects.get().status) == ("PLAYING", MatchStatus.RUNNING)
        loser = player_at(table, game_view(table)["turn"])
        winner = Seat.objects.exclude(user=loser).get().user
        step = act(table, game_view(table)["turn"], kind="drop").changes[-1]
        assert [event["kind"] for event in step.events][-2:] == ["settled", "closed"]
        assert step.patch["table"]["status"] == "closed"
        assert Match.objects.get().status == MatchStatus.FINISHED
        assert_closed(table)
        assert (chips_of(loser), chips_of(winner)) == (LOST, WON)
        assert act_on_table(table.pk) is None
        assert Match.objects.count() == 1

    def test_a_pot_is_paid_too(self, make_table, make_player):
        table = make_table(preset="deals2", entry_fee=FEE, max_seats=2)
        players = [make_player(), make_player()]
        match = begin(table, *players)
        wind_up_after_match(table)
        hurry_to_the_end(table)
        assert_closed(table)
        assert pot_of(match) == 0
        # Two fees of 100, a tenth of them for the house.
        assert sorted(map(chips_of, players)) == [WELCOME - FEE, WELCOME + 80]

    def test_until_then_nobody_comes_in_and_who_waited_has_their_stack_back(
        self, make_table, make_player
    ):
        table = start_match(make_table(), make_player(), make_player())
        waiting = make_player()
        join_queue(table_id=table.pk, user_id=waiting.pk)
        wind_up_after_match(table)
        assert not QueuePlace.objects.exists()
        before = Seat.objects.count()
        for attempt in (
            lambda: take_seat(table_id=table.pk, user_id=waiting.pk, amount=BUY_IN),
            lambda: join_queue(table_id=table.pk, user_id=waiting.pk),
        ):
            with pytest.raises(TableClosing):
                attempt()
        assert (Seat.objects.count(), chips_of(waiting)) == (before, WELCOME)
        assert tend_queue(table.pk) == []
        assert table.pk not in [entry.table.pk for entry in list_lobby_tables().entries]

    def test_a_kept_chair_is_given_up_and_its_stack_is_free(self, make_table, make_player):
        table = start_match(make_table(max_seats=3), make_player(), make_player())
        third, waiting = make_player(), make_player()
        take_seat(table_id=table.pk, user_id=third.pk, amount=BUY_IN)
        join_queue(table_id=table.pk, user_id=waiting.pk)
        leave_table(table_id=table.pk, user_id=third.pk)
        assert len(tend_queue(table.pk)) == 1
        assert compute_spendable(waiting.pk, Currency.CHIPS) == WELCOME - 80
        wind_up_after_match(table)
        assert compute_spendable(waiting.pk, Currency.CHIPS) == WELCOME

    def test_a_void_closes_it_as_well(self, make_table, make_player):
        table = make_table(preset="pool101", entry_fee=FEE, max_seats=2)
        players = [make_player(), make_player()]
        match = begin(table, *players)
        wind_up_after_match(table)
        cancel_match(match_id=match.pk, reason="The deck was wrong.", staff_id=1)
        assert_closed(table)
        assert [chips_of(player) for player in players] == [WELCOME] * 2

    def test_where_no_match_runs_it_closes_at_once(self, make_table, make_player):
        table, player = make_table(), make_player()
        seat_all(table, player)
        assert [e["kind"] for e in wind_up_after_match(table).events] == ["closed"]
        assert_closed(table)
        assert chips_of(player) == WELCOME
        with pytest.raises(TableClosed):
            wind_up_after_match(table)

    def test_between_two_matches_too_and_no_other_begins(self, make_table, make_player):
        players = [make_player(), make_player()]
        table = start_match(make_table(), *players)
        act(table, game_view(table)["turn"], kind="drop")
        assert reload(table).status == TableStatus.BETWEEN
        wind_up_after_match(table)
        assert_closed(table)
        assert sorted(map(chips_of, players)) == [LOST, WON]
        assert act_on_table(table.pk) is None
        assert Match.objects.count() == 1

    def test_a_new_table_of_its_kind_is_opened_meanwhile(self, make_table, make_player):
        make_table()  # the fees
        template = make_kind(name="Tamarind Room")
        play_now(template_id=template.pk, user_id=make_player().pk)
        table = Table.objects.get(template=template)
        play_now(template_id=template.pk, user_id=make_player().pk)
        let_time_pass(table)
        wind_up_after_match(table)
        other = make_player()
        play_now(template_id=template.pk, user_id=other.pk)
        assert Seat.objects.get(user=other).table_id != table.pk

    def test_not_at_a_table_of_an_event(self, make_table, make_player):
        table = start_match(make_table(), make_player(), make_player())
        Table.objects.filter(pk=table.pk).update(event_url="/tournaments/1/")
        version = Table.objects.get(pk=table.pk).version
        someone = player_at(table, 0)
        for attempt in (wind_up_after_match, wind_up_now, lambda table: remove(table, someone)):
            with pytest.raises(SeatsAreArranged):
                attempt(table)
        assert (reload(table).version, table.closing_at, table.removed) == (version, None, None)


class TestNow:
    def test_a_running_match_is_void_and_fees_go_back(self, make_table, make_player):
        table = make_table(preset="pool101", entry_fee=FEE, max_seats=3)
        players = [make_player() for _ in range(3)]
        match = begin(table, *players)
        wind_up_now(table)
        assert_closed(table)
        match.refresh_from_db()
        assert (match.status, match.cancelled_for) == (MatchStatus.CANCELLED, "Bad weather.")
        assert pot_of(match) == 0
        assert [chips_of(player) for player in players] == [WELCOME] * 3

    def test_points_are_not_paid(self, make_table, make_player):
        players = [make_player(), make_player()]
        table = start_match(make_table(), *players)
        wind_up_now(table)
        assert_closed(table)
        assert [chips_of(player) for player in players] == [WELCOME] * 2

    def test_without_a_match_and_without_a_reason(self, make_table, make_player):
        table = start_match(make_table(), make_player(), make_player())
        with pytest.raises(ReasonMissing):
            wind_up_now(table, reason=" ")
        assert reload(table).status == TableStatus.PLAYING
        idle = make_table()
        wind_up_now(idle)
        assert_closed(idle)


class TestRemoving:
    def test_who_plays_drops_and_has_the_rest_back_when_the_match_is_over(
        self, make_table, make_player
    ):
        table = start_match(make_table(), make_player(), make_player())
        out = player_at(table, game_view(table)["turn"])
        other = Seat.objects.exclude(user=out).get().user
        remove(table, out)
        # Two played: the drop has ended the match.
        assert chips_of(out) == LOST
        assert (reload(table).status, table.removed) == (TableStatus.WAITING, [out.pk])
        wind_up_now(table)
        assert chips_of(other) == WON

    def test_of_three_the_others_play_on(self, make_table, make_player):
        table = start_match(make_table(max_seats=3), *(make_player() for _ in range(3)))
        out = player_at(table, (game_view(table)["turn"] + 1) % 3)
        remove(table, out)
        assert reload(table).status == TableStatus.PLAYING
        assert Seat.objects.get(user=out).status == SeatStatus.LEAVING
        # A second time changes nothing of theirs.
        remove(table, out)
        assert Seat.objects.get(user=out).status == SeatStatus.LEAVING
        act(table, game_view(table)["turn"], kind="drop")
        assert Seat.objects.get(user=out).status == SeatStatus.LEFT
        assert chips_of(out) == LOST

    def test_who_waits_has_everything_back_at_once_and_does_not_come_back(
        self, make_table, make_player
    ):
        table, out, other = make_table(), make_player(), make_player()
        seat_all(table, out, other)
        remove(table, out)
        assert chips_of(out) == WELCOME
        told = OutgoingEmail.objects.get()
        assert (told.user, "Peepal Room" in told.text) == (out, True)
        for attempt in (
            lambda: take_seat(table_id=table.pk, user_id=out.pk, amount=BUY_IN),
            lambda: join_queue(table_id=table.pk, user_id=out.pk),
        ):
            with pytest.raises(RemovedFromTable):
                attempt()
        assert chips_of(out) == WELCOME
        assert reload(table).status == TableStatus.WAITING
        # Elsewhere they play as before.
        take_seat(table_id=make_table().pk, user_id=out.pk, amount=BUY_IN)

    def test_a_place_in_the_list_goes_too(self, make_table, make_player):
        table, out = make_table(), make_player()
        seat_all(table, make_player(), make_player())
        join_queue(table_id=table.pk, user_id=out.pk)
        remove(table, out)
        assert not QueuePlace.objects.exists()
        with pytest.raises(RemovedFromTable):
            join_queue(table_id=table.pk, user_id=out.pk)

    def test_not_who_is_not_there_and_no_bot(self, make_table, make_player):
        table = make_table(max_seats=2, bots_wanted=1)
        seat_all(table, make_player())
        Table.objects.filter(pk=table.pk).update(bot_due_at=Now())
        act_on_table(table.pk)
        bot = Seat.objects.get(user__is_bot=True).user
        for user, refusal in ((make_player(), NotSeated), (bot, OnlyPeople)):
            with pytest.raises(refusal):
                remove(table, user)
        assert reload(table).removed is None
        assert Seat.objects.filter(left_at=None).count() == 2


class TestDesk:
    def page(self, table):
        return f"/admin/tables/table/{table.pk}/"

    def decide(self, desk, table, decision, reason="Cheats."):
        form = {"decision": decision, "reason": reason}
        return desk.post(f"{self.page(table)}decide/", form, follow=True).text

    def test_each_role_has_its_buttons_and_each_act_its_entry(self, make_table, make_player):
        table = start_match(make_table(), make_player(), make_player())
        out = player_at(table, 0)
        page = {
            role: office(member(role)).get(f"{self.page(table)}change/").text
            for role in (Role.GAMES, Role.SUPPORT, Role.FINANCE)
        }
        assert {role: 'value="close_now"' in text for role, text in page.items()} == {
            Role.GAMES: True,
            Role.SUPPORT: False,
            Role.FINANCE: False,
        }
        removes = f'value="remove:{out.pk}"'
        assert [removes in text for text in page.values()] == [True, True, False]

    def test_a_reason_is_asked_for_and_kept(self, make_table, make_player):
        table = start_match(make_table(), make_player(), make_player())
        desk = office(member(Role.GAMES))
        assert "Write a reason" in self.decide(desk, table, "close_after", reason=" ")
        assert not Table.objects.exclude(closing_at=None).exists()
        self.decide(desk, table, "close_after", reason="The season ends.")
        assert Table.objects.exclude(closing_at=None).get() == table
        entry = AuditEntry.objects.get()
        assert (entry.action, entry.reason) == ("close_after", "The season ends.")
        assert "closing_at" in entry.after
        # Support may not close, however they ask.
        other = office(member(Role.SUPPORT))
        assert "Nothing has been done" in self.decide(other, table, "close_now")
        assert reload(table).status == TableStatus.PLAYING
        self.decide(other, table, f"remove:{player_at(table, 0).pk}")
        table.refresh_from_db()
        assert table.status == TableStatus.CLOSED  # it was to close, and the drop ended the match
        assert AuditEntry.objects.count() == 2

    def test_several_at_once_with_one_reason(self, make_table, make_player):
        running = start_match(make_table(), make_player(), make_player())
        idle, arranged = make_table(), make_table()
        Table.objects.filter(pk=arranged.pk).update(event_url="/tournaments/1/")
        desk = office(member(Role.GAMES))
        chosen = [table.pk for table in (running, idle, arranged)]
        form = {"action": "close_after_their_match", "_selected_action": chosen}
        page = desk.post("/admin/tables/table/", form, follow=True).text
        assert "Write a reason" in page
        form["reason_for_audit"] = "Server moves."
        page = desk.post("/admin/tables/table/", form, follow=True).text
        assert page.count(" closes after its match") == 2
        assert str(SeatsAreArranged()) in page
        status = [Table.objects.get(pk=pk).status for pk in chosen]
        assert status == [TableStatus.PLAYING, TableStatus.CLOSED, TableStatus.WAITING]
        entries = AuditEntry.objects.values_list("action", "object_id", "reason")
        assert sorted(entries) == sorted(
            ("close_after", str(table.pk), "Server moves.") for table in (running, idle)
        )


@pytest.mark.django_db(transaction=True)
class TestRaces:
    """Whoever comes first, the money is exact and nobody sits at a closed table."""

    def test_somebody_sits_down_while_it_closes(self, make_table, make_player):
        table, player = make_table(), make_player()
        results = run_at_once(
            lambda: take_seat(table_id=table.pk, user_id=player.pk, amount=BUY_IN),
            lambda: wind_up_after_match(table),
        )
        assert names_of(results) in (
            ["Change", "Change"],
            ["Change", "TableClosed"],
        )
        assert_closed(table)
        assert chips_of(player) == WELCOME

    def test_the_last_move_and_the_closing(self, make_table, make_player):
        players = [make_player(), make_player()]
        table = start_match(make_table(), *players)
        seat = game_view(table)["turn"]
        run_at_once(lambda: act(table, seat, kind="drop"), lambda: wind_up_now(table))
        assert_closed(table)
        # Either the drop was first and is paid, or the void was and nothing is.
        assert sorted(map(chips_of, players)) in ([LOST, WON], [WELCOME, WELCOME])
        assert Match.objects.exclude(status=MatchStatus.RUNNING).count() == 1

    def test_two_of_the_staff(self, make_table, make_player):
        players = [make_player(), make_player()]
        table = start_match(make_table(), *players)
        results = run_at_once(lambda: wind_up_now(table), lambda: wind_up_now(table))
        assert names_of(results) == ["Change", "TableClosed"]
        assert_closed(table)
        assert [chips_of(player) for player in players] == [WELCOME] * 2
