"""Tables at which nothing is at stake: played like any other, without a movement of money."""

import json

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from games.registry import GAMES
from tables.history.archiving import archive_matches
from tables.history.fairplay.tracing import trace_match
from tables.history.records import deal_record
from tables.house_rules.facts import rules_at
from tables.models import (
    ChipsPassed,
    DayTotal,
    Match,
    MatchStatus,
    MatchTrace,
    PlayerRating,
    QueuePlace,
    Seat,
    SeatStatus,
    Table,
    TableStatus,
)
from tables.play.reading import snapshot, words_of_table
from tables.play.start import follow_fee, list_tables_with_old_fee
from tables.ranking.ratings import SETTLES_WITHIN, count_matches
from tables.refusals import BuyInOutOfRange, PairIsDone, TooManyTables
from tables.seating.barring import list_tables_of_barred
from tables.seating.closing import cancel_match
from tables.seating.queue import join_queue, tend_queue
from tables.seating.sitting import leave_table, take_seat, top_up
from tests.barring import bar, bar_unheard, way
from tests.given import reload, require
from tests.tables.driving import act, hurry_to_the_end, let_time_pass, play_to_the_end, start_match
from tests.tables.history.test_archiving import grow_old
from tests.tables.history.test_records import verify
from tests.tables.play.test_match_entry_fees import lose_deals
from tests.tables.seating.test_companions import record_passed
from wallet.ledger.checks import reconcile
from wallet.models import Journal
from wallet.refusals import WalletRefusal

__all__ = ["bar", "bar_unheard", "way"]
pytestmark = pytest.mark.django_db
CODE = "abcdefghijkl"


@pytest.fixture
def make_free(make_table):
    def make(**terms):
        return make_table(point_value=0, entry_fee=0, invite_code=CODE, **terms)

    return make


@pytest.fixture
def players(make_player):
    return [make_player() for _ in range(3)]


@pytest.fixture
def untouched(players):
    """Assert at the end that the ledger is as it was after the welcome chips."""
    before = list(Journal.objects.order_by("pk").values_list("pk", flat=True))
    yield
    assert list(Journal.objects.order_by("pk").values_list("pk", flat=True)) == before
    assert reconcile().findings == ()


def sit(table, *players):
    for player in players:
        take_seat(table_id=table.pk, user_id=player.pk, amount=0, invite=CODE)


def begin(table, *players):
    sit(table, *players)
    let_time_pass(table)
    assert reload(table).status == TableStatus.PLAYING
    return Match.objects.get(table=table)


ALL = [
    (game.code, preset, format.seats[0])
    for game in GAMES.values()
    for format in game.formats
    for preset in format.presets[:1]
]


@pytest.mark.parametrize(("game", "preset", "seats"), ALL)
def test_every_format_is_played_for_nothing(make_free, players, untouched, game, preset, seats):
    table = make_free(game=game, preset=preset, max_seats=seats)
    match = begin(table, *players[:seats])
    hurry_to_the_end(table, strength="hard" if game == "contract" else "easy")
    table.refresh_from_db()
    assert reload(match).status == MatchStatus.FINISHED
    assert (match.settlement, table.settlement) == (None, None)
    assert require(match.result)["winners"]
    # They stay and play on: nobody has to bring anything.
    assert table.status == TableStatus.BETWEEN
    assert Seat.objects.filter(table=table, status=SeatStatus.WAITING).count() == seats


def test_a_deal_for_nothing_has_a_whole_record(make_free, players, untouched):
    table = make_free()
    match = begin(table, *players[:2])
    play_to_the_end(table)
    assert verify(json.loads(json.dumps(deal_record(match_id=match.pk, number=1))))[0] == 0


def test_nothing_but_nothing_can_be_brought(make_free, players, untouched):
    table, player = make_free(), players[0]
    for amount in (1, 800, -1):
        with pytest.raises(BuyInOutOfRange):
            take_seat(table_id=table.pk, user_id=player.pk, amount=amount, invite=CODE)
    sit(table, player)
    for amount in (0, 1):
        with pytest.raises(BuyInOutOfRange):
            top_up(table_id=table.pk, user_id=player.pk, amount=amount)
    seen = require(snapshot(table_id=table.pk, user_id=player.pk)).state
    assert [seen["table"][key] for key in ("point_value", "entry_fee", "min_buy_in", "pot")] == [
        *(0, 0, 0),
        None,
    ]
    leave_table(table_id=table.pk, user_id=player.pk)
    assert Seat.objects.get().status == SeatStatus.LEFT


def test_without_a_chip_one_sits_down_by_the_page(make_free, make_player, client):
    table, poor = make_free(), make_player(chips=False)
    client.force_login(poor)
    page = client.get(f"/tables/{table.pk}/", {"invite": CODE}).text
    assert "Free: nothing is at stake" in page
    client.post(f"/tables/{table.pk}/sit/", {"seat": "1", "amount": "0", "invite": CODE})
    assert Seat.objects.get().user_id == poor.pk


def test_no_prize_is_shared_and_coming_back_costs_nothing(make_free, players, untouched):
    table = make_free(preset="pool201", max_seats=3)
    assert table.rules["split"] is False
    # That is so at every free table, and nobody has to read it.
    assert words_of_table(table.pk)["own_rules"] == []
    assert not any(fact.is_own for fact in rules_at(table.pk)["facts"])
    match = begin(table, *players)
    assert lose_deals(table, 0)["phase"] == "rejoin"
    assert act(table, 0, kind="rejoin", accept=True).refusal is None
    hurry_to_the_end(table)
    assert reload(match).status == MatchStatus.FINISHED


