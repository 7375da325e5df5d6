"""Players who may not sit together: same device or address, daily limit, separated by staff."""

from contextlib import nullcontext
from datetime import UTC, date, datetime, timedelta

import pytest
from django.db.models.functions import Now
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.models.sessions import NOWHERE, Origin
from accounts.origins import COOKIE
from config.account_data.closing import forget_origins
from core.models import OutgoingEmail
from players.ranking.pairs import chips_between
from players.ranking.ratings import SETTLES_WITHIN, count_matches
from tables.models import (
    ChipsPassed,
    Match,
    OneAccountPer,
    PairEvidence,
    QueuePlace,
    Seat,
    SeatStatus,
    Table,
)
from tables.refusals import ADDRESS_IS_SEATED, DEVICE_IS_SEATED, KEPT_APART, PairIsDone
from tables.seating.barring import list_tables_of_barred, release_barred
from tables.seating.companions import (
    get_one_account_per,
    list_tables_of_done_pairs,
    sum_won_at_home,
)
from tables.seating.queue import join_queue, maintain_queue
from tables.seating.sitting import leave_table
from tables.seating.supply import keep_supplied, play_now
from tests.refusals import refused
from tests.tables.driving import (
    BUY_IN,
    WELCOME,
    chips_of,
    drop,
    game_view,
    leave,
    let_time_pass,
    list_seated,
    make_kind,
    play_a_turn,
    player_at,
    seat_all,
    start_match,
)
from wallet.ledger.balances import get_player_balances
from wallet.money import Currency

pytestmark = pytest.mark.django_db
ADDRESS = "203.0.113.7"
HOME = Origin(device="phone", address="home")
SOFA = Origin(device="tablet", address="home")
AWAY = Origin(device="laptop", address="work")


def seat_from(origin, table, user):
    seat_all(table, user, amount=table.min_buy_in, origin=origin)


@pytest.mark.parametrize(
    ("rule", "second", "refusal"),
    [
        (OneAccountPer.ANYTHING, HOME, None),
        (OneAccountPer.DEVICE, HOME, DEVICE_IS_SEATED),
        (OneAccountPer.DEVICE, SOFA, None),
        (OneAccountPer.ADDRESS, HOME, DEVICE_IS_SEATED),
        (OneAccountPer.ADDRESS, SOFA, ADDRESS_IS_SEATED),
        (OneAccountPer.ADDRESS, AWAY, None),
        # Both origins are unknown.
        (OneAccountPer.ADDRESS, NOWHERE, None),
    ],
)
def test_a_table_takes_one_account_of_each_place(make_table, make_player, rule, second, refusal):
    table, one, other = make_table(one_account_per=rule, max_seats=4), make_player(), make_player()
    seat_from(HOME if second != NOWHERE else NOWHERE, table, one)
    if refusal is None:
        seat_from(second, table, other)
        assert list_seated(table) == [one.pk, other.pk]
        return
    before = get_player_balances(other.pk)
    with refused(refusal):
        seat_from(second, table, other)
    assert list_seated(table) == [one.pk]
    assert get_player_balances(other.pk) == before


def test_a_player_cannot_queue_for_a_chair_they_could_not_take(make_table, make_player):
    table, mate = make_table(), make_player()
    seat_from(HOME, table, make_player())
    seat_from(AWAY, table, make_player())
    with refused(DEVICE_IS_SEATED):
        join_queue(table_id=table.pk, user_id=mate.pk, origin=HOME)
    assert not QueuePlace.objects.exists()
    assert join_queue(table_id=table.pk, user_id=mate.pk, origin=SOFA) == 1


def test_a_device_may_sit_again_when_its_other_account_has_left(make_table, make_player):
    table, one, other = make_table(max_seats=4), make_player(), make_player()
    seat_from(HOME, table, one)
    leave(table, one)
    seat_from(HOME, table, other)
    assert list_seated(table) == [other.pk]


@pytest.mark.parametrize(
    ("is_on", "seats", "currency", "rule"),
    [
        (True, 3, Currency.INR, OneAccountPer.ADDRESS),
        (True, 2, Currency.INR, OneAccountPer.ANYTHING),
        (False, 3, Currency.INR, OneAccountPer.ANYTHING),
        (True, 3, Currency.CHIPS, OneAccountPer.ANYTHING),
    ],
)
def test_cash_tables_of_three_take_one_account_an_address(settings, is_on, seats, currency, rule):
    settings.CASH_ONE_ACCOUNT_PER_ADDRESS = is_on
    assert (
        get_one_account_per(Table(currency=currency, max_seats=seats, one_account_per="")) == rule
    )


