"""The hourly check, which reads only new transfers, finds faults in them, and forgets no finding."""

import pytest
from django.db import connection
from django.db.models import Max, Min
from django.test.utils import CaptureQueriesContext

from tests.wallet.ledger.test_seals import move, seal_all, sealed  # noqa: F401 - a fixture
from tests.wallet.rawsql import tamper
from wallet.ledger import checks
from wallet.ledger.checks import check_ledger, check_recent, reconcile
from wallet.models import LedgerCheck, LedgerSeal, Transfer
from wallet.tasks import check_ledger as hourly

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def checked(sealed):  # noqa: F811 - the fixture
    """A sealed ledger that has been checked, followed by three new transfers."""
    assert hourly() == 0
    assert LedgerCheck.objects.get().head == str(sealed[-1])
    for number in range(11, 14):
        move(number)
    return sealed


@pytest.fixture
def in_parts(checked, monkeypatch):
    """Cover the new transfers by two seals, each checked as a separate part, and leave three uncovered."""
    monkeypatch.setattr(checks, "CHECKED_AT_ONCE", 1)
    assert seal_all() == 5
    for number in range(14, 17):
        move(number)
    return [*checked, *LedgerSeal.objects.filter(number__gt=3).order_by("number")]


def fill_in(statement, until=0):
    """Replace NEW, OLD, FIRST and UNTIL by ids: newest, oldest and first unchecked transfer, and `until`."""
    ends = Transfer.objects.aggregate(new=Max("id"), old=Min("id"))
    first = LedgerSeal.objects.get(number=3).last_transfer_id + 1
    numbers = {"NEW": ends["new"], "OLD": ends["old"], "FIRST": first, "UNTIL": until}
    for name, number in numbers.items():
        statement = statement.replace(name, str(number))
    return statement


def kinds(result):
    return {finding.check for finding in result.findings}


def test_a_sound_ledger_stays_sound_seal_by_seal(checked):
    assert check_recent().findings == ()
    assert seal_all() == 5
    for number in range(14, 17):
        move(number)
    result = check_recent()
    assert result.findings == ()
    assert result.head == str(LedgerSeal.objects.order_by("number").last())
    assert result.totals == reconcile().totals
    assert hourly() == 0


def test_a_new_seal_that_does_not_fit_is_found(checked):
    assert seal_all() == 5
    tamper(fill_in("UPDATE wallet_transfer SET happened_at = now() WHERE id = NEW"))
    assert kinds(check_recent()) == {"seal differs from its transfers"}
    tamper("DELETE FROM wallet_seal WHERE number >= 3")
    assert "seal that was seen before is gone or another" in kinds(check_recent())


def test_after_a_finding_everything_is_read_until_nothing_is_found(checked):
    """The hourly check cannot see a change of old rows. Once `check_ledger` has found one, it reads everything."""
    tamper(fill_in("UPDATE wallet_transfer SET happened_at = now() WHERE id = OLD"))
    assert hourly() == 0
    assert kinds(check_ledger()) == {"seal differs from its transfers"}
    assert hourly() == 1
    tamper(
        fill_in(
            "UPDATE wallet_transfer t SET happened_at = e.happened_at FROM wallet_entry e"
            " WHERE e.transfer_id = t.id AND t.id = OLD"
        )
    )
    assert hourly() == 0


def test_checked_history_is_not_read_again(checked):
    """Even deleted sealed history is not noticed, because the hourly check reads none of it."""
    last = LedgerSeal.objects.get(number=3).last_transfer_id
    tamper(
        fill_in("DELETE FROM wallet_entry WHERE transfer_id <= UNTIL", last - 3),
        fill_in("DELETE FROM wallet_transfer WHERE id <= UNTIL", last - 3),
    )
    assert Transfer.objects.count() == 8
    with CaptureQueriesContext(connection) as queries:
        assert check_recent().findings == ()
    assert len(queries) < 20


# --- In parts -------------------------------------------------------------------------------------


def test_much_is_checked_in_parts_seal_by_seal(in_parts):
    result = check_recent()
    assert result.findings == ()
    heads = LedgerCheck.objects.order_by("pk").values_list("head", flat=True)
    assert list(heads) == [str(seal) for seal in (*in_parts[2:], in_parts[-1])]
    assert result.totals == reconcile().totals


def test_a_run_continues_where_the_last_one_stopped(in_parts, monkeypatch):
    monkeypatch.setattr(checks, "SECONDS_A_RUN", -1)
    assert [check_recent().head for _ in range(3)] == [
        str(in_parts[3]),
        str(in_parts[4]),
        str(in_parts[4]),
    ]
    assert check_recent().findings == ()


@pytest.mark.parametrize("which", ["FIRST", "NEW"])
@pytest.mark.parametrize(
    ("statement", "check"),
    [
        ("DELETE FROM wallet_entry WHERE transfer_id = WHICH AND amount > 0",
         "transfer and its two entries differ"),
        ("DELETE FROM wallet_entry WHERE transfer_id = WHICH",
         "entries are not two for each transfer"),
        ("UPDATE wallet_entry SET amount = amount * 2 WHERE transfer_id = WHICH",
         "entry does not follow from the one before"),
        ("UPDATE wallet_entry SET balance_after = balance_after + 1 WHERE transfer_id = WHICH",
         "entry does not follow from the one before"),
        ("UPDATE wallet_transfer SET amount = 11 WHERE id = WHICH",
         "transfer and its two entries differ"),
        ("UPDATE wallet_transfer SET reason = 'DEPOSIT' WHERE id = WHICH",
         "payment differs from the ledger"),
    ],
)  # fmt: skip
def test_a_fault_is_found_in_any_part(in_parts, which, statement, check):
    tamper(fill_in(statement.replace("WHICH", which)))
    # A fault in an account's newest entry also shows in the account's balance, in every part.
    of_account = {"account differs from its entries"} if which == "NEW" else set()
    assert kinds(check_recent()) & {check, *of_account}
    assert hourly() > 0


@pytest.mark.parametrize(
    "statement",
    [
        # An account's newest entry, and all entries of the last part.
        "DELETE FROM wallet_entry WHERE transfer_id = NEW",
        "DELETE FROM wallet_entry WHERE transfer_id > NEW - 3",
        "DELETE FROM wallet_entry WHERE transfer_id > NEW - 6",
        "UPDATE wallet_entry SET seq = seq + 5 WHERE transfer_id = NEW",
        "UPDATE wallet_account SET seq = seq + 1 WHERE kind = 'MINT'",
    ],
)
def test_a_missing_entry_of_an_account_is_found(in_parts, statement):
    tamper(fill_in(statement))
    assert kinds(check_recent()) & {
        "account differs from its entries",
        "account has a gap in its entries",
    }


def test_a_later_seal_that_does_not_fit_is_found_in_its_part(in_parts):
    """The earlier parts of the check have no findings."""
    last = str(in_parts[-1].last_transfer_id)
    tamper("UPDATE wallet_transfer SET happened_at = now() WHERE id = LAST".replace("LAST", last))
    assert kinds(check_recent()) == {"seal differs from its transfers"}
    found = LedgerCheck.objects.order_by("pk").values_list("found", flat=True)
    assert list(found) == [0, 0, 1]
