"""Closing or freezing an account races its player's transfers of money: only one of the two succeeds."""

from datetime import timedelta
from functools import partial
from threading import Thread

import pytest
from django.db import connection, transaction
from django.utils import timezone

from config.account_data.closing import NotYet, close_account
from tables.models import QueuePlace, Seat
from tables.seating.queue import join_queue, maintain_queue
from tables.seating.sitting import leave_table, take_seat
from tests.api_program import WELCOME, chips_of, person, table_for_programs
from tests.barring import freeze_by_staff
from tests.given import reload
from tests.refusals import kind_of, refused
from tests.tables.driving import player_at, seat_all
from tests.together import is_lock_awaited, names_of, run_at_once
from tests.wallet.cash_players import bring_deposit
from tests.workers import wait_until
from tournaments.models import Entrant, EntrantState, Tournament
from tournaments.registration.services import promote_waiting, register
from wallet.bonuses.services import BonusGift, grant_bonus
from wallet.ledger.balances import get_player_balances
from wallet.ledger.checks import reconcile
from wallet.models import Bonus
from wallet.refusals import ACCOUNT_FROZEN, WALLET_CLOSED
from wallet.rules import ReleaseTerms

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def asha(transactional_db):
    return person("Asha")


def close(user):
    close_account(user_id=user.pk)


def sit(user, table):
    return lambda: take_seat(table_id=table.pk, user_id=user.pk, amount=200)


def enter(user, cup):
    return lambda: register(tournament_id=cup.pk, user_id=user.pk, now=timezone.now())


def act_while_ending(end, user, deed):
    """Run `deed` while the user's account is being ended but before the commit. Return its outcome."""
    results = []

    def run():
        try:
            results.append(deed())
        except Exception as error:  # noqa: BLE001 - judged by the test
            results.append(error)
        finally:
            connection.close()

    thread = Thread(target=run)
    with transaction.atomic():
        end(user)
        thread.start()
        wait_until(lambda: is_lock_awaited() or not thread.is_alive())
    thread.join(30)
    (result,) = results
    return result


@pytest.mark.parametrize(
    ("end", "refusal"), [(close, WALLET_CLOSED), (freeze_by_staff, ACCOUNT_FROZEN)]
)
class TestAfterTheEnd:
    def test_a_closed_or_frozen_player_cannot_sit_down(self, asha, end, refusal):
        result = act_while_ending(end, asha, sit(asha, table_for_programs()))
        assert kind_of(result) == refusal
        assert (chips_of(asha), Seat.objects.count()) == (WELCOME, 0)

    @pytest.mark.parametrize("fee", [100, 0])
    def test_a_closed_or_frozen_player_cannot_enter_a_tournament(
        self, asha, end, refusal, fee, make_tournament_of
    ):
        cup = make_tournament_of(entry_fee=fee)
        result = act_while_ending(end, asha, enter(asha, cup))
        assert kind_of(result) == refusal
        assert (chips_of(asha), Entrant.objects.count()) == (WELCOME, 0)

    def test_a_closed_or_frozen_player_cannot_wait_for_a_chair(self, asha, end, refusal):
        table = table_for_programs()
        seat_all(table, person("Binod"), person("Chand"), amount=200)
        deed = lambda: join_queue(table_id=table.pk, user_id=asha.pk)  # noqa: E731
        assert act_while_ending(end, asha, deed).code == refusal.code
        assert not QueuePlace.objects.exists()


def test_a_frozen_waiting_player_is_skipped_and_pays_nothing(asha, make_tournament_of):
    cup, table, binod = make_tournament_of(), table_for_programs(), person("Binod")
    Tournament.objects.filter(pk=cup.pk).update(max_entrants=2, seats_taken=2)
    seat_all(table, person("Chand"), person("Dev"), amount=200)
    for user in (asha, binod):
        assert enter(user, cup)().state == EntrantState.WAITING
        join_queue(table_id=table.pk, user_id=user.pk)
    freeze_by_staff(asha)
    Tournament.objects.filter(pk=cup.pk).update(seats_taken=1)
    leave_table(table_id=table.pk, user_id=player_at(table, 0).pk)
    promoted = promote_waiting(tournament_id=cup.pk, now=timezone.now())
    chairs = maintain_queue(table.pk)
    assert (promoted, [chair.user_id for chair in chairs]) == ([binod.pk], [binod.pk])
    assert chips_of(asha) == WELCOME
    assert chips_of(binod) == WELCOME - 100 - table.min_buy_in


def test_a_closed_account_gets_no_bonus(asha):
    terms = ReleaseTerms(10_000, 2, 2)
    gift = BonusGift("g1", terms, timezone.now() + timedelta(days=30), "For patience.")
    close(asha)
    with refused(WALLET_CLOSED):
        grant_bonus(user_id=asha.pk, gift=gift)
    assert get_player_balances(asha.pk).cash.total == 0
    assert not Bonus.objects.exists()


def test_closing_an_account_races_sitting_down(transactional_db):
    """Whichever comes first, a closed account never has money at a table."""
    table = table_for_programs()
    for number in range(6):
        user = person(f"Player {number}")
        closed, seated = run_at_once(partial(close, user), sit(user, table))
        is_seated = Seat.objects.filter(user=user, left_at=None).exists()
        assert is_seated == (reload(user).closed_at is None)
        assert isinstance(closed, NotYet) == is_seated
        assert chips_of(user) == WELCOME - 200 * is_seated
        if is_seated:
            Seat.objects.filter(user=user).update(left_at=timezone.now(), status="LEFT")
        assert names_of([seated]) == (["TableChange"] if is_seated else ["account_closed"])


def test_closing_an_account_races_entering_with_its_last_cash(make_tournament_of):
    """The account cannot be closed until the cash has been paid."""
    cup = make_tournament_of(entry_fee=30_000, currency="INR")
    for number in range(4):
        user = person(f"Player {number}")
        bring_deposit(user, 30_000)
        closed, entered = run_at_once(partial(close, user), enter(user, cup))
        assert names_of([closed, entered]) == ["Entrant", "NotYet"]
        assert reload(user).closed_at is None
        assert get_player_balances(user.pk).cash.total == 0
    assert reconcile().findings == ()
