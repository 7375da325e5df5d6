"""Free tables, at which no money moves."""

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from core.refusals import Refusal
from games.registry import GAMES
from history.archiving import archive_matches
from history.fairplay.tracing import trace_match
from history.models import MatchTrace
from history.records import deal_record
from players.models import DayTotal
from players.ranking.ratings import SETTLES_WITHIN, count_matches
from tables.house_rules.facts import rules_at
from tables.models import (
    ChipsPassed,
    Match,
    MatchStatus,
    PlayerRating,
    QueuePlace,
    Seat,
    SeatStatus,
    Table,
    TableStatus,
)
from tables.play.reading import snapshot, words_of_table
from tables.play.start import follow_fee, list_tables_with_old_fee
from tables.refusals import BUY_IN_OUT_OF_RANGE, PairIsDone
from tables.seating.barring import list_tables_of_barred
from tables.seating.closing import cancel_and_close
from tables.seating.queue import join_queue, maintain_queue
from tables.seating.sitting import top_up
from tests.barring import bar, bar_unheard, way
from tests.given import reload, require
from tests.refusals import refused
from tests.tables.driving import (
    CODE,
    act,
    begin_match,
    begin_next_match,
    hurry_to_the_end,
    leave,
    play_to_the_end,
    seat_all,
    start_match,
)
from tests.tables.pools import lose_deals
from tests.tables.records import grow_old, verify
from tests.tables.seating.test_companions import record_passed
from wallet.ledger.checks import reconcile
from wallet.models import Journal

__all__ = ["bar", "bar_unheard", "way"]
pytestmark = pytest.mark.django_db


@pytest.fixture
def untouched(players):
    """Check at the end of the test that the ledger has gained nothing but welcome chips."""
    before = list(Journal.objects.order_by("pk").values_list("pk", flat=True))
    yield
    assert list(Journal.objects.order_by("pk").values_list("pk", flat=True)) == before
    assert reconcile().findings == ()


ALL = [
    (game.code, preset, format.seats[0])
    for game in GAMES.values()
    for format in game.formats
    for preset in format.presets[:1]
]


@pytest.mark.parametrize(("game", "preset", "seats"), ALL)
def test_every_format_can_be_played_for_free(make_free, players, untouched, game, preset, seats):
    table = make_free(game=game, preset=preset, max_seats=seats)
    begin_match(table, *players[:seats])
    match = hurry_to_the_end(table, strength="hard" if game == "contract" else "easy")
    table.refresh_from_db()
    assert reload(match).status == MatchStatus.FINISHED
    assert (match.settlement, table.settlement) == (None, None)
    assert require(match.result)["winners"]
    # The players stay without bringing chips.
    assert table.status == TableStatus.BETWEEN
    assert Seat.objects.filter(table=table, status=SeatStatus.WAITING).count() == seats


def test_a_free_deal_has_a_complete_record_that_is_archived(make_free, players, untouched):
    table = make_free()
    begin_match(table, *players[:2])
    match = play_to_the_end(table)
    before = deal_record(match_id=match.pk, number=1)
    assert verify(before)[0] == 0
    grow_old(match, days=400)
    assert archive_matches() == 1
    assert deal_record(match_id=match.pk, number=1) == before


def test_no_stack_can_be_brought_to_a_free_table(make_free, players, untouched):
    table, player = make_free(), players[0]
    for amount in (1, 800, -1):
        with refused(BUY_IN_OUT_OF_RANGE):
            seat_all(table, player, amount=amount)
    seat_all(table, player)
    for amount in (0, 1):
        with refused(BUY_IN_OUT_OF_RANGE):
            top_up(table_id=table.pk, user_id=player.pk, amount=amount)
    shown = require(snapshot(table_id=table.pk, user_id=player.pk)).state["table"]
    assert [shown[key] for key in ("point_value", "entry_fee", "min_buy_in")] == [0, 0, 0]
    assert shown["pot"] is None
    leave(table, player)
    assert Seat.objects.get().status == SeatStatus.LEFT


def test_a_player_without_chips_sits_down_at_a_free_table(make_free, make_player, client):
    table, poor = make_free(), make_player(chips=False)
    client.force_login(poor)
    page = client.get(f"/tables/{table.pk}/", {"invite": CODE}).text
    assert "Free: nothing is at stake" in page
    client.post(f"/tables/{table.pk}/sit/", {"seat": "1", "amount": "0", "invite": CODE})
    assert Seat.objects.get().user_id == poor.pk


def test_a_free_table_splits_no_prize_and_charges_nothing_for_a_rejoin(
    make_free, players, untouched
):
    table = make_free(preset="pool201", max_seats=3)
    assert table.rules["split"] is False
    # No free table has a split, so the page does not mention it.
    assert words_of_table(table.pk)["own_rules"] == []
    assert not any(fact.is_own for fact in rules_at(table.pk)["facts"])
    start_match(table, *players[:3])
    assert lose_deals(table, 0)["phase"] == "rejoin"
    assert act(table, 0, kind="rejoin", accept=True).refusal is None
    assert hurry_to_the_end(table).status == MatchStatus.FINISHED


