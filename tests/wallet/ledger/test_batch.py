"""SQL functions that post many events, reversals and sweeps, called as the application role."""

import pytest

from tests.wallet.rawsql import line, lines, refusal, run
from wallet.ledger.balances import balance
from wallet.ledger.chart import AccountRef, player, seat
from wallet.models import AccountKind, Transfer
from wallet.money import Currency

pytestmark = pytest.mark.django_db

POOL = AccountRef(AccountKind.PRIZE_POOL, 3, Currency.CHIPS)
RAKE = AccountRef(AccountKind.RAKE, 3, Currency.CHIPS)
BATCH = """SELECT posted_key, journal_id, replayed
           FROM ledger_post_batch(%s::text[], %s::int[], %s::wallet_line[])"""
REVERSE = "SELECT journal_id, replayed FROM ledger_reverse(%s, %s)"
SWEEP = "SELECT replayed, amount FROM ledger_sweep(%s, %s::wallet_line)"


def entry_fee(user_id):
    return [
        f"PLAYER,{user_id},PRIZE_POOL,3,CHIPS,90,ENTRY_FEE",
        f"PLAYER,{user_id},RAKE,3,CHIPS,10,RAKE",
    ]


def batch(events):
    """Return the parameters of BATCH for these events, given as {key: lines}."""
    pairs = [(place, text) for place, texts in enumerate(events.values(), 1) for text in texts]
    return list(events), [place for place, _ in pairs], lines(*[text for _, text in pairs])


@pytest.fixture(autouse=True)
def _funded(db):
    welcome = {f"welcome:{n}": [f"MINT,0,PLAYER,{n},CHIPS,100,WELCOME"] for n in (1, 2, 3)}
    assert [replayed for _, _, replayed in run(BATCH, *batch(welcome))] == [False] * 3


def test_a_batch_posts_every_event():
    answers = run(BATCH, *batch({f"enter:{n}": entry_fee(n) for n in (1, 2, 3)}))
    assert [(key, replayed) for key, _, replayed in answers] == [
        ("enter:1", False),
        ("enter:2", False),
        ("enter:3", False),
    ]
    assert (balance(POOL), balance(RAKE)) == (270, 30)
    assert [balance(player(n, Currency.CHIPS)) for n in (1, 2, 3)] == [0, 0, 0]
    second = Transfer.objects.filter(journal_id=answers[1][1]).order_by("line")
    assert list(second.values_list("line", "amount")) == [(1, 90), (2, 10)]


def test_one_bad_event_stops_the_batch():
    run(BATCH, *batch({"enter:1": entry_fee(1)}))
    poor = batch({"enter:2": entry_fee(2), "again:1": entry_fee(1)})
    assert refusal(BATCH, *poor) == "wallet_account_is_never_overdrawn"
    other = batch({"enter:2": entry_fee(2), "enter:1": entry_fee(1)[:1]})
    assert refusal(BATCH, *other) == "LG001"


@pytest.mark.parametrize(
    ("keys", "events", "number"),
    [
        ([], [], 0),
        (["one:1"], [2], 1),
        (["one:1"], [1, 1], 1),
        (["one:1", "one:1"], [1, 2], 2),
        (["one:1", "two:2"], [1, 1], 2),
        (["one:1"], [None], 1),
        (None, [1], 1),
    ],
)
def test_a_malformed_batch_is_refused(keys, events, number):
    assert refusal(BATCH, keys, events, lines(*entry_fee(1)[:1] * number)) == "LG003"


def test_an_event_is_reversed_once(ledger):
    ((_, journal_id, _),) = run(BATCH, *batch({"enter:1": entry_fee(1)}))
    ((reversal, replayed),) = run(REVERSE, "undo:1", journal_id)
    assert replayed is False
    assert balance(player(1, Currency.CHIPS)) == 100
    assert (balance(POOL), balance(RAKE)) == (0, 0)
    before = ledger()
    assert run(REVERSE, "undo:1", journal_id) == [(reversal, True)]
    assert refusal(REVERSE, "undo:2", journal_id) == "wallet_journal_reverses_id_key"
    assert ledger() == before


def test_an_event_whose_money_was_spent_cannot_be_reversed():
    ((journal_id,),) = run("SELECT id FROM wallet_journal WHERE key = 'welcome:1'")
    run(BATCH, *batch({"enter:1": entry_fee(1)}))
    assert refusal(REVERSE, "undo:1", journal_id) == "wallet_account_is_never_overdrawn"


def test_a_sweep_takes_everything_and_nothing_twice():
    everything = line("PLAYER,1,SEAT,4,CHIPS,,BUY_IN")
    assert run(SWEEP, "all:1", everything) == [(False, 100)]
    assert balance(seat(4, Currency.CHIPS)) == 100
    assert run(SWEEP, "all:1", everything) == [(True, 100)]
    assert run(SWEEP, "all:2", everything) == [(False, 0)]
    assert balance(seat(4, Currency.CHIPS)) == 100
    assert run("SELECT count(*) FROM wallet_journal WHERE key = 'all:2'") == [(0,)]
