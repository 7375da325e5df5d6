"""Eight workers move money at random while their connections are killed: nothing is lost, made or
done twice."""

import random
import threading
import time
from datetime import timedelta

import pytest
from django.db import InterfaceError, OperationalError, connection, transaction
from django.utils import timezone

from tests.wallet.rawsql import run
from wallet import services as wallet
from wallet.chart import Line, Reason, player
from wallet.models import Journal, LedgerAccount, Transfer
from wallet.money import Currency
from wallet.reconciliation import reconcile

pytestmark = pytest.mark.django_db(transaction=True)

CHIPS = Currency.CHIPS
WORKERS = 8
PLAYERS = 12
WELCOME = 1_000
SECONDS = 4.0
LOST_CONNECTION = (OperationalError, InterfaceError)


class Worker:
    """Does random things under keys of its own; after a lost connection the same thing again."""

    def __init__(self, number, until):
        self.number = number
        self.until = until
        self.chance = random.Random(number)
        self.acknowledged = set()
        self.lost = 0
        self.refused = 0
        self.errors = []

    def __call__(self):
        step = 0
        try:
            while time.monotonic() < self.until:
                step += 1
                self.insist(self.choose(f"bank:{self.number}:{step}"))
        except Exception as error:  # noqa: BLE001 - judged by the test
            self.errors.append(error)
        finally:
            connection.close()

    def insist(self, action):
        while True:
            try:
                self.acknowledged.update(action())
            except wallet.WalletRefusal:
                self.refused += 1
            except LOST_CONNECTION as error:
                if "deadlock" in str(error):
                    raise
                self.lost += 1
                connection.close()
                continue
            return

    def choose(self, key):
        one, two, three = self.chance.sample(range(1, PLAYERS + 1), 3)
        amount = self.chance.randrange(1, 300)
        return self.chance.choice(
            [
                lambda: self.move(key, one, two, amount),
                lambda: self.hold(key, one, two, amount),
                lambda: self.play(key, one, two, three, amount),
                lambda: self.cancel(key, one, two, amount),
            ]
        )

    def move(self, key, one, two, amount):
        line = Line(player(one, CHIPS), player(two, CHIPS), amount, Reason.ADJUSTMENT)
        wallet.post_transfers(key=key, lines=[line])
        return {key}

    def hold(self, key, one, two, amount):
        line = Line(player(one, CHIPS), player(two, CHIPS), amount, Reason.ADJUSTMENT)
        held = wallet.hold(key=key, lines=[line], expires_at=timezone.now() + timedelta(minutes=5))
        end = wallet.capture if amount % 2 else wallet.release
        end(hold_id=held.hold_id, key=f"{key}:end")
        return {key, f"{key}:end"}

    def play(self, key, one, two, three, amount):
        """Each comes in a transaction of its own; one leaves in that which ends the match."""
        seats = {user_id: match_of(key) * 100 + user_id for user_id in (one, two, three)}
        for user_id, seat_id in seats.items():
            wallet.buy_in(
                user_id=user_id,
                seat_id=seat_id,
                amount=amount,
                currency=CHIPS,
                key=f"{key}:in:{user_id}",
            )
        with transaction.atomic():
            wallet.settle_points(
                match_id=match_of(key),
                table_id=self.number,
                currency=CHIPS,
                winner_seat_ids=[seats[one]],
                losses={seats[two]: amount, seats[three]: amount // 2},
                rake_bps=1_000,
                rake_cap=None,
                key=f"{key}:settle",
            )
            self.leave(key, seats, two)
        for user_id in (one, three):
            self.leave(key, seats, user_id)
        return {f"{key}:settle", f"{key}:in:{one}", f"{key}:out:{one}"}

    def leave(self, key, seats, user_id):
        wallet.cash_out(
            seat_id=seats[user_id],
            user_id=user_id,
            currency=CHIPS,
            key=f"{key}:out:{user_id}",
        )

    def cancel(self, key, one, two, amount):
        for user_id in (one, two):
            wallet.take_rejoin_fee(
                match_id=match_of(key),
                user_id=user_id,
                amount=amount,
                currency=CHIPS,
                key=f"{key}:entry:{user_id}",
            )
        wallet.refund_entries(match_id=match_of(key), currency=CHIPS, key=f"{key}:refund")
        return {f"{key}:refund"}


def match_of(key):
    _bank, worker, step = key.split(":")
    return int(worker) * 10**6 + int(step)


def kill_connections(until):
    """Ends a random connection of the workers a few times a second."""
    chance = random.Random(99)
    killed = 0
    while time.monotonic() < until:
        time.sleep(0.15)
        pids = run(
            """SELECT pid FROM pg_stat_activity
               WHERE datname = current_database() AND pid <> pg_backend_pid()
                 AND query LIKE '%%ledger_%%'"""
        )
        if pids:
            run("SELECT pg_terminate_backend(%s)", chance.choice(pids)[0])
            killed += 1
    return killed


def deadlocks():
    return run("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")[0][0]


def test_the_bank_keeps_every_chip(settings, as_owner):
    settings.WELCOME_CHIPS = WELCOME
    for user_id in range(1, PLAYERS + 1):
        wallet.grant_welcome_chips(user_id=user_id)
    before = deadlocks()
    until = time.monotonic() + SECONDS
    workers = [Worker(number, until) for number in range(1, WORKERS + 1)]
    threads = [threading.Thread(target=worker) for worker in workers]
    for thread in threads:
        thread.start()
    with as_owner():
        killed = kill_connections(until)
    for thread in threads:
        thread.join(timeout=60)
    assert not any(thread.is_alive() for thread in threads)
    assert [worker.errors for worker in workers] == [[]] * WORKERS
    assert killed > 5
    assert sum(worker.lost for worker in workers) > 0

    assert reconcile().findings == ()
    assert sum(LedgerAccount.objects.values_list("balance", flat=True)) == 0
    minted = LedgerAccount.objects.get(kind="MINT").balance
    assert minted == -PLAYERS * WELCOME
    assert not LedgerAccount.objects.exclude(kind="MINT").filter(balance__lt=0).exists()
    assert not LedgerAccount.objects.exclude(held=0).filter(kind="SEAT").exists()
    acknowledged = set().union(*(worker.acknowledged for worker in workers))
    assert len(acknowledged) > 100
    keys = list(Journal.objects.values_list("key", flat=True))
    assert len(keys) == len(set(keys))
    assert acknowledged <= set(keys)
    assert Transfer.objects.count() > 200
    assert deadlocks() == before
