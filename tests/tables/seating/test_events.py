"""Tables of an event: certain players, one match, no money."""

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
from tables.seating.sitting import leave_table, take_seat, top_up
from tests.games.values import replace
from tests.given import reload, require
from tests.tables.driving import act, game_view, hurry_to_the_end, let_time_pass, run_out_of_time
from wallet.models import Journal
from wallet.money import Currency

pytestmark = pytest.mark.django_db


@pytest.fixture
def event_rules():
    game = get_game("indian")
    return game.rules.json(game.rules.preset("deals2")) | {"qualifiers": 1}


@pytest.fixture
def wish(event_rules):
    return EventTerms(
        game="indian",
        event_url="/events/7/",
        rules=event_rules,
        currency=Currency.CHIPS,
        starts_at=timezone.now(),
    )


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


def test_its_match_begins_and_ends_and_nobody_pays(wish, make_player, heard):
    table = open_for(wish, make_player(), make_player(), make_player())
    journals = Journal.objects.count()
    assert require(act_on_table(table.pk)).kind == ChangeKind.STARTED
    match = hurry_to_the_end(table)
    assert match.status == MatchStatus.FINISHED
    assert sum(require(match.result)["scores"].values()) == 3 * 160
    assert heard == [
        (match.pk, {int(seat): rank for seat, rank in require(match.result)["ranks"].items()})
    ]
    assert Journal.objects.count() == journals
    assert (reload(table).status, table.due_at) == (TableStatus.CLOSED, None)
    assert act_on_table(table.pk) is None
    clear_event_tables([table.pk])
    assert not Seat.objects.filter(table=table, left_at=None).exists()


def test_bots_play_it_alone(wish, heard):
    table = open_for(wish, *get_practice_bots()[:3])
    assert require(act_on_table(table.pk)).kind == ChangeKind.STARTED
    assert reload(table).bot_seats == [0, 1, 2]
    assert table.bot_due_at is not None
    hurry_to_the_end(table)
    assert len(heard) == 1


def test_bots_never_play_for_cash(event_rules):
    wish = EventTerms(
        game="indian",
        event_url="/events/7/",
        rules=event_rules,
        currency=Currency.INR,
        starts_at=timezone.now(),
    )
    with pytest.raises(IntegrityError, match="bots_sit_for_chips_only"), transaction.atomic():
        open_for(wish, *get_practice_bots()[:2])
    assert not Table.objects.exists()


def test_it_is_not_in_the_lobby(wish, make_player):
    open_for(wish, make_player(), make_player())
    assert list_lobby_tables().entries == []


def test_many_are_opened_in_a_few_statements(wish, django_assert_max_num_queries):
    bots = get_practice_bots()
    tables = [EventTable(f"Table {n}", [Guest(b.pk, True) for b in bots[:6]]) for n in range(300)]
    with django_assert_max_num_queries(6):
        rows = open_event_tables(wish, tables)
    assert len({bytes(row.next_seed) for row in rows}) == 300
    assert Seat.objects.count() == 1_800


def test_it_may_be_called_off(wish, make_player, heard):
    table = open_for(wish, make_player(), make_player())
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


def test_nobody_sits_down_tops_up_or_leaves(wish, make_player):
    player, stranger = make_player(), make_player()
    table = open_for(wish, player, make_player())
    journals = Journal.objects.count()
    for refused in (
        lambda: take_seat(table_id=table.pk, user_id=stranger.pk, amount=100),
        lambda: top_up(table_id=table.pk, user_id=player.pk, amount=100),
        lambda: leave_table(table_id=table.pk, user_id=player.pk),
    ):
        with pytest.raises(SeatsAreArranged):
            refused()
    assert Journal.objects.count() == journals
    assert Seat.objects.filter(table=table, left_at=None).count() == 2


def play_until_a_break(table):
    for _ in range(2_000):
        view = game_view(table)
        if view["phase"] == "between":
            return
        run_out_of_time(table)
        act_on_table(table.pk)
    raise AssertionError("the deal does not end")


@pytest.mark.parametrize(("limit", "is_over"), [(-1, True), (600, False)])
def test_no_deal_begins_after_the_last_moment_for_one(wish, make_player, heard, limit, is_over):
    last_deal_at = timezone.now() + timedelta(seconds=limit)
    table = open_for(replace(wish, last_deal_at=last_deal_at), make_player(), make_player())
    act_on_table(table.pk)
    play_until_a_break(table)
    run_out_of_time(table)
    step = act_on_table(table.pk)
    table.refresh_from_db()
    assert require(step).kind == (ChangeKind.CONCLUDED if is_over else ChangeKind.EXPIRY)
    assert (table.status == TableStatus.CLOSED) == is_over
    assert len(heard) == is_over
    assert table.matches.get().deals.count() == (1 if is_over else 2)


def test_an_outage_leaves_as_much_time_for_deals(wish, make_player):
    last_deal_at = timezone.now() + timedelta(minutes=5)
    table = open_for(replace(wish, last_deal_at=last_deal_at), make_player(), make_player())
    act_on_table(table.pk)
    beat()
    Change.objects.filter(table=table).update(at_ms=F("at_ms") - 31_000)
    ClockBeat.objects.update(beat_at=F("beat_at") - timedelta(seconds=30))
    beat()
    assert give_time_back(table.pk) is not None
    table.refresh_from_db()
    assert timedelta(seconds=30) <= table.last_deal_at - last_deal_at < timedelta(seconds=31)


def test_r10_5_nobody_leaves_over_the_socket_either(wish, make_player):
    table = open_for(wish, make_player(), make_player())
    act_on_table(table.pk)
    before = Change.objects.filter(table=table).count()
    for seat in (0, 1):
        assert require(act(table, seat, kind="leave").refusal).code == "seats_are_arranged"
    assert Change.objects.filter(table=table).count() == before
    standings = game_view(table)["match"]["standings"]
    assert [standings[str(seat)]["membership"] for seat in (0, 1)] == ["in", "in"]
