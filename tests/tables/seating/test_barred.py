"""Frozen and self-excluded players leave tables and lists, and cannot come back."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction
from django.utils import timezone

from accounts.models import User
from tables.learning.lessons import begin_lesson
from tables.models import (
    Match,
    MatchStatus,
    QueuePlace,
    Seat,
    SeatStatus,
    Table,
    TableStatus,
)
from tables.play.bots import PreAction, set_pre_action
from tables.play.move import open_offer
from tables.play.reading import snapshot
from tables.refusals import Refusal
from tables.seating.barring import let_barred_go, list_tables_of_barred
from tables.seating.closing import cancel_match
from tables.seating.hosting.private_tables import open_private
from tables.seating.queue import join_queue, list_kept_chairs, tend_queue
from tables.seating.sitting import leave_table, take_seat, top_up
from tables.seating.supply import play_now
from tables.tasks import stand_up_barred
from tests.barring import WAYS, bar, bar_unheard, exclude
from tests.given import reload, require
from tests.tables.driving import (
    BUY_IN,
    act,
    end_match,
    game_view,
    let_time_pass,
    make_kind,
    player_at,
    seat_all,
    start_match,
)
from tests.tables.play.test_match_entry_fees import FEE, ask_to_rejoin, pot_of
from tests.tables.play.test_offers import offer_is_due, play_to_two, rejoin_is_over
from tests.tables.seating.hosting.test_host_sheet import CHOICES, SHEET
from tests.wallet.cash_players import bring_deposit
from wallet import api as wallet
from wallet.ledger.balances import get_player_balances, get_seat_balances
from wallet.limits.selectors import exclusion_of
from wallet.models import SelfExclusion
from wallet.money import Currency
from wallet.refusals import WalletRefusal

__all__ = ["bar", "bar_unheard"]  # fixtures

pytestmark = pytest.mark.django_db
WELCOME = 10_000
BOTH_WAYS = pytest.mark.parametrize("way", WAYS, indirect=True)


@pytest.fixture
def way(request):
    """The player's own exclusion, unless a test asks for both ways: they differ in words and in who tells of them."""
    return WAYS[getattr(request, "param", "excluded")]


@pytest.fixture
def refused(way):
    """The act is refused for that reason, and whoever tried has what they had."""

    def check(user, attempt):
        seats, places = Seat.objects.count(), QueuePlace.objects.count()
        tables, chips = Table.objects.count(), free_chips(user)
        with pytest.raises((Refusal, WalletRefusal)) as refusal:
            attempt()
        assert isinstance(refusal.value, Refusal | WalletRefusal)
        assert refusal.value.code == way[1].code
        assert (Seat.objects.count(), QueuePlace.objects.count()) == (seats, places)
        assert (Table.objects.count(), free_chips(user)) == (tables, chips)

    return check


def free_chips(user):
    return get_player_balances(user.pk).chips


def sits(user):
    return Seat.objects.filter(user=user, left_at__isnull=True).exists()


def status_of(table):
    return Table.objects.get(pk=table.pk).status


# --- No way in --------------------------------------------------------------------------------


@BOTH_WAYS
def test_no_seat_no_lesson_no_list_no_table_of_ones_own(make_table, make_player, bar, refused):
    user, full, free = make_player(), make_table(), make_table()
    seat_all(full, make_player(), make_player())
    template = make_kind()
    bar(user)
    refused(user, lambda: take_seat(table_id=free.pk, user_id=user.pk, amount=BUY_IN))
    refused(user, lambda: play_now(template_id=template.pk, user_id=user.pk))
    refused(user, lambda: open_private(template_id=template.pk, user_id=user.pk))
    refused(user, lambda: begin_lesson(user_id=user.pk, game="indian"))
    refused(user, lambda: join_queue(table_id=full.pk, user_id=user.pk))


def test_pages_say_why(make_table, make_player, client, django_capture_on_commit_callbacks):
    user, full = make_player(), make_table()
    seat_all(full, make_player(), make_player())
    exclude(user)
    client.force_login(user)
    for address, sent in ((f"/tables/{full.pk}/queue/", {}), (SHEET, CHOICES)):
        page = client.post(address, sent, follow=True).text
        assert "You have excluded yourself from playing for now." in page, address
    assert not QueuePlace.objects.exists()
    assert not Table.objects.filter(opened_by=user).exists()


