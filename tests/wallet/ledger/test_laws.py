"""Laws of the ledger that hold after any sequence of events, checked with random sequences."""

from collections import defaultdict

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.refusals import Refusal
from tests.effort import share_of
from tests.wallet.seats import CHIPS, buy_in
from wallet import api as wallet
from wallet.ledger.balances import get_seat_balances
from wallet.ledger.chart import AccountRef, PostingLine, player, pot, seat
from wallet.ledger.checks import reconcile
from wallet.ledger.posting import post_transfers
from wallet.models import AccountKind, LedgerAccount, Reason
from wallet.money import Currency

pytestmark = pytest.mark.django_db

REFS = [
    AccountRef(AccountKind.MINT, 0, CHIPS),
    player(1, CHIPS),
    player(2, CHIPS),
    seat(1, CHIPS),
    pot(1, CHIPS),
]
refs = st.sampled_from(REFS)


@st.composite
def events(draw):
    """Draw events. Keys repeat on purpose: a repeat is a retry, or a conflict if its lines differ."""
    pairs = st.tuples(refs, refs).filter(lambda pair: pair[0] != pair[1])
    parts = st.builds(
        lambda pair, amount: PostingLine(pair[0], pair[1], amount, Reason.ADJUSTMENT),
        pairs,
        st.integers(1, 500),
    )
    events = st.tuples(st.sampled_from("abcdefgh"), st.lists(parts, min_size=1, max_size=5))
    return draw(st.lists(events, min_size=1, max_size=12))


class Model:
    """Model of the ledger's guarantees in a few lines of Python."""

    def __init__(self):
        self.balances = defaultdict(int)
        self.done = {}

    def post(self, key, lines):
        if key in self.done:
            return "replayed" if self.done[key] == lines else "idempotency_conflict"
        after = self.balances.copy()
        for line in lines:
            after[line.source] -= line.amount
            after[line.destination] += line.amount
        if any(amount < 0 for ref, amount in after.items() if ref.kind is not AccountKind.MINT):
            return "insufficient_funds"
        self.balances, self.done[key] = after, lines
        return "posted"


rolled_back = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@settings(rolled_back, max_examples=share_of(40))
@given(events())
def test_the_ledger_behaves_like_its_model(db, sequence):
    model = Model()
    with transaction.atomic():
        for key, lines in sequence:
            expected = model.post(key, lines)
            try:
                posting = post_transfers(key=f"law:{key}", lines=lines)
                outcome = "replayed" if posting.replayed else "posted"
            except Refusal as refusal:
                outcome = refusal.code
            assert outcome == expected
        stored = {
            AccountRef(AccountKind(kind), owner, Currency(currency)): amount
            for kind, owner, currency, amount in LedgerAccount.objects.values_list(
                "kind", "owner_id", "currency", "balance"
            )
        }
        assert stored == dict(model.balances)
        assert sum(stored.values()) == 0
        assert reconcile().findings == ()
        transaction.set_rollback(True)


@settings(rolled_back, max_examples=share_of(25))
@given(
    losses=st.dictionaries(st.integers(2, 6), st.integers(0, 800), max_size=5),
    rake_bps=st.integers(0, 10_000),
    rake_cap=st.none() | st.integers(0, 500),
    winners=st.permutations([1, 7, 8]).flatmap(
        lambda seats: st.integers(1, 3).map(lambda number: seats[:number])
    ),
)
def test_a_settlement_makes_and_loses_no_chip(db, losses, rake_bps, rake_cap, winners):
    with transaction.atomic():
        for seat_id in range(1, 9):
            buy_in(None, 800, seat_id)
        settled = wallet.settle_points(
            match_id=1,
            table_id=1,
            currency=CHIPS,
            winner_seat_ids=winners,
            losses=losses,
            rake_bps=rake_bps,
            rake_cap=rake_cap,
            key="match:1:settle",
        )
        assert settled.gross == sum(losses.values()) == settled.rake + sum(settled.shares.values())
        assert get_seat_balances(range(1, 9)) == {
            seat_id: 800 - losses.get(seat_id, 0) + settled.shares.get(seat_id, 0)
            for seat_id in range(1, 9)
        }
        assert reconcile().findings == ()
        transaction.set_rollback(True)
