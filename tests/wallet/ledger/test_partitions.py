"""Ledger partitions for old entries: reading and posting continue, and the old entries stay guarded."""

import threading
from contextlib import contextmanager
from io import StringIO

import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection, transaction

from tests.wallet.rawsql import post, refusal, run, without_guards
from tests.wallet.seats import CHIPS
from tests.workers import wait_until
from wallet.ledger.balances import balance
from wallet.ledger.chart import PostingLine, mint, player
from wallet.ledger.checks import LedgerFinding, reconcile
from wallet.ledger.database import NotTheOwnerError, partition_ledger
from wallet.ledger.entries import read_statement_page
from wallet.ledger.posting import post_transfers
from wallet.models import Entry, Reason
from wallet.tasks import seal_ledger

FIRST, SECOND = "wallet_entry_part_1", "wallet_entry_part_2"
ASHA = player(1, CHIPS)


def parts():
    return run(
        """SELECT inhrelid::regclass::text FROM pg_inherits
           WHERE inhparent = 'wallet_entry'::regclass ORDER BY 1"""
    )


def count_written():
    """Return the number of entries that are in no partition."""
    ((number,),) = run("SELECT count(*) FROM ONLY wallet_entry")
    return number


class TestOnOneConnection:
    """Partitions made in the test's own transaction, which is rolled back."""

    pytestmark = pytest.mark.django_db

    @pytest.fixture(autouse=True)
    def _posted(self, db):
        post("welcome:1", "MINT,0,PLAYER,1,CHIPS,1000,WELCOME")
        for number in range(5):
            post(f"buy:{number}", "PLAYER,1,SEAT,1,CHIPS,10,BUY_IN")

    @pytest.fixture
    def apart(self, as_owner):
        def set_apart(above=1):
            with as_owner():
                return partition_ledger(above=above)

        return set_apart

    def test_a_statement_reads_on_through_the_partitions(self, apart):
        assert (apart(), count_written()) == (FIRST, 0)
        post("buy:5", "PLAYER,1,SEAT,1,CHIPS,10,BUY_IN")
        assert (apart(), count_written()) == (SECOND, 0)
        post("buy:6", "PLAYER,1,SEAT,1,CHIPS,10,BUY_IN")
        assert (parts(), count_written()) == ([(FIRST,), (SECOND,)], 2)
        newest = read_statement_page(ASHA, length=3)
        older = read_statement_page(ASHA, before=newest.older, length=3)
        oldest = read_statement_page(ASHA, before=older.older, length=3)
        entries = [*newest.entries, *older.entries, *oldest.entries]
        assert [(entry.seq, entry.amount, entry.balance_after) for entry in entries] == [
            *((seq, -10, 1000 - 10 * (seq - 1)) for seq in range(8, 1, -1)),
            (1, 1000, 1000),
        ]
        assert oldest.older is None
        assert balance(ASHA) == 930

    def test_entries_in_a_partition_are_checked_like_the_rest(self, apart):
        apart()
        with without_guards(FIRST):
            run("UPDATE wallet_entry_part_1 SET balance_after = 7 WHERE seq = 3")
        checks = {finding.check for finding in reconcile().findings}
        assert checks == {"entry does not follow from the one before"}

    def test_an_entry_that_is_there_twice_is_found(self, apart, as_owner):
        """Primary keys are unique only within a partition, so the check has to find duplicates."""
        apart()
        with as_owner():
            run(
                """INSERT INTO wallet_entry
                   SELECT e.* FROM wallet_entry_part_1 e
                   JOIN wallet_account a ON a.id = e.account_id
                   WHERE a.kind = 'PLAYER' AND e.seq = 6"""
            )
        assert LedgerFinding(
            "account differs from its entries", "PLAYER 1 CHIPS: 950, entries 940"
        ) in (reconcile().findings)

    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE wallet_entry_part_1 SET amount = amount + 1",
            "DELETE FROM wallet_entry_part_1",
            "TRUNCATE wallet_entry_part_1",
            "UPDATE wallet_entry SET amount = amount + 1",
            "DELETE FROM wallet_entry",
            "TRUNCATE wallet_entry",
        ],
    )
    def test_the_owner_does_not_change_a_partition(self, statement, apart, as_owner):
        apart()
        with as_owner():
            run("SET CONSTRAINTS ALL IMMEDIATE")
            assert refusal(statement) == "LG008"

    @pytest.mark.parametrize(
        "statement",
        [
            "SELECT * FROM {}",
            "INSERT INTO {} DEFAULT VALUES",
            "UPDATE {} SET seq = seq",
            "DELETE FROM {}",
            "TRUNCATE {}",
            "DROP TABLE {}",
        ],
    )
    def test_the_application_does_not_touch_a_partition(self, statement, apart):
        apart()
        assert refusal(statement.format(FIRST)) == "42501"  # insufficient privilege

    def test_the_application_writes_the_new_table_no_more_than_the_old_one(self, apart):
        apart()
        assert refusal("INSERT INTO wallet_entry DEFAULT VALUES") == "42501"
        assert refusal("DELETE FROM wallet_entry") == "42501"

    def test_too_few_entries_are_not_partitioned(self, apart):
        assert Entry.objects.count() == 12
        assert apart(above=13) is None
        assert (parts(), count_written()) == ([], 12)
        assert apart(above=12) == FIRST

    def test_the_application_may_not_partition(self):
        with pytest.raises(NotTheOwnerError):
            partition_ledger(above=1)
        assert refusal("SELECT wallet_partition_ledger()") == "42501"
        assert (parts(), count_written()) == ([], 12)


