"""Players who may not sit together: accounts of one browser or address, and pairs at their limit."""

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
from tables.models import (
    ChipsPassed,
    Match,
    OneAccountPer,
    QueuePlace,
    Seat,
    SeatStatus,
    Table,
)
from tables.ranking.pairs import chips_between
from tables.ranking.ratings import SETTLES_WITHIN, count_matches
from tables.refusals import AddressIsSeated, DeviceIsSeated, PairIsDone
from tables.seating.barring import let_barred_go, list_tables_of_barred
from tables.seating.companions import (
    get_one_account_per,
    list_tables_of_done_pairs,
    sum_won_at_home,
)
from tables.seating.queue import join_queue, tend_queue
from tables.seating.sitting import leave_table, take_seat
from tables.seating.supply import keep_supplied, play_now
from tests.tables.driving import (
    BUY_IN,
    act,
    game_view,
    let_time_pass,
    make_kind,
    play_a_turn,
    player_at,
    start_match,
)
from wallet import api as wallet
from wallet.ledger.balances import get_player_balances
from wallet.money import Currency

pytestmark = pytest.mark.django_db
HOME = Origin(device="phone", address="home")
SOFA = Origin(device="tablet", address="home")
AWAY = Origin(device="laptop", address="work")


def sit(table, user, origin, **more):
    return take_seat(
        table_id=table.pk, user_id=user.pk, amount=table.min_buy_in, origin=origin, **more
    )


def list_seated(table):
    return list(
        table.sittings.filter(left_at=None).order_by("number").values_list("user", flat=True)
    )


@pytest.mark.parametrize(
    ("rule", "second", "refusal"),
    [
        (OneAccountPer.ANYTHING, HOME, None),
        (OneAccountPer.DEVICE, HOME, DeviceIsSeated),
        (OneAccountPer.DEVICE, SOFA, None),
        (OneAccountPer.ADDRESS, HOME, DeviceIsSeated),
        (OneAccountPer.ADDRESS, SOFA, AddressIsSeated),
        (OneAccountPer.ADDRESS, AWAY, None),
        # Nothing is known of both.
        (OneAccountPer.ADDRESS, NOWHERE, None),
    ],
)
def test_a_table_takes_one_account_of_each_place(make_table, make_player, rule, second, refusal):
    table, one, other = make_table(one_account_per=rule, max_seats=4), make_player(), make_player()
    sit(table, one, HOME if second != NOWHERE else NOWHERE)
    if refusal is None:
        sit(table, other, second)
        assert list_seated(table) == [one.pk, other.pk]
        return
    before = get_player_balances(other.pk)
    with pytest.raises(refusal):
        sit(table, other, second)
    assert list_seated(table) == [one.pk]
    assert get_player_balances(other.pk) == before


def test_nobody_waits_for_a_chair_that_they_could_not_take(make_table, make_player):
    table, mate = make_table(max_seats=2), make_player()
    sit(table, make_player(), HOME)
    sit(table, make_player(), AWAY)
    with pytest.raises(DeviceIsSeated):
        join_queue(table_id=table.pk, user_id=mate.pk, origin=HOME)
    assert not QueuePlace.objects.exists()
    assert join_queue(table_id=table.pk, user_id=mate.pk, origin=SOFA) == 1


def test_the_chair_is_free_again_when_the_other_has_left(make_table, make_player):
    table, one, other = make_table(max_seats=4), make_player(), make_player()
    sit(table, one, HOME)
    leave_table(table_id=table.pk, user_id=one.pk)
    sit(table, other, HOME)
    assert list_seated(table) == [other.pk]


@pytest.mark.parametrize(
    ("is_on", "seats", "rule"),
    [
        (True, 3, OneAccountPer.ADDRESS),
        (True, 2, OneAccountPer.ANYTHING),
        (False, 3, OneAccountPer.ANYTHING),
    ],
)
def test_tables_for_cash_of_three_seats_are_the_strictest(settings, is_on, seats, rule):
    settings.CASH_ONE_ACCOUNT_PER_ADDRESS = is_on
    table = Table(currency=Currency.INR, max_seats=seats, one_account_per="")
    assert get_one_account_per(table) == rule
    table.currency = Currency.CHIPS
    assert get_one_account_per(table) == OneAccountPer.ANYTHING


def test_play_now_finds_a_table_without_the_other_account(make_player):
    wallet.set_starting_fees(valid_from=timezone.now())
    template = make_kind(name="Peepal", max_seats=6, is_open=True)
    keep_supplied()
    one, other = make_player(), make_player()
    first = play_now(template_id=template.pk, user_id=one.pk, origin=HOME).table_id
    second = play_now(template_id=template.pk, user_id=other.pk, origin=HOME).table_id
    assert first != second
    third = play_now(template_id=template.pk, user_id=make_player().pk, origin=AWAY).table_id
    assert third in (first, second)