def test_play_now_finds_a_table_without_the_other_account(make_player, fees):
    template = make_kind(name="Peepal", max_seats=6, is_open=True)
    keep_supplied()
    one, other = make_player(), make_player()
    first = play_now(template_id=template.pk, user_id=one.pk, origin=HOME).table_id
    second = play_now(template_id=template.pk, user_id=other.pk, origin=HOME).table_id
    assert first != second
    third = play_now(template_id=template.pk, user_id=make_player().pk, origin=AWAY).table_id
    assert third in (first, second)


def test_no_chair_is_kept_for_a_player_who_may_no_longer_sit_there(make_table, make_player):
    table = make_table()
    one, two, waits = (make_player() for _ in range(3))
    seat_from(Origin("a", "a"), table, one)
    seat_from(Origin("b", "b"), table, two)
    join_queue(table_id=table.pk, user_id=waits.pk, origin=HOME)
    leave(table, one)
    # Until the next tick anybody may take the seat.
    Seat.objects.filter(user=two, left_at=None).update(device_mark=HOME.device)
    assert maintain_queue(table.pk) == []
    assert not QueuePlace.objects.exists()
    assert chips_of(waits) == WELCOME


def test_the_page_says_that_another_account_of_the_browser_sits_there(make_table, make_player):
    table, one, other = make_table(max_seats=4), make_player(), make_player()
    for user in (one, other):
        client = Client(REMOTE_ADDR=ADDRESS)
        client.cookies[COOKIE] = "A" * 22
        client.force_login(user)
        form = {"amount": BUY_IN, "seat": ""}
        body = client.post(f"/tables/{table.pk}/sit/", form, follow=True).text
        assert ("Another account of your browser sits at this table" in body) == (user == other)
    assert list_seated(table) == [one.pk]
    marks = Seat.objects.get(user=one)
    assert len(marks.device_mark) == len(marks.address_mark) == 32
    assert marks.device_mark != marks.address_mark


@pytest.mark.parametrize(
    ("amounts", "one", "other", "chips"),
    [
        # The winnings without the house's tenth.
        ({0: -100, 1: 90}, 1, 0, 90),
        ({0: -100, 1: 90}, 0, 1, -90),
        ({0: -100, 1: -50, 2: 135}, 2, 0, 90),
        ({0: -100, 1: -50, 2: 135}, 2, 1, 45),
        ({0: -100, 1: -50, 2: 135}, 0, 1, 0),
        # The two winners share them.
        ({0: -90, 1: 60, 2: 30}, 1, 0, 60),
        ({0: -90, 1: 60, 2: 30}, 2, 0, 30),
        ({0: 0, 1: 0}, 0, 1, 0),
    ],
)
def test_the_chips_one_player_has_won_from_another(amounts, one, other, chips):
    assert chips_between(amounts, one, other) == chips


def count_finished():
    """Make the finished matches old enough to count. Return how many have now been counted."""
    ended = Now() - SETTLES_WITHIN - timedelta(seconds=1)
    Match.objects.filter(status="FINISHED").update(ended_at=ended)
    return count_matches()


def test_a_finished_match_is_added_to_its_pair_once(make_table, make_player):
    table, one, other = make_table(point_value=10), make_player(), make_player()
    start_match(table, one, other)
    Seat.objects.filter(user__in=[one, other]).update(address_mark="home")
    loser = [one, other][drop(table)]
    assert count_finished() == 1
    pair = ChipsPassed.objects.get()
    assert (pair.low_id, pair.high_id, pair.day) == (one.pk, other.pk, timezone.localdate())
    # R5.1: 20 points of ten chips; a tenth is the service fee.
    assert pair.chips == (180 if loser == other else -180)
    assert pair.one_origin
    assert sum_won_at_home(one.pk, day=pair.day) == pair.chips
    assert sum_won_at_home(other.pk, day=pair.day) == -pair.chips
    assert count_matches() == 0
    assert ChipsPassed.objects.get() == pair


def record_passed(one, other, chips, *, one_origin=False, days_ago=0):
    low, high = sorted([one, other], key=lambda user: user.pk)
    return ChipsPassed.objects.create(
        day=timezone.localdate() - timedelta(days=days_ago),
        low=low,
        high=high,
        chips=chips if low == one else -chips,
        one_origin=one_origin,
    )