class TestBesidePostings:
    pytestmark = pytest.mark.django_db(transaction=True)

    @pytest.fixture(autouse=True)
    def _dropped_afterwards(self, transactional_db, as_owner):
        yield
        with as_owner():
            for (part,) in parts():
                run(f"DROP TABLE {part}")

    @pytest.mark.own_session
    def test_postings_go_on_while_entries_are_partitioned(self):
        with posters(3) as (posted, errors):
            for part in (FIRST, SECOND):
                wait_for_more(posted, errors)
                printed = StringIO()
                run("SET ROLE NONE")  # not SET LOCAL: the command runs VACUUM outside transactions
                call_command("partition_ledger", above=1, stdout=printed)
                run(f"SET ROLE {settings.DATABASE_APP_ROLE}")
                assert printed.getvalue() == f"Set apart as {part}.\n"
            wait_for_more(posted, errors)
        assert errors == []
        assert count_written() > 0
        assert [balance(player(user, CHIPS)) for user in posted] == list(posted.values())
        assert reconcile().findings == ()

    def test_the_ledger_agrees_with_itself_and_its_seals(self, as_owner, ledger):
        post("welcome:1", "MINT,0,PLAYER,1,CHIPS,1000,WELCOME")
        seal()
        before = ledger()
        with as_owner():
            assert partition_ledger(above=1) == FIRST
        assert ledger() == before
        post("buy:1", "PLAYER,1,SEAT,1,CHIPS,10,BUY_IN")
        seal()
        with as_owner():
            assert partition_ledger(above=1) == SECOND
        result = reconcile()
        assert result.findings == ()
        assert result.head.startswith("2:")

    def test_partitioning_gives_up_rather_than_block_postings(self, as_owner):
        post("welcome:1", "MINT,0,PLAYER,1,CHIPS,1000,WELCOME")
        is_posted, is_over = threading.Event(), threading.Event()

        def post_slowly():
            with transaction.atomic():
                post("buy:1", "PLAYER,1,SEAT,1,CHIPS,10,BUY_IN")
                is_posted.set()
                is_over.wait(timeout=30)
            connection.close()

        slow = threading.Thread(target=post_slowly)
        slow.start()
        try:
            assert is_posted.wait(timeout=30)
            with as_owner(), pytest.raises(CommandError, match="run it again later"):
                call_command("partition_ledger", above=1)
        finally:
            is_over.set()
            slow.join(timeout=30)
        assert (parts(), count_written()) == ([], 4)
        assert reconcile().findings == ()

    def test_the_command_names_the_login_that_it_needs(self):
        run("SELECT 1")
        assert run("SELECT current_user") == [(settings.DATABASE_APP_ROLE,)]
        with pytest.raises(CommandError, match="DATABASE_AS_OWNER=1"):
            call_command("partition_ledger", above=1)
        assert parts() == []


@contextmanager
def posters(number):
    """Post from threads whose connections planned their statements earlier. Yield counts by user, and errors."""
    posted, errors, is_over = dict.fromkeys(range(1, number + 1), 0), [], threading.Event()

    def post_on(user):
        try:
            while not is_over.is_set():
                line = PostingLine(mint(CHIPS, user), player(user, CHIPS), 1, Reason.ADJUSTMENT)
                post_transfers(key=f"beside:{user}:{posted[user]}", lines=[line])
                posted[user] += 1
        except Exception as error:  # noqa: BLE001 - judged by the test
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=post_on, args=(user,)) for user in posted]
    for thread in threads:
        thread.start()
    try:
        yield posted, errors
    finally:
        is_over.set()
        for thread in threads:
            thread.join(timeout=30)


def wait_for_more(posted, errors):
    """Wait until every thread has posted twenty more times, or an error occurs."""
    before = dict(posted)
    wait_until(lambda: errors or all(posted[user] >= before[user] + 20 for user in posted))


def seal():
    """Seal in two rounds, like two ticks: the first notes the newest transfer, the second seals up to it."""
    seal_ledger()
    assert seal_ledger() == 1