def test_a_chair_is_not_kept_for_who_may_not_sit_there_any_more(make_table, make_player):
    table = make_table(max_seats=2)
    one, two, waits, mate = (make_player() for _ in range(4))
    sit(table, one, Origin("a", "a"))
    sit(table, two, Origin("b", "b"))
    join_queue(table_id=table.pk, user_id=waits.pk, origin=HOME)
    leave_table(table_id=table.pk, user_id=one.pk)
    # No tick has come yet: the free chair is for whoever is quicker.
    Seat.objects.filter(user=two, left_at=None).update(device_mark=HOME.device)
    assert tend_queue(table.pk) == []
    assert not QueuePlace.objects.exists()
    assert get_player_balances(waits.pk).chips == get_player_balances(mate.pk).chips


def test_the_page_says_why(make_table, make_player):
    table, one, other = make_table(max_seats=4), make_player(), make_player()
    for user in (one, other):
        client = Client(REMOTE_ADDR="203.0.113.7")
        client.cookies[COOKIE] = "A" * 22
        client.force_login(user)
        form = {"amount": BUY_IN, "seat": ""}
        body = client.post(f"/tables/{table.pk}/sit/", form, follow=True).text
        assert ("Somebody else of your browser sits at this table" in body) == (user == other)
    assert list_seated(table) == [one.pk]
    marks = Seat.objects.get(user=one)
    assert len(marks.device_mark) == len(marks.address_mark) == 32
    assert marks.device_mark != marks.address_mark


