"""Event tables: fixed players, one match, no money."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.people.bots import get_practice_bots
from lobby.selectors import list_lobby_tables
from tables.live.clock import act_on_table
from tables.models import Change, ChangeKind, Match, MatchStatus, Seat, Table, TableStatus
from tables.play.finish import match_finished
from tables.refusals import SEATS_ARE_ARRANGED
from tables.seating.events import (
    EventTable,
    Guest,
    call_off_event_table,
    clear_event_tables,
    open_event_tables,
)
from tables.seating.sitting import take_seat, top_up
from tests.given import reload, require
from tests.refusals import refused
from tests.tables.driving import (
    act,
    expire_turn,
    game_view,
    hurry_to_the_end,
    leave,
    let_time_pass,
    list_seated,
    make_event_terms,
    open_event_table,
)
from tests.tournaments.driving import play_table
from wallet.models import Journal
from wallet.money import Currency

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(players):
    """An event's table for two, about to begin."""
    return open_event_table(make_event_terms(), *players[:2])


@pytest.fixture
def heard():
    told = []

    def hear(match_id, result, **_signal):
        told.append((match_id, dict(result.ranks)))

    match_finished.connect(hear)
    yield told
    match_finished.disconnect(hear)


def test_the_match_of_an_event_moves_no_money(players, heard):
    table = open_event_table(make_event_terms(), *players[:3])
    journals = Journal.objects.count()
    assert require(act_on_table(table.pk)).kind == ChangeKind.STARTED
    match = hurry_to_the_end(table)
    assert match.status == MatchStatus.FINISHED
    result = require(match.result)
    assert sum(result["scores"].values()) == 3 * 160
    assert heard == [(match.pk, {int(seat): rank for seat, rank in result["ranks"].items()})]
    assert Journal.objects.count() == journals
    assert (reload(table).status, table.due_at) == (TableStatus.CLOSED, None)
    assert act_on_table(table.pk) is None
    clear_event_tables([table.pk])
    assert list_seated(table) == []


def test_bots_play_a_match_of_an_event_without_people(heard):
    table = open_event_table(make_event_terms(), *get_practice_bots()[:3])
    assert require(act_on_table(table.pk)).kind == ChangeKind.STARTED
    assert reload(table).bot_seats == [0, 1, 2]
    assert table.bot_due_at is not None
    hurry_to_the_end(table)
    assert len(heard) == 1


def test_bots_never_play_an_event_for_cash():
    for_cash = make_event_terms(currency=Currency.INR)
    with pytest.raises(IntegrityError, match="bots_sit_for_chips_only"), transaction.atomic():
        open_event_table(for_cash, *get_practice_bots()[:2])
    assert not Table.objects.exists()


def test_many_event_tables_open_in_a_few_statements(django_assert_max_num_queries):
    bots = get_practice_bots()
    tables = [EventTable(f"Table {n}", [Guest(b.pk, True) for b in bots[:6]]) for n in range(300)]
    with django_assert_max_num_queries(6):
        rows = open_event_tables(make_event_terms(), tables)
    assert len({bytes(row.next_seed) for row in rows}) == 300
    assert Seat.objects.count() == 1_800


def test_a_match_of_an_event_is_in_no_lobby_and_can_be_called_off(table, heard):
    assert list_lobby_tables().entries == []
    let_time_pass(table)
    assert call_off_event_table(table.pk)
    told = Change.objects.filter(table=table).latest("pk").patch
    assert told["table"]["status"] == "closed"
    assert told["game"] is None
    assert (reload(table).status, table.due_at, table.state) == (TableStatus.CLOSED, None, None)
    assert Match.objects.get().status == MatchStatus.CANCELLED
    assert heard == []
    assert call_off_event_table(table.pk)
    assert Change.objects.filter(table=table).count() == 2


def test_players_of_an_event_cannot_change_their_seats(table, players):
    player, other, stranger, _fourth = players
    journals = Journal.objects.count()
    for call in (
        lambda: take_seat(table_id=table.pk, user_id=stranger.pk, amount=100),
        lambda: top_up(table_id=table.pk, user_id=player.pk, amount=100),
        lambda: leave(table, player),
    ):
        with refused(SEATS_ARE_ARRANGED):
            call()
    assert Journal.objects.count() == journals
    assert list_seated(table) == [player.pk, other.pk]


@pytest.mark.parametrize(("limit", "is_over"), [(-1, True), (600, False)])
def test_no_deal_of_an_event_begins_after_its_deadline(players, heard, limit, is_over):
    terms = make_event_terms(last_deal_at=timezone.now() + timedelta(seconds=limit))
    table = open_event_table(terms, *players[:2])
    act_on_table(table.pk)
    play_table(table, until=lambda view: view["phase"] == "between")
    step = expire_turn(table)
    assert require(step).kind == (ChangeKind.CONCLUDED if is_over else ChangeKind.EXPIRY)
    assert (reload(table).status == TableStatus.CLOSED) == is_over
    assert len(heard) == is_over
    assert table.matches.get().deals.count() == (1 if is_over else 2)


def test_r10_5_leaving_by_a_move_is_refused_at_an_event(table):
    act_on_table(table.pk)
    before = Change.objects.filter(table=table).count()
    for seat in (0, 1):
        assert require(act(table, seat, kind="leave").refusal).code == "seats_are_arranged"
    assert Change.objects.filter(table=table).count() == before
    standings = game_view(table)["match"]["standings"]
    assert [standings[str(seat)]["membership"] for seat in (0, 1)] == ["in", "in"]
