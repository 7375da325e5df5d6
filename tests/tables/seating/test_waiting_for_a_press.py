"""Matches and deals that wait for a press: the host's among friends, the player's own among bots."""

from datetime import timedelta

import pytest
from django.db.models.functions import Now

from games.registry import get_game
from history.records import deal_record
from tables.models import Change, Match, Seat, Table, TableStatus
from tables.play.lock import milliseconds
from tables.play.move import LESSON_WAIT
from tables.play.reading import snapshot
from tables.play.seats import PRESS_WAIT
from tables.refusals import (
    BUY_IN_OUT_OF_RANGE,
    HOST_STARTS,
    MATCH_RUNNING,
    TOO_FEW_PLAYERS,
    NotAllReady,
)
from tables.seating.hosting.services import send_away, start_table
from tables.seating.sitting import play_again
from tables.seating.supply import keep_supplied
from tests.given import reload, require
from tests.refusals import refused
from tests.tables.driving import (
    CODE,
    chips_of,
    drop,
    end_match,
    expire_turn,
    game_view,
    get_match,
    leave,
    let_time_pass,
    list_seated,
    play_a_turn,
    run_out_of_time,
    seat_all,
    start_with_a_bot,
    state_of,
)
from tests.tables.pools import FEE
from tests.tables.records import verify

pytestmark = pytest.mark.django_db


@pytest.fixture
def players(make_player):
    return [make_player() for _ in range(3)]


@pytest.fixture
def hosted(make_table, players):
    """A private table of points rummy after its first match of three. The first player is its host."""
    table = make_table(max_seats=3, invite_code=CODE, opened_by_id=players[0].pk)
    seat_all(table, *players)
    start(table, players[0])
    let_time_pass(table)
    end_match(table)
    return reload(table)


@pytest.fixture
def practice(make_table, players):
    """A table at which a player has just finished a deal against a bot."""
    table = start_with_a_bot(make_table(bots_wanted=1, max_seats=3), players[0])
    lose(table)
    return reload(table)


def lose(table):
    """Let the first player drop."""
    if game_view(table)["turn"] != 0:
        play_a_turn(table)
    assert drop(table) == 0


def start(table, player):
    return start_table(table_id=table.pk, user_id=player.pk)


def ask(table, *players, amount=0):
    for player in players:
        play_again(table_id=table.pk, user_id=player.pk, amount=amount)


def mark_gone(*players, minutes=5):
    seats = Seat.objects.filter(user__in=players, left_at=None)
    seats.update(away_since=Now() - timedelta(minutes=minutes))


def view_of(table):
    return require(snapshot(table_id=table.pk, user_id=None)).state["table"]


def expect_wait(table, *, matches=1):
    """Assert that the table waits for a press, shows no start time, and has begun no further match."""
    view = view_of(table)
    assert (reload(table).status, table.awaits_press) == (TableStatus.BETWEEN, True)
    assert (view["status"], view["awaits_press"], view["due_at"]) == ("between", True, None)
    assert Match.objects.filter(table=table).count() == matches


def expect_refusal(table, player, refusal):
    before = Table.objects.filter(pk=table.pk).values().get(), list_seated(table)
    with refused(refusal) as answer:
        start(table, player)
    assert (Table.objects.filter(pk=table.pk).values().get(), list_seated(table)) == before
    return str(answer.value)


