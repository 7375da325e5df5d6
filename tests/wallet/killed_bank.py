"""A bank whose workers move money at random while a process of its database server is killed.

`python -m tests.wallet.killed_bank SEED` needs a migrated database that nobody else uses, and prints what happened as
JSON. When one backend is killed, PostgreSQL ends all the others and recovers from its log. So every worker loses its
connection and its uncommitted work.
"""

import json
import os
import random
import signal
import sys
import threading
import time
from datetime import timedelta

import django
import psycopg

django.setup()

from django.db import InterfaceError, OperationalError, connection, transaction  # noqa: E402 - needs the settings
from django.utils import timezone  # noqa: E402

from core.refusals import Refusal  # noqa: E402
from tests.wallet.rawsql import post  # noqa: E402
from tests.wallet.seats import buy_in, cash_out  # noqa: E402
from wallet import api as wallet  # noqa: E402
from wallet.ledger.chart import PostingLine, player  # noqa: E402
from wallet.ledger.checks import reconcile  # noqa: E402
from wallet.ledger.holds import capture, hold, release  # noqa: E402
from wallet.ledger.posting import post_transfers  # noqa: E402
from wallet.models import Journal, LedgerAccount, Reason, Transfer  # noqa: E402
from wallet.money import Currency  # noqa: E402

WORKERS = 8
STEPS = 150
PLAYERS = 12
CHIPS_EACH = 1_000
PAISE_EACH = 100_000
PATIENCE_SECONDS = 120
LOST_CONNECTION = (OperationalError, InterfaceError)
# The account that issues each currency, and its balance. The workers do not post to it.
SOURCES = {"CHIPS": ("MINT", -PLAYERS * CHIPS_EACH), "INR": ("DEPOSITS", -PLAYERS * PAISE_EACH)}
# The number of events before a server process is killed, and the least number afterwards.
BEFORE = 600
AFTER = 600
ENDED_BEFORE = 5
WORKING = """
SELECT pid FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%%ledger_%%'
"""


def open_bank():
    """Give every player the same chips and the same cash."""
    for user_id in range(1, PLAYERS + 1):
        post(f"fund:chips:{user_id}", f"MINT,0,PLAYER,{user_id},CHIPS,{CHIPS_EACH},ADJUSTMENT")
        post(f"fund:cash:{user_id}", f"DEPOSITS,0,PLAYER,{user_id},INR,{PAISE_EACH},ADJUSTMENT")


class Worker:
    """Thread that posts random events with its own keys. After a lost connection, it repeats the same event.

    It stops once it has taken all its steps and `enough` is set.
    """

    def __init__(self, number, enough):
        self.number = number
        self.enough = enough
        self.chance = random.Random(number)
        self.acknowledged = set()
        self.lost = 0
        self.refused = 0
        self.errors = []

    def __call__(self):
        step = 0
        until = time.monotonic() + PATIENCE_SECONDS
        try:
            while step < STEPS or not self.enough.is_set():
                step += 1
                self.insist(self.choose(f"bank:{self.number}:{step}"), until)
        except Exception as error:  # noqa: BLE001 - judged by the test
            self.errors.append(repr(error))
        finally:
            connection.close()

    def insist(self, action, until):
        while True:
            try:
                self.acknowledged.update(action())
            except Refusal:
                self.refused += 1
            except LOST_CONNECTION as error:
                if "deadlock" in str(error) or time.monotonic() > until:
                    raise
                self.lost += 1
                connection.close()
                time.sleep(0.01)  # the server may be on its way up again
                continue
            return

    def choose(self, key):
        first, second, third = self.chance.sample(range(1, PLAYERS + 1), 3)
        currency = self.chance.choice(list(Currency))
        amount = self.chance.randrange(1, 300)
        return self.chance.choice(
            [
                lambda: self.move(key, currency, first, second, amount),
                lambda: self.hold(key, currency, first, second, amount),
                lambda: self.play(key, currency, (first, second, third), amount),
                lambda: self.cancel(key, currency, first, second, amount),
            ]
        )

    def move(self, key, currency, payer, payee, amount):
        line = PostingLine(
            player(payer, currency), player(payee, currency), amount, Reason.ADJUSTMENT
        )
        post_transfers(key=key, lines=[line])
        return {key}

    def hold(self, key, currency, payer, payee, amount):
        line = PostingLine(
            player(payer, currency), player(payee, currency), amount, Reason.ADJUSTMENT
        )
        held = hold(key=key, lines=[line], expires_at=timezone.now() + timedelta(minutes=5))
        end = capture if amount % 2 else release
        end(hold_id=held.hold_id, key=f"{key}:end")
        return {key, f"{key}:end"}

    def play(self, key, currency, players, amount):
        """Buy each player in, in separate transactions. The match ends and one player leaves in a single one."""
        seats = {user_id: match_of(key) * 100 + user_id for user_id in players}
        for user_id, seat_id in seats.items():
            buy_in(user_id, amount, seat_id, currency=currency, key=f"{key}:in:{user_id}")
        first, second, third = players
        with transaction.atomic():
            wallet.settle_points(
                match_id=match_of(key),
                table_id=self.number,
                currency=currency,
                winner_seat_ids=[seats[first]],
                losses={seats[second]: amount, seats[third]: amount // 2},
                rake_bps=1_000,
                rake_cap=None,
                key=f"{key}:settle",
            )
            self.leave(key, currency, seats, second)
        for user_id in (first, third):
            self.leave(key, currency, seats, user_id)
        return {f"{key}:settle", f"{key}:in:{first}", f"{key}:out:{first}"}

    def leave(self, key, currency, seats, user_id):
        cash_out(user_id, seats[user_id], currency=currency, key=f"{key}:out:{user_id}")

    def cancel(self, key, currency, first, second, amount):
        match = {"match_id": match_of(key), "currency": currency}
        for user_id in (first, second):
            fee = {"user_id": user_id, "amount": amount, "key": f"{key}:entry:{user_id}"}
            wallet.take_rejoin_fee(**match, **fee)
        wallet.refund_match(**match, key=f"{key}:refund")
        return {f"{key}:refund"}


def match_of(key):
    _bank, worker, step = key.split(":")
    return int(worker) * 10**6 + int(step)


class Auditor:
    """Thread that sums up all the money while it moves, each time in a single statement."""

    def __init__(self):
        self.looks = 0
        self.wrong = []
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_error):
        self._is_over.set()
        self._thread.join(PATIENCE_SECONDS)

    def _run(self):
        while not self._is_over.wait(0.02):
            try:
                rows = list(LedgerAccount.objects.values_list("kind", "currency", "balance"))
            except LOST_CONNECTION:
                connection.close()
                continue
            self.looks += 1
            self.wrong += money_wrong(rows)
        connection.close()


