"""Holds: money set aside until it is captured, released or expired."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.refusals import refused
from tests.wallet import seats
from tests.wallet.rawsql import expect_unchanged, refusal, run, without_guards
from wallet import api as wallet
from wallet.ledger.balances import balance, get_player_balances
from wallet.ledger.chart import PostingLine, mint, player, seat
from wallet.ledger.checks import reconcile
from wallet.ledger.holds import Held, capture, expire_holds, hold, release
from wallet.models import HoldResolution, Journal, Reason
from wallet.money import Currency
from wallet.refusals import (
    HOLD_EXCEEDED,
    HOLD_EXPIRED,
    MALFORMED_POSTING,
    UNKNOWN_HOLD,
    HoldEnded,
    IdempotencyConflict,
    InsufficientFunds,
)
from wallet.tasks import expire_holds as reap

pytestmark = pytest.mark.django_db

CHIPS = Currency.CHIPS


@pytest.fixture(autouse=True)
def _asha(settings):
    settings.WELCOME_CHIPS = 1_000
    wallet.grant_welcome_chips(user_id=5)
    yield
    assert reconcile().findings == ()


def buy_in(amount):
    return PostingLine(player(5, CHIPS), seat(7, CHIPS), amount, Reason.BUY_IN)


def reserve(amount=600, key="reserve:1", minutes=1):
    return hold(
        key=key,
        lines=[buy_in(amount)],
        expires_at=timezone.now() + timedelta(minutes=minutes),
        actor_id=5,
        subject="table:3",
    )


def money():
    return get_player_balances(5).chips, balance(player(5, CHIPS)), balance(seat(7, CHIPS))


@pytest.fixture
def overdue():
    """The id of a hold that has expired."""
    held = reserve()
    with without_guards("wallet_hold"):
        run("UPDATE wallet_hold SET expires_at = clock_timestamp() WHERE id = %s", held.hold_id)
    return held.hold_id


def test_a_hold_is_captured_once():
    held = reserve()
    assert reserve(minutes=2) == Held(held.hold_id, replayed=True)
    assert money() == (400, 1_000, 0)
    first = capture(hold_id=held.hold_id, key="reserve:1:capture")
    assert money() == (400, 400, 600)
    again = capture(hold_id=held.hold_id, key="reserve:1:capture")
    assert (again.journal_id, again.replayed) == (first.journal_id, True)
    assert money() == (400, 400, 600)
    assert Journal.objects.get(key="reserve:1").subject == "table:3"


def test_a_part_is_captured_and_the_rest_goes_back():
    held = reserve()
    capture(hold_id=held.hold_id, key="reserve:1:capture", lines=[buy_in(250)])
    assert money() == (750, 750, 250)


def test_held_money_cannot_be_spent(ledger):
    reserve()
    before = ledger()
    with pytest.raises(InsufficientFunds):
        seats.buy_in(5, 401, seat_id=1)
    assert ledger() == before
    seats.buy_in(5, 400, seat_id=1)
    assert money() == (0, 600, 0)


def test_a_released_hold_gives_everything_back():
    held = reserve()
    release(hold_id=held.hold_id, key="reserve:1:release")
    assert money() == (1_000, 1_000, 0)
    assert release(hold_id=held.hold_id, key="reserve:1:release").replayed


def test_refusals_change_nothing(ledger):
    held = reserve()
    before = ledger()
    with pytest.raises(InsufficientFunds):
        reserve(401, key="reserve:2")
    with pytest.raises(IdempotencyConflict):
        reserve(601)
    with refused(MALFORMED_POSTING):
        hold(key="reserve:2", lines=[], expires_at=timezone.now())
    with refused(HOLD_EXPIRED):
        reserve(5, key="reserve:2", minutes=-1)
    for line in (
        buy_in(601),
        PostingLine(seat(7, CHIPS), player(5, CHIPS), 1, Reason.REFUND),
        PostingLine(mint(CHIPS, 7), seat(7, CHIPS), 1, Reason.BUY_IN),
    ):
        with refused(HOLD_EXCEEDED):
            capture(hold_id=held.hold_id, key="more:1", lines=[line])
    early = "SELECT ledger_void_hold(%s, 'expire:1', true)"
    assert refusal(early, held.hold_id) == "LG011"  # it has not expired yet
    with refused(MALFORMED_POSTING):
        capture(hold_id=held.hold_id, key="more:1", lines=[])
    with refused(UNKNOWN_HOLD):
        capture(hold_id=4711, key="other:1")
    with refused(UNKNOWN_HOLD):
        release(hold_id=4711, key="other:1")
    assert ledger() == before


@pytest.mark.parametrize("end", [capture, release])
def test_a_hold_ends_once(end, ledger):
    held = reserve()
    end(hold_id=held.hold_id, key="end:1")
    before = ledger()
    with pytest.raises(HoldEnded) as refusal:
        capture(hold_id=held.hold_id, key="end:2")
    assert str(refusal.value) == "This reservation has already ended."
    with pytest.raises(HoldEnded):
        release(hold_id=held.hold_id, key="end:2")
    assert ledger() == before


def test_an_overdue_hold_is_not_captured_and_is_given_back_once(overdue, ledger):
    young = reserve(100, key="reserve:2")
    with expect_unchanged(HOLD_EXPIRED):
        capture(hold_id=overdue, key="late:1")
    assert money() == (300, 1_000, 0)
    assert reap() == 1
    assert money() == (900, 1_000, 0)
    assert HoldResolution.objects.get().outcome == HoldResolution.Outcome.EXPIRED
    before = ledger()
    assert expire_holds() == 0
    assert ledger() == before
    capture(hold_id=young.hold_id, key="reserve:2:capture")
    assert money() == (900, 900, 100)


def test_a_released_hold_does_not_expire(overdue):
    release(hold_id=overdue, key="reserve:1:release")
    assert expire_holds() == 0
    assert HoldResolution.objects.get().outcome == HoldResolution.Outcome.VOIDED