def test_a_barred_player_neither_sits_nor_waits_nor_comes_back(make_free, players, bar_unheard):
    table = make_free(preset="pool201", max_seats=3)
    begin(table, *players)
    lose_deals(table, 0)
    bar_unheard(players[0])
    refusal = act(table, 0, kind="rejoin", accept=True).refusal
    assert require(refusal).code in {"self_excluded", "account_frozen"}
    other = make_free()
    with pytest.raises(WalletRefusal):
        sit(other, players[0])
    assert not other.sittings.exists()
    assert list_tables_of_barred() == [table.pk]


def test_a_barred_player_is_stood_up_before_the_match(make_free, players, bar_unheard):
    table = make_free()
    sit(table, *players[:2])
    bar_unheard(players[0])
    let_time_pass(table)
    assert not Match.objects.exists()
    held = Seat.objects.filter(table=table, left_at=None)
    assert list(held.values_list("user", flat=True)) == [players[1].pk]


def test_a_chair_is_kept_without_a_hold(make_free, players, untouched, make_player):
    table = make_free()
    sit(table, *players[:2])
    join_queue(table_id=table.pk, user_id=players[2].pk, invite=CODE)
    leave_table(table_id=table.pk, user_id=players[0].pk)
    assert [chair.user_id for chair in tend_queue(table.pk)] == [players[2].pk]
    assert QueuePlace.objects.get().hold_id is None
    sit(table, players[2])
    assert not QueuePlace.objects.exists()


def test_a_friend_who_comes_late_takes_a_chair_for_the_next_match(make_free, players, untouched):
    table = make_free(preset="pool61", max_seats=3)
    begin(table, *players[:2])
    sit(table, players[2])
    late = Seat.objects.get(user=players[2])
    assert (late.status, len(Match.objects.get().players)) == (SeatStatus.WAITING, 2)
    hurry_to_the_end(table)
    let_time_pass(table)
    assert len(Match.objects.latest("pk").players) == 3


def test_no_sum_of_chips_counts_it_and_no_limit_of_chips_binds_it(
    make_free, make_table, players, untouched
):
    one, other = players[:2]
    record_passed(one, other, 20_000)
    table = make_free()
    match = begin(table, one, other)
    hurry_to_the_end(table)
    assert list_tables_of_barred() == []
    Match.objects.filter(pk=match.pk).update(ended_at=timezone.now() - 2 * SETTLES_WITHIN)
    assert count_matches() == 1
    assert abs(ChipsPassed.objects.get().chips) == 20_000
    assert not PlayerRating.objects.exists()
    assert not DayTotal.objects.exists()


def test_help_among_friends_is_no_evidence(make_free, make_table, players):
    table = make_free(max_seats=3)
    begin(table, *players)
    play_to_the_end(table)
    assert trace_match(Match.objects.get().pk)
    assert not MatchTrace.objects.exists()
    paid = make_table(max_seats=3)
    start_match(paid, *players)
    play_to_the_end(paid)
    assert trace_match(Match.objects.get(table=paid).pk)
    assert MatchTrace.objects.exists()


def test_of_two_who_have_played_enough_a_paid_table_still_knows(make_free, make_table, players):
    one, other = players[:2]
    record_passed(one, other, 20_000)
    sit(make_free(), one, other)
    paid = make_table()
    take_seat(table_id=paid.pk, user_id=one.pk, amount=800)
    with pytest.raises(PairIsDone):
        take_seat(table_id=paid.pk, user_id=other.pk, amount=800)


def test_as_many_tables_as_any_others_and_no_more(make_free, players, settings, untouched):
    settings.TABLES_AT_ONCE = 1
    sit(make_free(), players[0])
    with pytest.raises(TooManyTables):
        sit(make_free(), players[0])


def test_pages_tell_points_and_no_amount(make_free, players, untouched, client):
    table = make_free(preset="deals2")
    match = begin(table, *players[:2])
    play_to_the_end(table)
    client.force_login(players[0])
    page = client.get(f"/matches/{match.pk}/").text
    assert "Won or lost" not in page
    assert "service fee" not in page
    assert "chip" not in page[page.index("<main") : page.index("</main>")]
    assert client.get("/matches/").status_code == 200
    assert client.get(f"/matches/{match.pk}/deals/1/").status_code == 200


def test_it_is_archived_and_replayed_like_any_match(make_free, players, untouched):
    table = make_free()
    match = begin(table, *players[:2])
    play_to_the_end(table)
    before = deal_record(match_id=match.pk, number=1)
    grow_old(match, days=400)
    assert archive_matches() == 1
    assert deal_record(match_id=match.pk, number=1) == before


def test_no_fee_ever_comes_to_it(make_free, players, untouched):
    table = make_free()
    sit(table, players[0])
    assert list_tables_with_old_fee() == []
    assert follow_fee(table.pk) is None
    assert (reload(table).rake_bps, table.rake_cap) == (0, None)


def test_staff_cancel_it_without_a_refund(make_free, players, untouched):
    table = make_free(preset="pool101")
    match = begin(table, *players[:2])
    cancel_match(match_id=match.pk, reason="A test.", staff_id=1, closes_table=True)
    assert reload(table).status == TableStatus.CLOSED


@pytest.mark.parametrize(
    "terms",
    [
        {"invite_code": ""},
        {"currency": "INR"},
        {"is_lesson": True},
        {"is_rated": True},
        {"rake_bps": 1},
    ],
)
def test_the_database_allows_free_tables_to_private_ones_alone(make_free, terms):
    table = make_free()
    with pytest.raises(IntegrityError), transaction.atomic():
        Table.objects.filter(pk=table.pk).update(**terms)
    with pytest.raises(IntegrityError), transaction.atomic():
        Table.objects.filter(pk=table.pk).update(min_buy_in=0, max_buy_in=0, point_value=1)