class TestHosted:
    def test_the_next_match_waits_for_its_host(self, hosted, players):
        expect_wait(hosted)
        for _ in range(2):
            let_time_pass(hosted)
            expect_wait(hosted)
            assert (
                milliseconds(hosted.deadline_at) > milliseconds(hosted.created_at) + PRESS_WAIT / 2
            )
        ask(hosted, *players)  # from all players; now the host starts it
        expect_wait(hosted)
        start(hosted, players[0])
        assert (reload(hosted).status, hosted.awaits_press) == (TableStatus.BETWEEN, False)
        assert view_of(hosted)["due_at"] is not None
        expect_refusal(hosted, players[0], MATCH_RUNNING)
        let_time_pass(hosted)
        assert len(get_match(hosted).participants) == 3
        assert not Seat.objects.filter(plays_again=True).exists()

    def test_it_waits_until_all_are_ready_and_names_the_others(self, hosted, players):
        ask(hosted, players[1])
        sentence = expect_refusal(hosted, players[0], NotAllReady)
        assert players[2].player_name in sentence
        assert players[1].player_name not in sentence
        ask(hosted, players[2])
        start(hosted, players[0])  # the host's press is also the host's own answer

    def test_who_has_gone_is_neither_waited_for_nor_charged(self, hosted, players):
        chips = chips_of(players[2])
        mark_gone(players[2])
        ask(hosted, players[1])
        start(hosted, players[0])
        let_time_pass(hosted)
        assert sorted(get_match(hosted).participants) == [players[0].pk, players[1].pk]
        assert chips_of(players[2]) > chips  # the stack is back

    def test_who_goes_after_saying_yes_is_not_charged(self, hosted, players):
        ask(hosted, players[1], players[2])
        start(hosted, players[0])
        mark_gone(players[2])
        let_time_pass(hosted)
        assert sorted(get_match(hosted).participants) == [players[0].pk, players[1].pk]

    def test_a_host_alone_with_absent_players_starts_nothing(self, hosted, players):
        mark_gone(*players[1:])
        expect_refusal(hosted, players[0], TOO_FEW_PLAYERS)

    def test_a_free_seat_is_open_until_the_next_start(self, hosted, players, make_player):
        leave(hosted, players[2])
        expect_wait(hosted)
        seat_all(hosted, players[2])  # the player is back; sitting down means being ready
        leave(hosted, players[1])
        seat_all(hosted, newcomer := make_player())
        start(hosted, players[0])
        let_time_pass(hosted)
        found = sorted(get_match(hosted).participants)
        assert found == sorted(user.pk for user in (players[0], players[2], newcomer))

    def test_a_player_who_leaves_takes_the_start_back(self, hosted, players):
        ask(hosted, *players[1:])
        start(hosted, players[0])
        leave(hosted, players[2])
        expect_wait(hosted)
        start(hosted, players[0])
        leave(hosted, players[1])
        assert (reload(hosted).status, hosted.deadline_at) == (TableStatus.WAITING, None)
        assert not hosted.awaits_press

    def test_a_changed_fee_asks_everybody_again(self, hosted, players):
        ask(hosted, *players[1:])
        start(hosted, players[0])
        Table.objects.filter(pk=hosted.pk).update(rake_bps=9_999)
        let_time_pass(hosted)
        expect_wait(hosted)
        expect_refusal(hosted, players[0], NotAllReady)

    def test_anybody_starts_it_while_the_host_has_gone(self, hosted, players):
        ask(hosted, players[2])
        expect_refusal(hosted, players[1], HOST_STARTS)
        mark_gone(players[0])
        start(hosted, players[1])
        let_time_pass(hosted)
        assert sorted(get_match(hosted).participants) == [players[1].pk, players[2].pk]

    def test_the_host_sends_a_silent_player_away(self, hosted, players):
        ask(hosted, players[1])
        send_away(table_id=hosted.pk, user_id=players[0].pk, other_id=players[2].pk)
        start(hosted, players[0])
        let_time_pass(hosted)
        assert len(get_match(hosted).participants) == 2

    def test_a_table_that_all_have_left_open_is_closed(self, hosted, players):
        before = [chips_of(player) for player in players]
        mark_gone(*players)
        let_time_pass(hosted)
        assert (reload(hosted).status, hosted.seats_taken) == (TableStatus.WAITING, 0)
        assert (hosted.deadline_at, hosted.awaits_press) == (None, False)
        assert [
            chips_of(player) > chips for player, chips in zip(players, before, strict=True)
        ] == [True] * 3
        Table.objects.filter(pk=hosted.pk).update(created_at=Now() - timedelta(hours=1))
        keep_supplied()
        assert reload(hosted).status == TableStatus.CLOSED

    def test_each_match_for_a_fee_is_paid_by_those_who_asked(self, make_table, players):
        terms = {"preset": "pool61", "entry_fee": FEE, "max_seats": 3, "invite_code": CODE}
        table = make_table(**terms, opened_by_id=players[0].pk)
        seat_all(table, *players)
        start(table, players[0])
        let_time_pass(table)
        end_match(table)
        before = [chips_of(player) for player in players]
        for _ in range(2):
            let_time_pass(table)
        assert [chips_of(player) for player in players] == before
        expect_refusal(table, players[0], BUY_IN_OUT_OF_RANGE)  # the fee of the host
        ask(table, *players, amount=FEE)
        start(table, players[0])
        let_time_pass(table)
        assert [chips_of(player) for player in players] == [chips - FEE for chips in before]

    def test_a_slow_table_goes_on_without_the_silent_after_a_day(self, make_free, players):
        table = make_free(max_seats=3)
        seat_all(table, *players)
        let_time_pass(table)
        end_match(table)
        rules = {**reload(table).rules, "turn_seconds": 86_400}
        Table.objects.filter(pk=table.pk).update(rules=rules)
        ask(table, players[1], players[2])
        let_time_pass(table)
        assert list_seated(table) == [players[1].pk, players[2].pk]
        let_time_pass(table)
        assert len(get_match(table).participants) == 2

    def test_anybody_starts_the_first_match_of_a_slow_table(self, make_free, players):
        table = make_free(max_seats=3)
        seat_all(table, *players[:2])
        rules = {**reload(table).rules, "turn_seconds": 86_400}
        Table.objects.filter(pk=table.pk).update(rules=rules)
        start(table, players[1])  # nobody waits for a host who may come only once a day


