"""The hash chain of seals, which reveals later changes of the ledger however consistent they are."""

import hashlib
import struct
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection, connections

from tests.given import require
from tests.wallet.rawsql import post, refusal, run, tamper
from wallet.ledger import checks
from wallet.ledger.checks import SealedChain, reconcile, verify_seals
from wallet.models import Entry, LedgerCheck, LedgerSeal, SealHorizon, Transfer
from wallet.tasks import check_ledger, seal_ledger

pytestmark = pytest.mark.django_db(transaction=True)

DIFFERS = "seal differs from its transfers"
BROKEN = "seal does not follow from the one before"
GONE = "seal that was seen before is gone or another"


def move(number, amount=10):
    post(f"move:{number}", f"MINT,0,PLAYER,{number % 3 + 1},CHIPS,{amount},ADJUSTMENT")


def seal_all():
    """Seal in two rounds, like two ticks: the first notes the newest transfer, the second seals up to it."""
    return seal_ledger() + seal_ledger()


@pytest.fixture
def sealed(monkeypatch, as_owner):
    """Nine transfers under three seals, and two that no seal covers yet."""
    with as_owner():
        run("ALTER SEQUENCE wallet_transfer_id_seq RESTART")
    monkeypatch.setattr(checks, "SEALED_AT_ONCE", 3)
    for number in range(9):
        move(number)
    assert seal_all() == 9
    for number in range(9, 11):
        move(number)
    return list(LedgerSeal.objects.order_by("number"))


def seal_findings():
    return {(finding.check, finding.subject) for finding in verify_seals().findings}


def test_seals_follow_each_other(sealed):
    assert [(s.number, s.first_transfer_id, s.last_transfer_id, s.transfers) for s in sealed] == [
        (1, 1, 3, 3),
        (2, 4, 6, 3),
        (3, 7, 9, 3),
    ]
    assert bytes(sealed[0].previous_hash) == bytes(32)
    for before, after in pairwise(sealed):
        assert bytes(after.previous_hash) == bytes(before.hash)
    assert seal_findings() == set()
    assert verify_seals().head == str(sealed[-1])
    assert reconcile().findings == ()


INT4, INT8, TEXT, BYTES, TIME = 23, 20, 25, 17, 1184
YEAR_2000 = datetime(2000, 1, 1, tzinfo=UTC)


def pack_record(*fields):
    """Pack (type, value) pairs as PostgreSQL's record_send does, by its documentation."""
    parts = [struct.pack(">i", len(fields))]
    for kind, value in fields:
        if value is None:
            parts.append(struct.pack(">Ii", kind, -1))
            continue
        if kind == TIME:
            value = (value - YEAR_2000) // timedelta(microseconds=1)  # noqa: PLW2901 - its number
        if isinstance(value, int):
            content = struct.pack(">i" if kind == INT4 else ">q", value)
        else:
            content = value.encode() if isinstance(value, str) else bytes(value)
        parts.append(struct.pack(">Ii", kind, len(content)) + content)
    return b"".join(parts)


def bytes_of(transfer):
    entries = b"".join(
        pack_record(
            (INT8, entry.account_id),
            (INT8, entry.seq),
            (INT8, entry.amount),
            (INT8, entry.balance_after),
            (TIME, entry.happened_at),
        )
        for entry in Entry.objects.filter(transfer=transfer).order_by("account_id", "seq")
    )
    event = transfer.journal
    return pack_record(
        (INT8, transfer.pk),
        (INT8, transfer.journal_id),
        (INT4, transfer.line),
        (INT8, transfer.source_id),
        (INT8, transfer.destination_id),
        (TEXT, transfer.currency),
        (INT8, transfer.amount),
        (TEXT, transfer.reason),
        (TIME, transfer.happened_at),
        (BYTES, entries),
        (TEXT, event.key),
        (BYTES, event.request_hash),
        (INT8, event.actor_id),
        (INT8, event.reverses_id),
        (TIME, event.recorded_at),
        (TEXT, event.subject),
    )


def test_anybody_can_calculate_a_seal(sealed):
    for seal in sealed:
        numbers = (seal.first_transfer_id, seal.last_transfer_id)
        transfers = Transfer.objects.filter(pk__range=numbers).order_by("pk")
        content = bytes(seal.previous_hash) + b"".join(map(bytes_of, transfers))
        assert hashlib.sha256(content).digest() == bytes(seal.hash)


def test_sealing_again_seals_only_new_transfers(sealed):
    assert seal_all() == 2
    assert seal_all() == 0
    assert LedgerSeal.objects.count() == 4
    assert seal_findings() == set()


def test_an_empty_ledger_has_no_seals():
    assert seal_all() == 0
    assert not SealHorizon.objects.exists()
    assert verify_seals() == SealedChain(findings=(), head="")