@pytest.mark.parametrize(
    ("chips", "days_ago", "refused"),
    [(19_999, 0, False), (20_000, 0, True), (-20_000, 0, True), (20_000, 1, False)],
)
def test_a_pair_at_its_daily_limit_does_not_sit_together(
    make_table, make_player, chips, days_ago, refused
):
    table, one, other = make_table(max_seats=4), make_player(), make_player()
    record_passed(one, other, chips, days_ago=days_ago)
    seat_from(HOME, table, one)
    with pytest.raises(PairIsDone, match=one.player_name) if refused else nullcontext():
        seat_from(AWAY, table, other)
    assert list_seated(table) == ([one.pk] if refused else [one.pk, other.pk])


def test_all_accounts_of_one_address_share_a_daily_limit(settings, make_table, make_player):
    table, main = make_table(max_seats=4), make_player()
    for helper in (make_player(), make_player()):
        record_passed(main, helper, 10_000, one_origin=True)
    fresh, stranger = make_player(), make_player()
    seat_from(HOME, table, main)
    with pytest.raises(PairIsDone):
        seat_from(SOFA, table, fresh)
    seat_from(AWAY, table, stranger)
    assert list_seated(table) == [main.pk, stranger.pk]
    settings.CHIPS_BETWEEN_TWO_A_DAY = 0
    seat_from(SOFA, table, fresh)


def test_the_later_of_a_pair_at_its_limit_leaves_after_the_match(make_table, make_player):
    table, one, other = make_table(), make_player(), make_player()
    start_match(table, one, other)
    assert list_tables_of_done_pairs() == []
    record_passed(other, one, 25_000)
    assert list_tables_of_done_pairs() == [table.pk]
    assert list_tables_of_barred() == [table.pk]
    assert list_tables_of_barred(user_id=one.pk) == []
    release_barred(table.pk)
    # The match is played to its end.
    assert list_seated(table) == [one.pk, other.pk]
    assert Seat.objects.get(user=other).is_last_deal
    assert not Seat.objects.get(user=one).is_last_deal
    assert list_tables_of_barred() == []
    mail = OutgoingEmail.objects.get()
    assert (mail.user, mail.subject) == (other, "You must leave a table: a daily limit is reached")
    drop(table)
    assert list_seated(table) == [one.pk]
    assert OutgoingEmail.objects.count() == 1


def test_the_later_of_a_pair_at_its_limit_leaves_between_matches(make_table, make_player):
    table, one, other = make_table(max_seats=4), make_player(), make_player()
    seat_from(HOME, table, one)
    seat_from(AWAY, table, other)
    record_passed(one, other, 20_000)
    chips = chips_of(other)
    assert release_barred(table.pk) is not None
    assert list_seated(table) == [one.pk]
    assert chips_of(other) == chips + table.min_buy_in
    assert release_barred(table.pk) is None


def test_pairs_and_origins_are_forgotten_after_ninety_days(make_table, make_player):
    table, one, other = make_table(), make_player(), make_player()
    seat_from(HOME, table, one)
    seat_from(AWAY, table, other)
    leave(table, one)
    old, now = record_passed(one, other, 5, days_ago=91), timezone.now()
    kept = record_passed(one, other, 5, days_ago=90)
    assert forget_origins(now=now) == 1
    assert list(ChipsPassed.objects.all()) == [kept]
    assert old.pk != kept.pk
    assert forget_origins(now=now + timedelta(days=90, minutes=1)) == 2
    assert Seat.objects.get(user=one).origin == NOWHERE
    # Seated players keep their origins.
    assert Seat.objects.get(user=other).origin == AWAY
    assert Seat.objects.get(user=other).status != SeatStatus.LEFT


@pytest.mark.parametrize(
    ("hour", "forgotten"), [(18, 0), (19, 1)], ids=["before midnight there", "after it"]
)
def test_the_ninety_days_end_at_midnight_of_the_site(settings, make_player, hour, forgotten):
    settings.TIME_ZONE = "Asia/Kolkata"  # midnight in India is 18:30 UTC
    low, high = sorted([make_player(), make_player()], key=lambda user: user.pk)
    ChipsPassed.objects.create(day=date(2026, 3, 1), low=low, high=high, chips=5)
    assert forget_origins(now=datetime(2026, 5, 30, hour, tzinfo=UTC)) == forgotten


def register(number):
    """Register an account in a new browser, always from the same address."""
    browser = Client(REMOTE_ADDR=ADDRESS)
    browser.get("/accounts/signup/")
    form = {
        "email": f"farm{number}@example.com",
        "password1": "a-long-enough-word-4",
        "player_name": f"Farm {number}",
        "adult": "on",
    }
    assert browser.post("/accounts/signup/", form).status_code == 302
    return User.objects.get(email=form["email"]), browser


