import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tests.wallet.cash_players import bring_deposit, make_player
from tests.wallet.rawsql import lines, post, run, without_guards
from wallet.ledger.checks import CurrencyTotal, reconcile
from wallet.models import Deposit
from wallet.tasks import check_ledger

pytestmark = pytest.mark.django_db


_IN_THE_WAY = [
    ("wallet_account", "wallet_account_is_never_overdrawn"),
    ("wallet_transfer", "wallet_transfer_source_has_its_currency"),
    ("wallet_transfer", "wallet_transfer_destination_has_its_currency"),
]


@pytest.fixture(autouse=True)
def _played(db):
    post("welcome:1", "MINT,0,PLAYER,1,CHIPS,1000,WELCOME")
    post("buy:1", "PLAYER,1,SEAT,7,CHIPS,400,BUY_IN")
    post("match:1", "SEAT,7,POT,1,CHIPS,50,STAKE", "POT,1,RAKE,2,CHIPS,50,RAKE")
    post("deposit:1", "DEPOSITS,0,PLAYER,1,INR,5000,ADJUSTMENT")
    run(
        """SELECT ledger_hold('hold:1', %s::wallet_line[],
                              clock_timestamp() + interval '1 minute')""",
        lines("PLAYER,1,SEAT,8,CHIPS,100,BUY_IN"),
    )


@pytest.fixture
def plant():
    """Return a function that corrupts the ledger, as the tables' owner could after removing every guard."""

    def corrupt(statement):
        with without_guards():
            for table, constraint in _IN_THE_WAY:
                run(f"ALTER TABLE {table} DROP CONSTRAINT {constraint}")
            run(statement)

    return corrupt


def test_a_sound_ledger(capsys):
    call_command("check_ledger")
    printed = capsys.readouterr()
    assert printed.out.splitlines() == [
        "CHIPS: 6 accounts, 1000 in circulation",
        "INR: 2 accounts, 5000 in circulation",
        "The ledger balances.",
    ]
    assert printed.err == ""
    assert check_ledger() == 0
    assert reconcile().totals == (CurrencyTotal("CHIPS", 6, 1000), CurrencyTotal("INR", 2, 5000))


