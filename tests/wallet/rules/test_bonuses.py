"""Bonuses: given with a reason, released for entry fees, expired."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wallet.rules import (
    NextChunk,
    ReleaseTerms,
    compute_due_amount,
    compute_left_of_each,
    compute_next_chunk,
)


class TestPure:
    @pytest.mark.parametrize(
        ("played", "due", "coming"),
        [
            (0, 0, NextChunk(334, 3_340)),
            (3_339, 0, NextChunk(334, 1)),
            (3_340, 334, NextChunk(333, 3_330)),
            (6_670, 667, NextChunk(333, 3_330)),
            (9_999, 667, NextChunk(333, 1)),
            (10_000, 1_000, None),
            (99_999, 1_000, None),
        ],
    )
    def test_chunk_by_chunk(self, played, due, coming):
        terms = ReleaseTerms(1_000, 3, 10)
        assert compute_due_amount(terms, played=played) == due
        assert compute_next_chunk(terms, played=played) == coming

    def test_the_oldest_bonus_is_spent_first(self):
        assert compute_left_of_each(1_000, (500, 300, 200)) == (500, 300, 200)
        assert compute_left_of_each(600, (500, 300, 200)) == (100, 300, 200)
        assert compute_left_of_each(150, (500, 300, 200)) == (0, 0, 150)
        assert compute_left_of_each(1_500, (500,)) == (500,)

    @given(st.integers(0, 10**6), st.lists(st.integers(0, 10**6), max_size=6))
    def test_no_more_is_left_than_there_is(self, amount, unreleased):
        left = compute_left_of_each(amount, unreleased)
        assert sum(left) == min(amount, sum(unreleased))
        assert all(0 <= part <= whole for part, whole in zip(left, unreleased, strict=True))

    @given(st.integers(1, 10**6), st.integers(1, 50), st.integers(1, 20), st.integers(0, 10**8))
    def test_more_play_never_brings_less(self, amount, chunks, multiple, played):
        terms = ReleaseTerms(max(amount, chunks), chunks, multiple)
        due = compute_due_amount(terms, played=played)
        assert 0 <= due <= terms.amount
        assert due * multiple <= played
        coming = compute_next_chunk(terms, played=played)
        assert (coming is None) == (due == terms.amount)
        if coming is not None:
            assert compute_due_amount(terms, played=played + coming.to_play) == due + coming.amount