def test_who_is_at_a_table_brings_nothing_more(make_table, make_player, bar_unheard, refused):
    user, table = make_player(), make_table(max_seats=3)
    seat_all(table, user, amount=BUY_IN // 2)
    bar_unheard(user)
    refused(user, lambda: top_up(table_id=table.pk, user_id=user.pk, amount=100))


def test_an_exclusion_that_is_over_bars_nobody(make_table, make_player):
    user, table = make_player(), make_table()
    exclude(user)
    SelfExclusion.objects.update(until=timezone.now())
    seat_all(table, user)
    assert list_tables_of_barred() == []
    assert let_barred_go(table.pk) is None
    assert sits(user)


# --- In whatever state the table is -----------------------------------------------------------


@BOTH_WAYS
def test_who_waits_alone_is_stood_up_at_once(make_table, make_player, bar):
    user, table = make_player(), make_table()
    seat_all(table, user)
    bar(user)
    assert not sits(user)
    assert free_chips(user) == WELCOME
    assert status_of(table) == TableStatus.WAITING


def test_before_the_start_the_others_wait_again(make_table, make_player, bar):
    user, other, table = make_player(), make_player(), make_table()
    seat_all(table, user, other)
    assert status_of(table) == TableStatus.STARTING
    bar(user)
    assert (sits(user), sits(other)) == (False, True)
    assert free_chips(user) == WELCOME
    assert (reload(table).status, table.deadline_at) == (TableStatus.WAITING, None)
    change = table.changes.latest("version")
    assert [(event["kind"], event["player"]) for event in change.events] == [
        ("left_table", user.pk)
    ]


@BOTH_WAYS
def test_in_a_match_it_is_the_last_one(make_table, make_player, bar):
    players = [make_player() for _ in range(3)]
    table = start_match(make_table(max_seats=3), *players)
    user = player_at(table, 0)
    bar(user)
    assert Seat.objects.get(user=user).status == SeatStatus.PLAYING
    change = table.changes.latest("version")
    assert (change.private, change.events) == ({"0": {"last_deal": True}}, [])
    assert require(snapshot(table_id=table.pk, user_id=user.pk)).state["you"]["last_deal"] is True
    assert list_tables_of_barred() == []
    end_match(table)
    assert not sits(user)
    assert Seat.objects.filter(table=table, left_at__isnull=True).count() == 2
    assert status_of(table) == TableStatus.BETWEEN


def test_nobody_takes_that_back(make_table, make_player, bar, refused):
    table = start_match(make_table(), make_player(), make_player())
    user = player_at(table, 0)
    bar(user)
    wanted = PreAction(last_deal=False)
    refused(user, lambda: set_pre_action(table_id=table.pk, user_id=user.pk, wanted=wanted))
    assert Seat.objects.get(user=user).is_last_deal


def test_the_end_of_a_match_asks_anew(make_table, make_player, bar_unheard):
    """Nobody heard of it: the seat was not marked."""
    table = start_match(make_table(max_seats=3), *(make_player() for _ in range(3)))
    user = player_at(table, 1)
    bar_unheard(user)
    assert not Seat.objects.get(user=user).is_last_deal
    end_match(table)
    assert not sits(user)
    assert status_of(table) == TableStatus.BETWEEN


def test_between_two_matches_at_once(make_table, make_player, bar):
    table = start_match(make_table(), make_player(), make_player())
    act(table, game_view(table)["turn"], kind="drop")
    assert status_of(table) == TableStatus.BETWEEN
    user = player_at(table, 0)
    before = Seat.objects.get(user=user)
    bar(user)
    assert not sits(user)
    assert free_chips(user) + free_chips(player_at(table, 1)) < 2 * WELCOME  # the other's stack
    assert get_seat_balances([before.pk])[before.pk] == 0
    assert status_of(table) == TableStatus.WAITING


@BOTH_WAYS
def test_no_match_begins_with_them(make_table, make_player, bar_unheard):
    """Nobody heard of it, and the timer runs out."""
    user, others, table = make_player(), [make_player(), make_player()], make_table(max_seats=3)
    seat_all(table, user, *others)
    bar_unheard(user)
    let_time_pass(table)
    match = Match.objects.get(table=table)
    assert sorted(match.participants) == sorted(other.pk for other in others)
    assert (sits(user), free_chips(user)) == (False, WELCOME)


def test_with_one_left_no_match_begins(make_table, make_player, bar_unheard):
    user, other, table = make_player(), make_player(), make_table(entry_fee=FEE, preset="pool101")
    seat_all(table, user, other, amount=FEE)
    bar_unheard(user)
    let_time_pass(table)
    assert not Match.objects.exists()
    assert (sits(user), sits(other)) == (False, True)
    assert (free_chips(user), free_chips(other)) == (WELCOME, WELCOME - FEE)
    assert status_of(table) == TableStatus.WAITING


@BOTH_WAYS
def test_nobody_comes_back_into_a_match(make_table, make_player, bar):
    table, players, match = ask_to_rejoin(make_player, make_table)
    bar(players[0])
    chips = free_chips(players[0])
    played = act(table, 0, kind="rejoin", accept=True)
    assert require(played.refusal).code in {"self_excluded", "account_frozen"}
    assert (pot_of(match), free_chips(players[0])) == (3 * FEE, chips)
    assert act(table, 0, kind="rejoin", accept=False).refusal is None
    end_match(table)
    assert (sits(players[0]), free_chips(players[0])) == (False, chips)


def test_a_prize_may_still_be_split(make_table, make_player, bar):
    table = play_to_two(make_table, make_player)
    rejoin_is_over(table)
    offer_is_due(table)
    open_offer(table.pk)
    asked = game_view(table)["order"][1]
    user = player_at(table, asked)
    bar(user)
    for seat in game_view(table)["order"][1:]:
        assert act(table, seat, kind="answer_split", accept=True).refusal is None
    assert Match.objects.get(table=table).status == MatchStatus.FINISHED
    assert not sits(user)
    assert free_chips(user) > WELCOME - FEE


def test_who_sat_down_for_the_next_deal_goes_at_once(make_table, make_player, bar):
    table = start_match(make_table(max_seats=3), make_player(), make_player())
    user = make_player()
    take_seat(table_id=table.pk, user_id=user.pk, amount=BUY_IN)
    bar(user)
    assert (sits(user), free_chips(user)) == (False, WELCOME)
    assert status_of(table) == TableStatus.PLAYING


def test_after_a_void_they_are_gone(make_table, make_player, bar_unheard):
    players = [make_player() for _ in range(3)]
    table = start_match(make_table(max_seats=3), *players)
    bar_unheard(players[0])
    cancel_match(match_id=Match.objects.get(table=table).pk, reason="x", staff_id=1)
    assert (sits(players[0]), free_chips(players[0])) == (False, WELCOME)
    assert status_of(table) == TableStatus.BETWEEN


@pytest.mark.parametrize("is_kept", [False, True])
def test_a_place_in_a_list_is_given_up(make_table, make_player, bar, is_kept):
    table, user = make_table(), make_player()
    seat_all(table, make_player(), make_player())
    join_queue(table_id=table.pk, user_id=user.pk)
    if is_kept:
        leave_table(table_id=table.pk, user_id=player_at(table, 0).pk)
        tend_queue(table.pk)
        assert free_chips(user) == WELCOME - table.min_buy_in
    bar(user)
    assert not QueuePlace.objects.exists()
    assert list_kept_chairs(user.pk) == []
    assert free_chips(user) == WELCOME


def test_no_chair_is_kept_for_them(make_table, make_player, bar_unheard):
    table, user = make_table(), make_player()
    seat_all(table, make_player(), make_player())
    join_queue(table_id=table.pk, user_id=user.pk)
    bar_unheard(user)
    leave_table(table_id=table.pk, user_id=player_at(table, 0).pk)
    assert tend_queue(table.pk) == []
    assert (QueuePlace.objects.exists(), free_chips(user)) == (False, WELCOME)


@BOTH_WAYS
def test_the_tick_finds_what_nobody_heard_of_and_does_it_once(make_table, make_player, bar_unheard):
    user, table, other = make_player(), make_table(), make_table()
    seat_all(table, user)
    seat_all(other, make_player(), make_player())
    join_queue(table_id=other.pk, user_id=user.pk)
    bar_unheard(user)
    assert sits(user)
    assert stand_up_barred() == 1
    assert (sits(user), free_chips(user)) == (False, WELCOME)
    assert not QueuePlace.objects.exists()
    assert stand_up_barred() == 0


def test_their_bots_do_not_stay(make_table, make_player, bar):
    user, table = make_player(), make_table(max_seats=3, bots_wanted=2)
    seat_all(table, user)
    Table.objects.filter(pk=table.pk).update(bot_due_at=timezone.now())
    bar(user)
    assert not Seat.objects.filter(table=table, left_at__isnull=True).exists()
    assert Table.objects.get(pk=table.pk).bot_due_at is None


def test_cash_comes_back_to_its_buckets(make_player, make_table, bar):
    wallet.set_starting_fees(valid_from=timezone.now(), currency=Currency.INR)
    user, table = make_player(), make_table(currency=Currency.INR)
    bring_deposit(user, 100_000)
    seat_all(table, user)
    assert get_player_balances(user.pk).cash.deposit == 100_000 - BUY_IN
    bar(user)
    assert get_player_balances(user.pk).cash.deposit == 100_000


@pytest.mark.django_db(transaction=True)
def test_the_real_commit_stands_them_up(make_table, make_player):
    user, table = make_player(), make_table()
    seat_all(table, user)
    exclude(user)
    assert not connection.in_atomic_block
    assert (sits(user), free_chips(user)) == (False, WELCOME)
    assert User.objects.get(pk=user.pk).is_active


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("act_", ["sit", "start"])
def test_what_has_begun_is_found_by_who_comes_after_it(make_table, make_player, act_):
    """The exclusion waits for the seat, or the match, that is being given at this moment."""
    user, other, table = make_player(), make_player(), make_table()
    if act_ == "start":
        seat_all(table, user, other)

    def exclude_user():
        try:
            exclude(user)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as threads:
        with transaction.atomic():
            if act_ == "sit":
                seat_all(table, user)
            else:
                let_time_pass(table)
            answer = threads.submit(exclude_user)
            with pytest.raises(TimeoutError):
                answer.result(timeout=0.5)
            assert exclusion_of(user.pk) is None
        answer.result(timeout=10)
    if act_ == "sit":
        assert (sits(user), free_chips(user)) == (False, WELCOME)
    else:
        assert Seat.objects.get(user=user).is_last_deal