@pytest.mark.parametrize(
    ("statement", "findings"),
    [
        (
            "UPDATE wallet_account SET balance = 601 WHERE kind = 'PLAYER' AND currency = 'CHIPS'",
            {
                "currency does not sum to zero": "CHIPS: 1",
                "account differs from its entries": "PLAYER 1 CHIPS: 601, entries 600",
            },
        ),
        (
            "UPDATE wallet_account SET held = 0 WHERE kind = 'PLAYER' AND currency = 'CHIPS'",
            {"held differs from the open holds": "PLAYER 1 CHIPS: 0, holds 100"},
        ),
        (
            "UPDATE wallet_account SET held = 601 WHERE kind = 'PLAYER' AND currency = 'CHIPS'",
            {
                "account is overdrawn": "PLAYER 1 CHIPS: 600 with 601 held",
                "held differs from the open holds": "PLAYER 1 CHIPS: 601, holds 100",
            },
        ),
        (
            """DELETE FROM wallet_entry USING wallet_account a
               WHERE a.id = account_id AND a.kind = 'PLAYER' AND a.currency = 'INR'""",
            {"account differs from its entries": "PLAYER 1 INR: 5000, entries 0"},
        ),
        (
            """DELETE FROM wallet_entry USING wallet_account a
               WHERE a.id = account_id AND a.kind = 'RAKE'""",
            {
                "account differs from its entries": "RAKE 2 CHIPS: 50, entries 0",
                "transfer and its two entries differ": "transfer",
            },
        ),
        (
            """UPDATE wallet_entry SET balance_after = 999 FROM wallet_account a
               WHERE a.id = account_id AND a.kind = 'SEAT' AND wallet_entry.seq = 1""",
            {"entry does not follow from the one before": "account"},
        ),
        (
            "UPDATE wallet_transfer SET amount = 51 WHERE reason = 'STAKE'",
            {"transfer and its two entries differ": "transfer"},
        ),
        (
            "UPDATE wallet_transfer SET currency = 'INR' WHERE reason = 'WELCOME'",
            {"transfer is not in its accounts' currency": "transfer"},
        ),
        (
            "DELETE FROM wallet_transfer WHERE reason = 'BUY_IN'",
            {
                "event moved nothing and held nothing": "buy:1",
                "entries are not two for each transfer": "10 entries of 4 transfers",
            },
        ),
        (
            "UPDATE wallet_entry SET amount = -amount WHERE abs(amount) = 400",
            {"transfer and its two entries differ": "transfer"},
        ),
        (
            """INSERT INTO wallet_entry
                 (account_id, seq, transfer_id, amount, balance_after, happened_at)
               SELECT account_id, seq + 1, transfer_id, 7, balance_after + 7, now()
               FROM wallet_entry WHERE balance_after = 5000""",
            {
                "account differs from its entries": "PLAYER 1 INR: 5000, entries 5007",
                "entries are not two for each transfer": "11 entries of 5 transfers",
            },
        ),
        (
            "UPDATE wallet_transfer SET reason = 'DEPOSIT' WHERE reason = 'ADJUSTMENT'",
            {"payment differs from the ledger": "deposit:1: 0, moved 5000"},
        ),
        (
            """INSERT INTO wallet_transfer (journal_id, line, source_id, destination_id,
                                            currency, amount, reason, happened_at)
               SELECT 4711, 1, source_id, destination_id, currency, 5, reason, now()
               FROM wallet_transfer WHERE reason = 'BUY_IN'""",
            {
                "transfer has no event": "transfer",
                "transfer and its two entries differ": "transfer",
            },
        ),
        (
            "UPDATE wallet_transfer SET destination_id = source_id WHERE reason = 'STAKE'",
            {"transfer has one account on both sides": "transfer"},
        ),
        (
            "UPDATE wallet_account SET closed_at = now() WHERE kind = 'SEAT' AND owner_id = 7",
            {"closed account is not empty": "SEAT 7 CHIPS: 350"},
        ),
        (
            "UPDATE wallet_journal SET reverses_id = 4711 WHERE key = 'buy:1'",
            {"event reverses one that is not there": "buy:1: 4711"},
        ),
    ],
)
def test_tampering_is_found(statement, findings, plant, capsys, caplog):
    plant(statement)
    reported = reconcile().findings
    assert {finding.check for finding in reported} >= set(findings)
    for check, subject in findings.items():
        assert any(f.check == check and f.subject.startswith(subject) for f in reported)
    with pytest.raises(CommandError, match=f"The ledger is off in {len(reported)} places?"):
        call_command("check_ledger")
    assert len(capsys.readouterr().err.splitlines()) == len(reported)
    caplog.clear()
    assert check_ledger() == len(reported)
    assert len(caplog.records) == len(reported)


def test_a_payment_that_moved_nothing_is_found():
    bring_deposit(make_player(), 700)
    assert reconcile().findings == ()
    Deposit.objects.update(amount=701)
    (finding,) = reconcile().findings
    assert finding.check == "payment differs from the ledger"
    assert finding.subject.endswith(": 701, moved 700")


class TestARestoredBackup:
    """The command `check_backup`, which deploy/backup.sh runs on a restored database."""

    def test_a_restored_backup_with_an_imbalance_is_not_good(self, plant):
        plant(
            "UPDATE wallet_account SET balance = 601 WHERE kind = 'PLAYER' AND currency = 'CHIPS'"
        )
        with pytest.raises(CommandError, match="The ledger is off in 2 places"):
            call_command("check_backup")

    def test_a_restored_backup_without_migrations_is_not_good(self, as_owner):
        with as_owner():
            run(
                "DELETE FROM django_migrations WHERE id ="
                " (SELECT max(id) FROM django_migrations WHERE app = 'tournaments')"
            )
        with pytest.raises(CommandError, match="Its migrations are not those of this code"):
            call_command("check_backup")