def test_an_amount_changed_everywhere_is_found(sealed):
    """The transfer, its entries and all later balances agree with each other, but not with the seal."""
    tamper(
        "UPDATE wallet_transfer SET amount = 11 WHERE id = 5",
        "UPDATE wallet_entry SET amount = sign(amount) * 11 WHERE transfer_id = 5",
        """UPDATE wallet_entry SET balance_after = balance_after + sign(amount)
           WHERE transfer_id >= 5 AND account_id IN (
             SELECT unnest(ARRAY[source_id, destination_id]) FROM wallet_transfer WHERE id = 5)""",
        """UPDATE wallet_account SET balance = balance + CASE kind WHEN 'MINT' THEN -1 ELSE 1 END
           WHERE id IN (
             SELECT unnest(ARRAY[source_id, destination_id]) FROM wallet_transfer WHERE id = 5)""",
    )
    named = (DIFFERS, "seal 2: transfers 4 to 6, 3 sealed and 3 found")
    assert named in seal_findings()
    assert {finding.check for finding in reconcile().findings} == {DIFFERS}


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE wallet_entry SET balance_after = 7 WHERE transfer_id = 5 AND amount > 0",
        "UPDATE wallet_entry SET happened_at = happened_at + interval '1 us' WHERE transfer_id = 5",
        "DELETE FROM wallet_entry WHERE transfer_id = 5 AND amount > 0",
        "UPDATE wallet_transfer SET reason = 'PRIZE' WHERE id = 5",
        "UPDATE wallet_journal SET subject = 'table:1' WHERE key = 'move:4'",
        "UPDATE wallet_journal SET actor_id = 1 WHERE key = 'move:4'",
        "DELETE FROM wallet_journal WHERE key = 'move:4'",
    ],
)
def test_any_change_of_a_sealed_transfer_is_found_and_named(sealed, statement):
    tamper(statement)
    assert seal_findings() == {(DIFFERS, "seal 2: transfers 4 to 6, 3 sealed and 3 found")}
    with pytest.raises(CommandError, match="The ledger is off in 1 places"):
        call_command("check_ledger", "--seals")


@pytest.mark.parametrize(
    ("statements", "findings"),
    [
        (
            ["DELETE FROM wallet_transfer WHERE id = 5"],
            {(DIFFERS, "seal 2: transfers 4 to 6, 3 sealed and 2 found")},
        ),
        (  # a transfer put into the past
            [
                "DELETE FROM wallet_entry WHERE transfer_id = 11",
                "UPDATE wallet_transfer SET id = 0 WHERE id = 11",
            ],
            {(DIFFERS, "seal 1: transfers 1 to 3, 3 sealed and 4 found")},
        ),
        (
            ["UPDATE wallet_seal SET hash = sha256('x') WHERE number = 2"],
            {
                (DIFFERS, "seal 2: transfers 4 to 6, 3 sealed and 3 found"),
                (BROKEN, "seal 3 after seal 2"),
            },
        ),
        (["DELETE FROM wallet_seal WHERE number = 2"], {(BROKEN, "seal 3 after seal 1")}),
    ],
)
def test_a_gap_or_another_seal_is_found(sealed, statements, findings):
    tamper(*statements)
    assert findings <= seal_findings()


def test_a_remade_chain_is_found_by_the_head_noted_before(sealed, capsys):
    head = str(sealed[-1])
    call_command("check_ledger", "--seals", "--head", head)
    assert f"Last seal: {head}" in capsys.readouterr().out
    assert check_ledger() == 0
    assert LedgerCheck.objects.get().head == head
    # The owner of the database deletes the seals, changes something and has it sealed anew.
    tamper(
        "UPDATE wallet_journal SET subject = 'table:1' WHERE key = 'move:4'",
        "DELETE FROM wallet_seal",
        "DELETE FROM wallet_seal_horizon",
    )
    assert seal_all() == 11
    assert [check for check, _subject in seal_findings()] == [GONE]
    tamper("DELETE FROM wallet_ledger_check")
    assert seal_findings() == set()
    with pytest.raises(CommandError, match="it was cut or made anew"):
        call_command("check_ledger", "--seals", "--head", head)
    with pytest.raises(CommandError, match="A seal looks like"):
        call_command("check_ledger", "--head", "x")


def test_even_the_owner_changes_no_seal(sealed, as_owner):
    with as_owner():
        for statement in ("UPDATE wallet_seal SET transfers = 1", "DELETE FROM wallet_seal"):
            assert refusal(statement) == "LG008"
        assert refusal("TRUNCATE wallet_seal") == "LG008"
    assert seal_findings() == set()


@pytest.fixture
def other():
    """A second database connection, as another process would have."""
    second = connections.create_connection("default")
    second.settings_dict = connection.settings_dict
    yield second
    second.close()


def post_on(other, key):
    with other.cursor() as cursor:
        cursor.execute(
            "SELECT journal_id FROM ledger_post(%s, %s::wallet_line[])",
            [key, '{"(MINT,0,0,PLAYER,9,0,CHIPS,5,ADJUSTMENT)"}'],
        )


def test_sealing_waits_for_an_earlier_uncommitted_transfer(other):
    """The slow transaction takes the smaller id and commits last."""
    post("open:1", "MINT,0,PLAYER,9,CHIPS,1,ADJUSTMENT")
    assert seal_all() == 1
    other.set_autocommit(False)
    with other.cursor() as cursor:
        cursor.execute("SELECT nextval('wallet_transfer_id_seq'), pg_current_xact_id()")
        (early,) = cursor.fetchone()[:1]
    post("fast:1", "SUSPENSE,0,PLAYER,1,CHIPS,10,ADJUSTMENT")
    assert require(Transfer.objects.order_by("id").last()).pk > early
    assert seal_all() == 0
    assert LedgerSeal.objects.count() == 1
    other.rollback()
    assert seal_all() == 1
    assert seal_findings() == set()


def test_a_rolled_back_transfer_leaves_no_gap(other):
    other.set_autocommit(False)
    post_on(other, "slow:1")
    other.rollback()
    post("fast:1", "MINT,0,PLAYER,1,CHIPS,10,ADJUSTMENT")
    assert seal_all() == 1
    assert seal_findings() == set()


def test_one_seals_at_a_time(other, sealed):
    other.set_autocommit(False)
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended('ledger_seal', 0))")
    assert seal_all() == 0
    other.rollback()
    assert seal_all() == 2


def test_a_restored_database_goes_on_sealing(sealed):
    seal_ledger()
    tamper("UPDATE wallet_seal_horizon SET transaction_id = 9000000000000")
    assert seal_ledger() == 0
    assert seal_ledger() == 2
    assert seal_findings() == set()
