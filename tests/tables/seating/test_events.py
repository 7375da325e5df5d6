"""Tables of an event: fixed players, one match, no money."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from accounts.people.bots import get_practice_bots
from games.registry import get_game
from tables.live.clock import act_on_table
from tables.lobby.selectors import list_lobby_tables
from tables.models import (
    Change,
    ChangeKind,
    ClockBeat,
    Match,
    MatchStatus,
    Seat,
    Table,
    TableStatus,
)
from tables.play.faults import beat, give_time_back
from tables.play.finish import match_finished
from tables.refusals import SeatsAreArranged
from tables.seating.events import (
    EventTable,
    EventTerms,
    Guest,
    call_off_event_table,
    clear_event_tables,
    open_event_tables,
)
from tables.seating.sitting import take_seat, top_up
from tests.games.values import replace
from tests.given import reload, require
from tests.tables.driving import (
    act,
    expire_turn,
    game_view,
    hurry_to_the_end,
    leave,
    let_time_pass,
    list_seated,
)
from wallet.models import Journal
from wallet.money import Currency

pytestmark = pytest.mark.django_db


@pytest.fixture
def wish():
    game = get_game("indian")
    return EventTerms(
        game="indian",
        event_url="/events/7/",
        rules=game.rules.json(game.rules.preset("deals2")) | {"qualifiers": 1},
        currency=Currency.CHIPS,
        starts_at=timezone.now(),
    )


@pytest.fixture
def table(wish, players):
    """A table of an event for two, about to begin."""
    return open_for(wish, *players[:2])


@pytest.fixture
def heard():
    told = []

    def hear(match_id, result, **_signal):
        told.append((match_id, dict(result.ranks)))

    match_finished.connect(hear)
    yield told
    match_finished.disconnect(hear)


def open_for(wish, *users):
    guests = [Guest(user.pk, user.is_bot) for user in users]
    (table,) = open_event_tables(wish, [EventTable("Round 1, table 1", guests)])
    return table


def test_the_match_of_an_event_moves_no_money(wish, players, heard):
    table = open_for(wish, *players[:3])
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


def test_bots_play_a_match_of_an_event_without_people(wish, heard):
    table = open_for(wish, *get_practice_bots()[:3])
    assert require(act_on_table(table.pk)).kind == ChangeKind.STARTED
    assert reload(table).bot_seats == [0, 1, 2]
    assert table.bot_due_at is not None
    hurry_to_the_end(table)
    assert len(heard) == 1


def test_bots_never_play_an_event_for_cash(wish):
    for_cash = replace(wish, currency=Currency.INR)
    with pytest.raises(IntegrityError, match="bots_sit_for_chips_only"), transaction.atomic():
        open_for(for_cash, *get_practice_bots()[:2])
    assert not Table.objects.exists()


def test_a_table_of_an_event_is_not_in_the_lobby(table):
    assert list_lobby_tables().entries == []


def test_many_event_tables_open_in_a_few_statements(wish, django_assert_max_num_queries):
    bots = get_practice_bots()
    tables = [EventTable(f"Table {n}", [Guest(b.pk, True) for b in bots[:6]]) for n in range(300)]
    with django_assert_max_num_queries(6):
        rows = open_event_tables(wish, tables)
    assert len({bytes(row.next_seed) for row in rows}) == 300
    assert Seat.objects.count() == 1_800


def test_a_match_of_an_event_can_be_called_off(table, heard):
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
    for refused in (
        lambda: take_seat(table_id=table.pk, user_id=stranger.pk, amount=100),
        lambda: top_up(table_id=table.pk, user_id=player.pk, amount=100),
        lambda: leave(table, player),
    ):
        with pytest.raises(SeatsAreArranged):
            refused()
    assert Journal.objects.count() == journals
    assert list_seated(table) == [player.pk, other.pk]


def play_until_a_break(table):
    for _ in range(2_000):
        if game_view(table)["phase"] == "between":
            return
        expire_turn(table)
    raise AssertionError("the deal does not end")


@pytest.mark.parametrize(("limit", "is_over"), [(-1, True), (600, False)])
def test_no_deal_of_an_event_begins_after_its_deadline(wish, players, heard, limit, is_over):
    last_deal_at = timezone.now() + timedelta(seconds=limit)
    table = open_for(replace(wish, last_deal_at=last_deal_at), *players[:2])
    act_on_table(table.pk)
    play_until_a_break(table)
    step = expire_turn(table)
    assert require(step).kind == (ChangeKind.CONCLUDED if is_over else ChangeKind.EXPIRY)
    assert (reload(table).status == TableStatus.CLOSED) == is_over
    assert len(heard) == is_over
    assert table.matches.get().deals.count() == (1 if is_over else 2)


def test_an_outage_postpones_the_deadline_for_deals(wish, players):
    last_deal_at = timezone.now() + timedelta(minutes=5)
    table = open_for(replace(wish, last_deal_at=last_deal_at), *players[:2])
    act_on_table(table.pk)
    beat()
    Change.objects.filter(table=table).update(at_ms=F("at_ms") - 31_000)
    ClockBeat.objects.update(beat_at=F("beat_at") - timedelta(seconds=30))
    beat()
    assert give_time_back(table.pk) is not None
    added = require(reload(table).last_deal_at) - last_deal_at
    assert timedelta(seconds=30) <= added < timedelta(seconds=31)


def test_r10_5_leaving_by_a_move_is_refused_at_an_event(table):
    act_on_table(table.pk)
    before = Change.objects.filter(table=table).count()
    for seat in (0, 1):
        assert require(act(table, seat, kind="leave").refusal).code == "seats_are_arranged"
    assert Change.objects.filter(table=table).count() == before
    standings = game_view(table)["match"]["standings"]
    assert [standings[str(seat)]["membership"] for seat in (0, 1)] == ["in", "in"]
