"""Frozen and self-excluded players, who are removed from tables and queues."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction
from django.utils import timezone

from core.refusals import Refusal
from tables.learning.lessons import begin_lesson
from tables.models import Match, MatchStatus, QueuePlace, Seat, SeatStatus, Table, TableStatus
from tables.play.bots import PreAction, set_pre_action
from tables.play.cancelling import cancel_match
from tables.play.reading import snapshot
from tables.play.split_offers import open_split_offer
from tables.seating.barring import list_tables_of_barred, release_barred
from tables.seating.hosting.private_tables import open_private
from tables.seating.queue import join_queue, list_kept_chairs, maintain_queue
from tables.seating.sitting import take_seat, top_up
from tables.seating.supply import play_now
from tables.tasks import stand_up_barred
from tests.barring import WAYS, bar, bar_unheard, exclude
from tests.given import reload, require
from tests.tables.driving import (
    BUY_IN,
    WELCOME,
    act,
    chips_of,
    drop,
    end_match,
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
from tests.tables.pools import (
    FEE,
    ask_to_rejoin,
    bring_offer_forward,
    end_rejoin,
    play_to_two,
    pot_of,
)
from tests.tables.seating.hosting.test_host_sheet import CHOICES, SHEET
from tests.wallet.cash_players import bring_deposit
from wallet import api as wallet
from wallet.ledger.balances import get_player_balances, get_seat_balances
from wallet.limits.selectors import find_exclusion
from wallet.models import SelfExclusion
from wallet.money import Currency

__all__ = ["bar", "bar_unheard"]  # fixtures

pytestmark = pytest.mark.django_db
BOTH_WAYS = pytest.mark.parametrize("way", WAYS, indirect=True)


@pytest.fixture
def way(request):
    """The way in which a player is barred: self-exclusion, unless a test asks for both ways."""
    return WAYS[getattr(request, "param", "excluded")]


@pytest.fixture
def refused(way):
    """Check that an act is refused because of the bar, and that it changes nothing."""

    def check(user, attempt):
        def counts():
            counted = [model.objects.count() for model in (Seat, QueuePlace, Table)]
            return [*counted, chips_of(user)]

        before = counts()
        with pytest.raises(Refusal) as refusal:
            attempt()
        assert isinstance(refusal.value, Refusal)
        assert refusal.value.code == way[1].code
        assert counts() == before

    return check


def is_seated(user):
    return Seat.objects.filter(user=user, left_at__isnull=True).exists()


# --- No way in --------------------------------------------------------------------------------


@BOTH_WAYS
def test_a_barred_player_gets_no_seat_lesson_place_or_table(make_table, make_player, bar, refused):
    user, full, free = make_player(), make_table(), make_table()
    seat_all(full, make_player(), make_player())
    template = make_kind()
    bar(user)
    refused(user, lambda: take_seat(table_id=free.pk, user_id=user.pk, amount=BUY_IN))
    refused(user, lambda: play_now(template_id=template.pk, user_id=user.pk))
    refused(user, lambda: open_private(template_id=template.pk, user_id=user.pk))
    refused(user, lambda: begin_lesson(user_id=user.pk, game="indian"))
    refused(user, lambda: join_queue(table_id=full.pk, user_id=user.pk))


def test_pages_say_that_the_player_is_excluded(
    make_table, make_player, client, django_capture_on_commit_callbacks
):
    user, full = make_player(), make_table()
    seat_all(full, make_player(), make_player())
    exclude(user)
    client.force_login(user)
    for address, sent in ((f"/tables/{full.pk}/queue/", {}), (SHEET, CHOICES)):
        page = client.post(address, sent, follow=True).text
        assert "You have excluded yourself from playing for now." in page, address
    assert not QueuePlace.objects.exists()
    assert not Table.objects.filter(opened_by=user).exists()


def test_a_barred_player_cannot_top_up(make_table, make_player, bar_unheard, refused):
    user, table = make_player(), make_table(max_seats=3)
    seat_all(table, user, amount=BUY_IN // 2)
    bar_unheard(user)
    refused(user, lambda: top_up(table_id=table.pk, user_id=user.pk, amount=100))


def test_an_expired_exclusion_bars_nobody(make_table, make_player):
    user, table = make_player(), make_table()
    exclude(user)
    SelfExclusion.objects.update(until=timezone.now())
    seat_all(table, user)
    assert list_tables_of_barred() == []
    assert release_barred(table.pk) is None
    assert is_seated(user)


# --- In whatever state the table is -----------------------------------------------------------


@BOTH_WAYS
def test_the_others_wait_again_when_a_barred_player_leaves_before_the_start(
    make_table, make_player, bar
):
    user, other, table = make_player(), make_player(), make_table()
    seat_all(table, user, other)
    assert reload(table).status == TableStatus.STARTING
    bar(user)
    assert (is_seated(user), is_seated(other)) == (False, True)
    assert chips_of(user) == WELCOME
    assert (reload(table).status, table.deadline_at) == (TableStatus.WAITING, None)
    (event,) = table.changes.latest("version").events
    assert (event["kind"], event["player"]) == ("left_table", user.pk)


@BOTH_WAYS
def test_a_barred_player_leaves_after_the_running_match(make_table, players, bar):
    table = start_match(make_table(max_seats=3), *players[:3])
    user = player_at(table, 0)
    bar(user)
    assert Seat.objects.get(user=user).status == SeatStatus.PLAYING
    change = table.changes.latest("version")
    assert (change.private, change.events) == ({"0": {"last_deal": True}}, [])
    assert require(snapshot(table_id=table.pk, user_id=user.pk)).state["you"]["last_deal"] is True
    assert list_tables_of_barred() == []
    end_match(table)
    assert not is_seated(user)
    assert len(list_seated(table)) == 2
    assert reload(table).status == TableStatus.BETWEEN


def test_a_barred_player_cannot_undo_the_last_deal(make_table, make_player, bar, refused):
    table = start_match(make_table(), make_player(), make_player())
    user = player_at(table, 0)
    bar(user)
    wanted = PreAction(last_deal=False)
    refused(user, lambda: set_pre_action(table_id=table.pk, user_id=user.pk, wanted=wanted))
    assert Seat.objects.get(user=user).is_last_deal


def cancel(table):
    cancel_match(match_id=table.match_id, reason="x", staff_id=1)


@pytest.mark.parametrize("end", [end_match, cancel])
def test_an_unnoticed_barred_player_is_found_at_the_end_of_the_match(
    make_table, players, bar_unheard, end
):
    table = start_match(make_table(max_seats=3), *players[:3])
    user = player_at(table, 1)
    bar_unheard(user)
    assert not Seat.objects.get(user=user).is_last_deal
    end(table)
    assert not is_seated(user)
    assert reload(table).status == TableStatus.BETWEEN


def test_a_barred_player_leaves_at_once_between_two_matches(make_table, make_player, bar):
    table = start_match(make_table(), make_player(), make_player())
    drop(table)
    assert reload(table).status == TableStatus.BETWEEN
    user = player_at(table, 0)
    seat = Seat.objects.get(user=user)
    bar(user)
    assert not is_seated(user)
    assert (
        chips_of(user) + chips_of(player_at(table, 1)) < 2 * WELCOME
    )  # the rest is the other's stack
    assert get_seat_balances([seat.pk])[seat.pk] == 0
    assert reload(table).status == TableStatus.WAITING


@BOTH_WAYS
def test_no_match_begins_with_an_unnoticed_barred_player(make_table, players, bar_unheard):
    user, *others = players[:3]
    table = make_table(max_seats=3)
    seat_all(table, user, *others)
    bar_unheard(user)
    let_time_pass(table)
    match = Match.objects.get(table=table)
    assert sorted(match.participants) == sorted(other.pk for other in others)
    assert (is_seated(user), chips_of(user)) == (False, WELCOME)


def test_no_match_begins_with_one_player_left(make_table, make_player, bar_unheard):
    user, other, table = make_player(), make_player(), make_table(entry_fee=FEE, preset="pool101")
    seat_all(table, user, other)
    bar_unheard(user)
    let_time_pass(table)
    assert not Match.objects.exists()
    assert (is_seated(user), is_seated(other)) == (False, True)
    assert (chips_of(user), chips_of(other)) == (WELCOME, WELCOME - FEE)
    assert reload(table).status == TableStatus.WAITING


@BOTH_WAYS
def test_a_barred_player_cannot_rejoin_a_match(make_table, make_player, bar):
    table, players, match = ask_to_rejoin(make_player, make_table)
    bar(players[0])
    chips = chips_of(players[0])
    played = act(table, 0, kind="rejoin", accept=True)
    assert require(played.refusal).code in {"self_excluded", "account_frozen"}
    assert (pot_of(match), chips_of(players[0])) == (3 * FEE, chips)
    assert act(table, 0, kind="rejoin", accept=False).refusal is None
    end_match(table)
    assert (is_seated(players[0]), chips_of(players[0])) == (False, chips)


def test_a_barred_player_may_still_split_the_prize(make_table, make_player, bar):
    table = play_to_two(make_table, make_player)
    end_rejoin(table)
    bring_offer_forward(table)
    open_split_offer(table.pk)
    asked = game_view(table)["order"][1:]
    user = player_at(table, asked[0])
    bar(user)
    for seat in asked:
        assert act(table, seat, kind="answer_split", accept=True).refusal is None
    assert Match.objects.get(table=table).status == MatchStatus.FINISHED
    assert not is_seated(user)
    assert chips_of(user) > WELCOME - FEE


def test_a_barred_player_waiting_for_the_next_deal_leaves_at_once(make_table, make_player, bar):
    table = start_match(make_table(max_seats=3), make_player(), make_player())
    user = make_player()
    seat_all(table, user)
    bar(user)
    assert (is_seated(user), chips_of(user)) == (False, WELCOME)
    assert reload(table).status == TableStatus.PLAYING


@pytest.mark.parametrize("is_kept", [False, True])
def test_a_barred_player_loses_the_place_in_a_queue(make_table, make_player, bar, is_kept):
    table, user = make_table(), make_player()
    seat_all(table, make_player(), make_player())
    join_queue(table_id=table.pk, user_id=user.pk)
    if is_kept:
        leave(table, player_at(table, 0))
        maintain_queue(table.pk)
        assert chips_of(user) == WELCOME - table.min_buy_in
    bar(user)
    assert not QueuePlace.objects.exists()
    assert list_kept_chairs(user.pk) == []
    assert chips_of(user) == WELCOME


def test_no_chair_is_kept_for_a_barred_player(make_table, make_player, bar_unheard):
    table, user = make_table(), make_player()
    seat_all(table, make_player(), make_player())
    join_queue(table_id=table.pk, user_id=user.pk)
    bar_unheard(user)
    leave(table, player_at(table, 0))
    assert maintain_queue(table.pk) == []
    assert (QueuePlace.objects.exists(), chips_of(user)) == (False, WELCOME)


@BOTH_WAYS
def test_the_tick_stands_up_an_unnoticed_barred_player_once(make_table, make_player, bar_unheard):
    user, table, other = make_player(), make_table(), make_table()
    seat_all(table, user)
    seat_all(other, make_player(), make_player())
    join_queue(table_id=other.pk, user_id=user.pk)
    bar_unheard(user)
    assert is_seated(user)
    assert stand_up_barred() == 1
    assert (is_seated(user), chips_of(user)) == (False, WELCOME)
    assert not QueuePlace.objects.exists()
    assert stand_up_barred() == 0


def test_practice_bots_leave_with_a_barred_player(make_table, make_player, bar):
    user, table = make_player(), make_table(max_seats=3, bots_wanted=2)
    seat_all(table, user)
    seat_a_bot(table)
    bar(user)
    assert list_seated(table) == []
    assert reload(table).bot_due_at is None


def test_the_cash_of_a_barred_player_returns_to_its_buckets(make_player, make_table, bar):
    wallet.set_starting_fees(valid_from=timezone.now(), currency=Currency.INR)
    user, table = make_player(), make_table(currency=Currency.INR)
    bring_deposit(user, 100_000)
    seat_all(table, user)
    assert get_player_balances(user.pk).cash.deposit == 100_000 - BUY_IN
    bar(user)
    assert get_player_balances(user.pk).cash.deposit == 100_000


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("begins", ["sitting", "match"])
def test_an_exclusion_waits_for_the_seat_or_match_that_is_beginning(
    make_table, make_player, begins
):
    user, other, table = make_player(), make_player(), make_table()
    if begins == "match":
        seat_all(table, user, other)

    def exclude_user():
        try:
            exclude(user)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as threads:
        with transaction.atomic():
            if begins == "sitting":
                seat_all(table, user)
            else:
                let_time_pass(table)
            answer = threads.submit(exclude_user)
            with pytest.raises(TimeoutError):
                answer.result(timeout=0.5)
            assert find_exclusion(user.pk) is None
        answer.result(timeout=10)
    if begins == "sitting":
        assert (is_seated(user), chips_of(user)) == (False, WELCOME)
    else:
        assert Seat.objects.get(user=user).is_last_deal