def sit_by_page(table, *browsers):
    for browser in browsers:
        browser.post(f"/tables/{table.pk}/sit/", {"amount": table.max_buy_in // 2, "seat": ""})


def lose_on_purpose(table, loser):
    """Let this player drop match after match until the two may no longer sit together."""
    for _match in range(100):
        if len(list_seated(table)) < 2:
            return
        let_time_pass(table)
        while player_at(table, game_view(table)["turn"]) != loser:
            play_a_turn(table)
        drop(table)
        count_finished()
        release_barred(table.pk)
    raise AssertionError("nothing keeps them apart")


def test_a_player_gains_little_by_many_accounts(settings, make_table):
    """The other accounts share the player's address and lose to the first account on purpose."""
    settings.WELCOMES_OF_AN_ADDRESS = 4
    settings.CHIPS_BETWEEN_TWO_A_DAY = 1_000
    accounts = [register(number) for number in range(6)]
    # More accounts bring no more chips.
    assert [chips_of(user) for user, _ in accounts] == [WELCOME] * 4 + [0, 0]

    (main, browser), *farm = accounts[:4]
    gains = []
    for helper, other_browser in farm:
        before = chips_of(main)
        table = make_table(point_value=10)
        sit_by_page(table, browser, other_browser)
        if len(list_seated(table)) == 2:
            lose_on_purpose(table, helper)
        for user in list_seated(table):
            leave_table(table_id=table.pk, user_id=user)
        gains.append(chips_of(main) - before)
    # R5.3: the match that reaches the bound costs at most a middle drop, 40 points of ten chips.
    assert 1_000 <= gains[0] <= 1_000 + 400
    assert gains[1:] == [0, 0]


@pytest.fixture
def pair(make_player):
    one, other = make_player(), make_player()
    PairEvidence.objects.create(low=one, high=other, kept_apart_since=timezone.now())
    return one, other


def test_the_second_of_a_pair_kept_apart_gets_no_seat(pair, make_table):
    one, other = pair
    table = make_table(max_seats=4)
    seat_all(table, other)
    before = chips_of(one)
    with refused(KEPT_APART, match="Help and contact"):
        seat_all(table, one)
    assert list(Seat.objects.values_list("user", flat=True)) == [other.pk]
    assert chips_of(one) == before
    leave(table, other)
    seat_all(table, one)
    assert list_seated(table) == [one.pk]
    PairEvidence.objects.update(kept_apart_since=None)
    seat_all(table, other)
    assert list_seated(table) == [one.pk, other.pk]


def test_a_player_kept_apart_cannot_queue_beside_the_other(pair, make_table, make_player):
    one, other = pair
    table = make_table()
    seat_all(table, other, make_player())
    with refused(KEPT_APART):
        join_queue(table_id=table.pk, user_id=one.pk)
    assert not QueuePlace.objects.exists()


def test_a_chair_is_kept_for_the_next_player_who_may_sit_there(pair, make_table, make_player):
    one, _other = pair
    table = make_table()
    first, second, third = make_player(), make_player(), make_player()
    seat_all(table, first, second)
    join_queue(table_id=table.pk, user_id=one.pk)
    join_queue(table_id=table.pk, user_id=third.pk)
    leave(table, first)
    PairEvidence.objects.update(low=min(one.pk, second.pk), high=max(one.pk, second.pk))
    assert [chair.user_id for chair in maintain_queue(table.pk)] == [third.pk]
    assert QueuePlace.objects.get(user=one).offered_until is None


def test_the_queries_of_a_tick_do_not_grow_with_the_queue(
    pair, make_table, make_player, django_assert_max_num_queries
):
    one, _other = pair
    table = make_table()
    seat_all(table, make_player(), make_player())
    counts = []
    for newcomers in ([one], [make_player() for _ in range(5)]):
        for player in newcomers:
            join_queue(table_id=table.pk, user_id=player.pk)
        with django_assert_max_num_queries(50) as captured:
            assert maintain_queue(table.pk) == []
        counts.append(len(captured))
    assert counts[0] == counts[1]


def test_the_lobby_seats_a_pair_kept_apart_at_two_tables(pair, fees):
    template = make_kind(name="Tamarind Room", max_seats=4)
    keep_supplied()
    for user in pair:
        play_now(template_id=template.pk, user_id=user.pk)
    assert len(set(Seat.objects.values_list("table", flat=True))) == 2
