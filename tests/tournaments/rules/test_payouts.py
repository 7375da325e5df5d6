"""R10.6: the whole pool is paid out to the last unit, for every payout table and number of entrants."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.rules.payout_tables import parse_payout_table, payout_text
from tournaments.rules.payouts import (
    BPS,
    InvalidPayoutTable,
    PayoutStep,
    PayoutTable,
    PayoutTableKind,
    Pool,
    compute_prizes,
    pool_for,
    share_prizes,
    tickets_for,
)

FIELDS = st.integers(2, 10_000)
POOLS = st.integers(0, 10**12)


@st.composite
def make_percent_ladders(draw):
    """Draw falling percentages of the whole pool. First place gets what the other places leave."""
    wanted = draw(st.lists(st.tuples(st.integers(1, 400), st.integers(1, 3_000)), max_size=12))
    steps, left = [], BPS
    for places, share in sorted(wanted, key=lambda step: step[1]):
        fits = min(places, (left - share) // share)
        if fits > 0:
            steps.append(PayoutStep(fits, share))
            left -= fits * share
    steps.append(PayoutStep(1, left))
    return PayoutTable(PayoutTableKind.PERCENT, tuple(reversed(steps)))


@st.composite
def make_fixed_ladders(draw):
    shares = draw(st.lists(st.integers(1, 10**6), min_size=1, max_size=12))
    places = draw(st.lists(st.integers(1, 400), min_size=len(shares), max_size=len(shares)))
    falling = sorted(shares, reverse=True)
    return PayoutTable(
        PayoutTableKind.FIXED,
        tuple(PayoutStep(n, share) for n, share in zip(places, falling, strict=True)),
    )


LADDERS = st.one_of(make_percent_ladders(), make_fixed_ladders())


@given(POOLS, LADDERS, FIELDS)
def test_prizes_are_the_pool_and_never_rise(pool, payout_table, field):
    paid = compute_prizes(pool, payout_table=payout_table, field=field)
    assert sum(paid) == pool
    assert list(paid) == sorted(paid, reverse=True)
    assert len(paid) == min(payout_table.places, field)
    assert min(paid) >= 0


@given(POOLS, LADDERS, st.integers(2, 500), st.data())
def test_equal_ranks_share_prizes_to_the_last_unit(pool, payout_table, field, data):
    starts = sorted(data.draw(st.sets(st.integers(2, field))) | {1})
    ranks = {place: max(s for s in starts if s <= place) for place in range(1, field + 1)}
    by_place = compute_prizes(pool, payout_table=payout_table, field=field)
    shared = share_prizes(by_place, ranks)
    assert sum(shared.values()) == pool
    for start in starts:
        together = [shared[place] for place, rank in ranks.items() if rank == start]
        assert max(together) - min(together) <= 1
        assert together == sorted(together, reverse=True)


@given(st.integers(0, 10**9), st.integers(0, BPS), st.integers(0, 10**9), LADDERS, FIELDS)
def test_the_overlay_fills_the_guarantee_exactly(paid_in, bps, guarantee, payout_table, field):
    rake = paid_in * bps // BPS
    pool = pool_for(
        paid_in=paid_in, rake=rake, guarantee=guarantee, payout_table=payout_table, field=field
    )
    assert pool.overlay >= 0
    assert paid_in + pool.overlay == rake + pool.prizes
    assert pool.prizes >= guarantee
    if payout_table.kind is PayoutTableKind.FIXED:
        paid = compute_prizes(pool.prizes, payout_table=payout_table, field=field)
        assert all(
            prize >= least for prize, least in zip(paid, payout_table.weights(field), strict=True)
        )
    elif paid_in - rake >= guarantee:
        assert pool.overlay == 0


def test_prizes_in_percent_of_the_pool():
    payout_table = PayoutTable(
        PayoutTableKind.PERCENT, (PayoutStep(1, 5_000), PayoutStep(1, 3_000), PayoutStep(2, 1_000))
    )
    assert compute_prizes(1_001, payout_table=payout_table, field=10) == (501, 300, 100, 100)
    assert compute_prizes(1_000, payout_table=payout_table, field=2) == (625, 375)


def test_fixed_prizes_are_minimum_amounts():
    payout_table = PayoutTable(PayoutTableKind.FIXED, (PayoutStep(1, 600), PayoutStep(1, 300)))
    assert pool_for(paid_in=400, rake=40, guarantee=0, payout_table=payout_table, field=6) == Pool(
        900, 540
    )
    assert compute_prizes(1_800, payout_table=payout_table, field=6) == (1_200, 600)


def test_equal_ranks_share_the_sum_of_their_prizes():
    ranks = {1: 1, 2: 2, 3: 2, 4: 4}
    assert share_prizes((500, 300, 101, 99), ranks) == {1: 500, 2: 201, 3: 200, 4: 99}
    assert share_prizes((500, 301), ranks) == {1: 500, 2: 151, 3: 150, 4: 0}


@given(POOLS, st.integers(1, 10**6), FIELDS)
def test_a_satellite_pays_whole_tickets_and_the_rest(pool, price, field):
    tickets = tickets_for(pool, price=price, field=field)
    assert tickets.number * price + tickets.rest == pool
    assert tickets.number <= field
    assert tickets.rest < price or tickets.number == field


@pytest.mark.parametrize(
    ("kind", "steps", "code"),
    [
        (PayoutTableKind.PERCENT, (), "no_steps"),
        (PayoutTableKind.PERCENT, (PayoutStep(1, 9_000),), "not_the_whole_pool"),
        (PayoutTableKind.PERCENT, (PayoutStep(1, 4_000), PayoutStep(1, 6_000)), "rises"),
        (PayoutTableKind.PERCENT, (PayoutStep(0, 4_000), PayoutStep(1, 10_000)), "not_positive"),
        (PayoutTableKind.FIXED, (PayoutStep(1, 0),), "not_positive"),
        (PayoutTableKind.FIXED, (PayoutStep(50_001, 5),), "too_many_places"),
    ],
)
def test_invalid_payout_tables_are_refused(kind, steps, code):
    with pytest.raises(InvalidPayoutTable) as refused:
        PayoutTable(kind, steps)
    assert refused.value.code == code


@pytest.mark.parametrize(
    "call",
    [
        lambda payout_table: compute_prizes(-1, payout_table=payout_table, field=2),
        lambda payout_table: compute_prizes(1, payout_table=payout_table, field=0),
        lambda _table: tickets_for(1, price=0, field=2),
    ],
)
def test_invalid_amounts_are_refused(call):
    with pytest.raises(ValueError, match=r"pool|price"):
        call(PayoutTable(PayoutTableKind.FIXED, (PayoutStep(1, 1),)))


@pytest.mark.parametrize(
    ("kind", "text", "payout_table"),
    [
        (PayoutTableKind.PERCENT, "100", [[1, 10_000]]),
        (PayoutTableKind.PERCENT, "33.34, 2x33.33", [[1, 3_334], [2, 3_333]]),
        (PayoutTableKind.FIXED, "5000, 10x200", [[1, 5_000], [10, 200]]),
    ],
)
def test_a_payout_table_survives_its_text(kind, text, payout_table):
    steps = [[step.places, step.share] for step in parse_payout_table(text, kind=kind).steps]
    assert steps == payout_table
    assert payout_text(payout_table, kind=kind) == text


@pytest.mark.parametrize("text", ["", "5.5", "x", "1x", "-3", "३"])
def test_invalid_payout_texts_are_refused(text):
    with pytest.raises(InvalidPayoutTable):
        parse_payout_table(text, kind=PayoutTableKind.FIXED)