class TestWithBots:
    def test_the_next_deal_waits_for_the_player(self, practice, players):
        for _ in range(2):
            expect_wait(practice)
            let_time_pass(practice)
        ask(practice, players[0])
        assert view_of(practice)["due_at"] is not None
        let_time_pass(practice)
        assert Match.objects.filter(table=practice).count() == 2

    def test_leaving_meanwhile_costs_nothing(self, practice, players):
        had = chips_of(players[0]) + practice_stack(practice, players[0])
        leave(practice, players[0])
        assert chips_of(players[0]) == had
        assert list_seated(practice) == []

    def test_who_has_gone_gets_the_stack_back_and_the_bots_leave(self, practice, players):
        had = chips_of(players[0]) + practice_stack(practice, players[0])
        mark_gone(players[0])
        let_time_pass(practice)
        assert (reload(practice).status, practice.seats_taken) == (TableStatus.WAITING, 0)
        assert (practice.deadline_at, practice.bot_due_at, practice.awaits_press) == (
            None,
            None,
            False,
        )
        assert chips_of(players[0]) == had

    def test_company_brings_the_usual_pause_and_its_end_the_wait(self, practice, players):
        seat_all(practice, players[1])
        assert view_of(practice)["due_at"] is not None
        leave(practice, players[1])
        expect_wait(practice)
        seat_all(practice, players[1])
        let_time_pass(practice)
        assert len(get_match(practice).participants) == 2

    def test_maintenance_asks_for_another_press(self, practice, players, monkeypatch):
        monkeypatch.setattr("tables.play.start.is_resting", lambda *_given: True)
        ask(practice, players[0])
        let_time_pass(practice)
        expect_wait(practice)


def practice_stack(table, player):
    seen = require(snapshot(table_id=table.pk, user_id=player.pk)).state
    return seen["seats"][seen["you"]["seat"]]["stack"]


class TestBetweenDeals:
    @pytest.fixture
    def pool(self, make_table, players):
        table = make_table(preset="pool201", entry_fee=FEE, max_seats=2, bots_wanted=1)
        start_with_a_bot(table, players[0])
        drop(table)
        assert game_view(table)["phase"] == "between"
        return reload(table)

    def test_the_next_deal_of_a_match_waits_too(self, pool, players):
        assert view_of(pool)["awaits_press"]
        for _ in range(2):
            run_out_of_time(pool)
            let_time_pass(pool)
            assert (game_view(pool)["phase"], game_view(pool)["deal"]) == ("between", 1)
            assert milliseconds(reload(pool).deadline_at) == game_view(pool)["due_at"]
        ask(pool, players[0])
        assert not view_of(pool)["awaits_press"]
        with refused(MATCH_RUNNING):
            ask(pool, players[0])
        expire_turn(pool)
        assert (game_view(pool)["phase"], game_view(pool)["deal"]) == ("turn", 2)
        assert not view_of(pool)["awaits_press"]

    def test_a_player_who_has_gone_does_not_hold_the_match_up(self, pool, players):
        mark_gone(players[0])
        state = get_game(pool.game).core.postpone(
            get_game(pool.game).stored.load(state_of(pool)), by_ms=-2 * PRESS_WAIT
        )
        Table.objects.filter(pk=pool.pk).update(state=get_game(pool.game).stored.dump(state))
        let_time_pass(pool)
        assert game_view(pool)["deal"] == 2

    def test_its_record_is_that_of_any_match(self, pool, players):
        ask(pool, players[0])
        expire_turn(pool)
        match = end_match(pool)
        assert verify(deal_record(match_id=match.pk, number=2))[0] == 0

    def test_people_among_themselves_keep_the_pause(self, make_table, players):
        table = make_table(preset="pool201", entry_fee=FEE)
        seat_all(table, *players[:2])
        let_time_pass(table)
        drop(table)
        assert not view_of(table)["awaits_press"]
        assert milliseconds(reload(table).deadline_at) < milliseconds(table.created_at) + 60_000


class TestLesson:
    @pytest.fixture
    def lesson(self, make_table, players):
        table = start_with_a_bot(make_table(bots_wanted=1), players[0])
        Table.objects.filter(pk=table.pk).update(is_lesson=True)
        if game_view(table)["turn"] != 0:
            play_a_turn(table)
        return reload(table)

    def test_a_turn_waits_for_a_player_who_registers(self, lesson, players):
        mark_gone(players[0], minutes=LESSON_WAIT // 60_000 - 1)
        for _ in range(4):
            expire_turn(lesson)
            view = game_view(lesson)
            assert (view["turn"], view["players"]["0"]["missed"]) == (0, 0)
        assert Change.objects.filter(table=lesson, kind="POSTPONED").count() == 4

    def test_it_does_not_wait_for_ever(self, lesson, players):
        mark_gone(players[0], minutes=LESSON_WAIT // 60_000 + 1)
        expire_turn(lesson)
        assert game_view(lesson)["turn"] != 0

    def test_other_turns_run_out_as_ever(self, lesson, players):
        Table.objects.filter(pk=lesson.pk).update(is_lesson=False)
        expire_turn(lesson)
        assert game_view(lesson)["turn"] != 0