def test_a_barred_player_neither_rejoins_nor_sits_at_a_free_table(make_free, players, bar_unheard):
    table = make_free(preset="pool201", max_seats=3)
    begin_match(table, *players[:3])
    lose_deals(table, 0)
    bar_unheard(players[0])
    refusal = act(table, 0, kind="rejoin", accept=True).refusal
    assert require(refusal).code in {"self_excluded", "account_frozen"}
    other = make_free()
    with pytest.raises(Refusal):
        seat_all(other, players[0])
    assert not other.sittings.exists()
    assert list_tables_of_barred() == [table.pk]


def test_a_kept_chair_at_a_free_table_holds_no_chips(make_free, players, untouched):
    table = make_free()
    seat_all(table, *players[:2])
    join_queue(table_id=table.pk, user_id=players[2].pk, invite=CODE)
    leave(table, players[0])
    assert [chair.user_id for chair in maintain_queue(table.pk)] == [players[2].pk]
    assert QueuePlace.objects.get().hold_id is None
    seat_all(table, players[2])
    assert not QueuePlace.objects.exists()


def test_a_late_friend_is_seated_for_the_next_match(make_free, players, untouched):
    table = make_free(preset="pool61", max_seats=3)
    begin_match(table, *players[:2])
    seat_all(table, players[2])
    late = Seat.objects.get(user=players[2])
    assert (late.status, len(Match.objects.get().players)) == (SeatStatus.WAITING, 2)
    hurry_to_the_end(table)
    assert len(begin_next_match(table).players) == 3


def test_a_free_match_counts_in_no_total_and_under_no_limit(make_free, players, untouched):
    one, other = players[:2]
    record_passed(one, other, 20_000)
    table = make_free()
    begin_match(table, one, other)
    match = hurry_to_the_end(table)
    assert list_tables_of_barred() == []
    Match.objects.filter(pk=match.pk).update(ended_at=timezone.now() - 2 * SETTLES_WITHIN)
    assert count_matches() == 1
    assert abs(ChipsPassed.objects.get().chips) == 20_000
    assert not PlayerRating.objects.exists()
    assert not DayTotal.objects.exists()


def test_a_free_match_leaves_no_traces_of_collusion(make_free, make_table, players):
    table = make_free(max_seats=3)
    begin_match(table, *players[:3])
    hurry_to_the_end(table)
    assert trace_match(Match.objects.get().pk)
    assert not MatchTrace.objects.exists()
    paid = make_table(max_seats=3)
    start_match(paid, *players[:3])
    hurry_to_the_end(paid)
    assert trace_match(Match.objects.get(table=paid).pk)
    assert MatchTrace.objects.exists()


def test_a_pair_at_its_limit_meets_at_a_free_table_only(make_free, make_table, players):
    one, other = players[:2]
    record_passed(one, other, 20_000)
    seat_all(make_free(), one, other)
    paid = make_table()
    seat_all(paid, one)
    with pytest.raises(PairIsDone):
        seat_all(paid, other)


def test_pages_of_a_free_match_show_points_and_no_amounts(make_free, players, untouched, client):
    table = make_free(preset="deals2")
    begin_match(table, *players[:2])
    match = hurry_to_the_end(table)
    client.force_login(players[0])
    page = client.get(f"/matches/{match.pk}/").text
    assert "Won or lost" not in page
    assert "service fee" not in page
    assert "chip" not in page[page.index("<main") : page.index("</main>")]
    assert client.get("/matches/").status_code == 200
    assert client.get(f"/matches/{match.pk}/deals/1/").status_code == 200


def test_a_free_table_never_takes_a_fee(make_free, players, untouched):
    table = make_free()
    seat_all(table, players[0])
    assert list_tables_with_old_fee() == []
    assert follow_fee(table.pk) is None
    assert (reload(table).rake_bps, table.rake_cap) == (0, None)


def test_staff_cancel_a_free_match_without_a_refund(make_free, players, untouched):
    table = make_free(preset="pool101")
    match = begin_match(table, *players[:2])
    cancel_and_close(match_id=match.pk, reason="A test.", staff_id=1)
    assert reload(table).status == TableStatus.CLOSED


@pytest.mark.parametrize(
    "terms",
    [
        *({"invite_code": ""}, {"currency": "INR"}, {"is_lesson": True}, {"is_rated": True}),
        {"rake_bps": 1},
        {"min_buy_in": 0, "max_buy_in": 0, "point_value": 1},
    ],
)
def test_the_database_refuses_public_rated_or_charged_free_tables(make_free, terms):
    with pytest.raises(IntegrityError), transaction.atomic():
        Table.objects.filter(pk=make_free().pk).update(**terms)