def money_wrong(rows):
    """Return [currency, total, taken, kinds below zero] for each currency whose accounts are wrong.

    `rows` are (kind, currency, balance) of accounts.
    """
    wrong = []
    for currency, (source, given) in SOURCES.items():
        own = [(kind, balance) for kind, of, balance in rows if of == currency]
        total = sum(balance for _kind, balance in own)
        taken = sum(balance for kind, balance in own if kind == source)
        below = [kind for kind, balance in own if balance < 0 and kind != source]
        if (total, taken, below) != (0, given, []):
            wrong.append([currency, total, taken, below])
    return wrong


def run_bank(disturb):
    """Run eight workers and `disturb(workers)` beside them. Return the results as plain values for the test."""
    enough = threading.Event()
    workers = [Worker(number, enough) for number in range(1, WORKERS + 1)]
    threads = [threading.Thread(target=worker) for worker in workers]
    with Auditor() as auditor:
        for thread in threads:
            thread.start()
        try:
            disturbed = disturb(workers)
        finally:
            enough.set()
            for thread in threads:
                thread.join(PATIENCE_SECONDS)
    acknowledged = set().union(*(worker.acknowledged for worker in workers))
    keys = list(Journal.objects.values_list("key", flat=True))
    return {
        **disturbed,
        "unfinished": sum(thread.is_alive() for thread in threads),
        "errors": [error for worker in workers for error in worker.errors],
        "lost": sum(worker.lost for worker in workers),
        "acknowledged": len(acknowledged),
        "missing": sorted(acknowledged - set(keys)),
        "twice": len(keys) - len(set(keys)),
        "transfers": Transfer.objects.count(),
        "looks": auditor.looks,
        "wrong": auditor.wrong
        + money_wrong(LedgerAccount.objects.values_list("kind", "currency", "balance")),
        "findings": [f"{finding.check}: {finding.subject}" for finding in reconcile().findings],
    }


def main(seed):
    open_bank()
    connection.close()  # a worker's connection is to be ended, not this one
    result = run_bank(lambda workers: disturb(workers, random.Random(seed)))
    print(json.dumps(result))  # noqa: T201 - the answer


def disturb(workers, chance):
    """End some connections, kill a server process, and end some more connections."""

    def count_done():
        return sum(len(worker.acknowledged) for worker in workers)

    with owner() as server:
        # An unlogged table is emptied when the server recovers, and by nothing else.
        server.execute("CREATE UNLOGGED TABLE before_the_crash AS SELECT 1 AS row")
        ended = end_connections(server, chance)
        wait_for(lambda: count_done() > BEFORE)
        wait_for(lambda: kill_one(server, chance))
    wait_for(has_recovered)
    at_crash = count_done()
    with owner() as server:
        ended += end_connections(server, chance)
    wait_for(lambda: count_done() > at_crash + AFTER)
    return {"ended": ended, "killed": 1}


def end_connections(server, chance):
    ended = 0
    while ended < ENDED_BEFORE:
        pids = wait_for(lambda: server.execute(WORKING).fetchall())
        server.execute("SELECT pg_terminate_backend(%s)", [chance.choice(pids)[0]])
        ended += 1
        time.sleep(0.1)
    return ended


def kill_one(server, chance):
    pids = server.execute(WORKING).fetchall()
    try:
        os.kill(chance.choice(pids)[0], signal.SIGKILL)
    except (IndexError, ProcessLookupError):  # no backend is working, or it has just ended
        return False
    return True


def has_recovered():
    """Tell whether the server accepts connections again after a crash."""
    try:
        with owner() as server:
            return server.execute("SELECT count(*) FROM before_the_crash").fetchone() == (0,)
    except psycopg.OperationalError:
        return False


def owner():
    return psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True)


def wait_for(seen):
    until = time.monotonic() + PATIENCE_SECONDS
    while not (result := seen()):
        if time.monotonic() > until:
            sys.exit("waited for too long")
        time.sleep(0.01)
    return result


if __name__ == "__main__":
    main(int(sys.argv[1]))