@pytest.mark.parametrize(
    ("amounts", "one", "other", "chips"),
    [
        ({0: -100, 1: 90}, 1, 0, 100),
        ({0: -100, 1: 90}, 0, 1, -100),
        ({0: -100, 1: -50, 2: 135}, 2, 0, 90),
        ({0: -100, 1: -50, 2: 135}, 2, 1, 45),
        ({0: -100, 1: -50, 2: 135}, 0, 1, 0),
        # Two winners share.
        ({0: -90, 1: 60, 2: 30}, 1, 0, 60),
        ({0: -90, 1: 60, 2: 30}, 2, 0, 30),
        ({0: 0, 1: 0}, 0, 1, 0),
    ],
)
def test_what_one_has_of_the_other(amounts, one, other, chips):
    # The house's tenth in the first rows: what came from the loser to this winner, not more.
    assert chips_between(amounts, one, other) in (chips, chips * 9 // 10)


def drop_deals(table, number):
    """The seat at turn drops; the match is counted."""
    for _ in range(number):
        act(table, game_view(table)["turn"], kind="drop")
    ended = Now() - SETTLES_WITHIN - timedelta(seconds=1)
    Match.objects.filter(status="FINISHED").update(ended_at=ended)
    assert count_matches() == number


def test_matches_are_added_to_the_pair(make_table, make_player):
    table, one, other = make_table(max_seats=2, point_value=10), make_player(), make_player()
    start_match(table, one, other)
    Seat.objects.filter(user__in=[one, other]).update(address_mark="home")
    loser = [one, other][game_view(table)["turn"]]
    drop_deals(table, 1)
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
def test_two_who_have_played_enough_today_do_not_sit_together(
    make_table, make_player, chips, days_ago, refused
):
    table, one, other = make_table(max_seats=4), make_player(), make_player()
    record_passed(one, other, chips, days_ago=days_ago)
    sit(table, one, HOME)
    if refused:
        with pytest.raises(PairIsDone, match=one.player_name):
            sit(table, other, AWAY)
        assert list_seated(table) == [one.pk]
    else:
        sit(table, other, AWAY)
        assert list_seated(table) == [one.pk, other.pk]


def test_all_accounts_of_one_place_are_one_player(settings, make_table, make_player):
    table, main = make_table(max_seats=4), make_player()
    for helper in (make_player(), make_player()):
        record_passed(main, helper, 10_000, one_origin=True)
    fresh, stranger = make_player(), make_player()
    sit(table, main, HOME)
    with pytest.raises(PairIsDone):
        sit(table, fresh, SOFA)
    sit(table, stranger, AWAY)
    assert list_seated(table) == [main.pk, stranger.pk]
    settings.CHIPS_BETWEEN_TWO_A_DAY = 0
    sit(table, fresh, SOFA)


def test_who_came_later_goes_after_the_match_and_is_told_once(make_table, make_player):
    table, one, other = make_table(max_seats=2), make_player(), make_player()
    start_match(table, one, other)
    assert list_tables_of_done_pairs() == []
    record_passed(other, one, 25_000)
    assert list_tables_of_done_pairs() == [table.pk]
    assert list_tables_of_barred() == [table.pk]
    assert list_tables_of_barred(user_id=one.pk) == []
    let_barred_go(table.pk)
    # They play to the end: nobody loses a hand by it.
    assert list_seated(table) == [one.pk, other.pk]
    assert Seat.objects.get(user=other).is_last_deal
    assert not Seat.objects.get(user=one).is_last_deal
    assert list_tables_of_barred() == []
    mail = OutgoingEmail.objects.get()
    assert (mail.user, mail.subject) == (other, "You have left a table")
    act(table, game_view(table)["turn"], kind="drop")
    assert list_seated(table) == [one.pk]
    assert OutgoingEmail.objects.count() == 1


def test_between_two_matches_they_go_at_once(make_table, make_player):
    table, one, other = make_table(max_seats=4), make_player(), make_player()
    sit(table, one, HOME)
    sit(table, other, AWAY)
    record_passed(one, other, 20_000)
    chips = get_player_balances(other.pk).chips
    assert let_barred_go(table.pk) is not None
    assert list_seated(table) == [one.pk]
    assert get_player_balances(other.pk).chips == chips + table.min_buy_in
    assert let_barred_go(table.pk) is None


def test_it_is_forgotten_after_ninety_days(make_table, make_player):
    table, one, other = make_table(), make_player(), make_player()
    sit(table, one, HOME)
    sit(table, other, AWAY)
    leave_table(table_id=table.pk, user_id=one.pk)
    old, now = record_passed(one, other, 5, days_ago=91), timezone.now()
    kept = record_passed(one, other, 5, days_ago=90)
    assert forget_origins(now=now) == 1
    assert list(ChipsPassed.objects.all()) == [kept]
    assert old.pk != kept.pk
    assert forget_origins(now=now + timedelta(days=90, minutes=1)) == 2
    assert Seat.objects.get(user=one).origin == NOWHERE
    # Who still sits there keeps them.
    assert Seat.objects.get(user=other).origin == AWAY
    assert Seat.objects.get(user=other).status != SeatStatus.LEFT


@pytest.mark.parametrize(
    ("hour", "forgotten"), [(18, 0), (19, 1)], ids=["before midnight there", "after it"]
)
def test_its_days_are_those_of_the_site(settings, make_player, hour, forgotten):
    settings.TIME_ZONE = "Asia/Kolkata"  # midnight is at 18:30 of UTC
    low, high = sorted([make_player(), make_player()], key=lambda user: user.pk)
    ChipsPassed.objects.create(day=date(2026, 3, 1), low=low, high=high, chips=5)
    ninety_days_on = datetime(2026, 5, 30, hour, tzinfo=UTC)
    assert forget_origins(now=ninety_days_on) == forgotten


# --- Somebody tries -------------------------------------------------------------------------------

ADDRESS = "203.0.113.7"


def register(number):
    """A new account in a new browser at the one address."""
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
    """Matches of these two, the loser dropping each of them, for as long as the table lets them."""
    for _match in range(100):
        if len(list_seated(table)) < 2:
            return
        let_time_pass(table)
        while game_view(table)["phase"] == "turn" and player_at(table, turn(table)) != loser:
            play_a_turn(table)
        act(table, turn(table), kind="drop")
        Match.objects.filter(status="FINISHED").update(
            ended_at=Now() - SETTLES_WITHIN - timedelta(seconds=1)
        )
        count_matches()
        let_barred_go(table.pk)
    raise AssertionError("nothing keeps them apart")


def turn(table):
    return game_view(table)["turn"]


def test_one_person_with_many_accounts_gains_nothing_worth_it(settings, make_table):
    """New accounts from one address, each in a new browser, that lose to the first one on purpose."""
    settings.WELCOMES_OF_AN_ADDRESS = 4
    settings.CHIPS_BETWEEN_TWO_A_DAY = 3_000
    accounts = [register(number) for number in range(6)]
    # More accounts bring no more chips.
    chips = [get_player_balances(user.pk).chips for user, _ in accounts]
    assert chips == [10_000] * 4 + [0, 0]

    (main, browser), *farm = accounts[:4]
    gains = []
    for helper, other_browser in farm:
        before = get_player_balances(main.pk).chips
        table = make_table(max_seats=2, point_value=10)
        sit_by_page(table, browser, other_browser)
        if len(list_seated(table)) == 2:
            lose_on_purpose(table, helper)
        for user in list_seated(table):
            leave_table(table_id=table.pk, user_id=user)
        gains.append(get_player_balances(main.pk).chips - before)
    # R5.3: the match that reaches the bound costs at most a middle drop, 40 points of ten chips.
    assert 3_000 <= gains[0] <= 3_000 + 400
    assert gains[1:] == [0, 0]
