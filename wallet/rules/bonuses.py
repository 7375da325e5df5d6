"""The release of a bonus in chunks, by the amount played. Pure; amounts in paise."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from wallet.money import split_evenly


@dataclass(frozen=True, slots=True)
class ReleaseTerms:
    """`amount` in `chunks` equal parts, each after entry fees of `play_multiple` times the part."""

    amount: int
    chunks: int
    play_multiple: int


@dataclass(frozen=True, slots=True)
class NextChunk:
    amount: int
    to_play: int


def due_amount(terms: ReleaseTerms, *, played: int) -> int:
    """Return the amount to release after entry fees of `played`."""
    return max(
        (upto for upto in _milestones(terms) if upto * terms.play_multiple <= played), default=0
    )


def next_chunk(terms: ReleaseTerms, *, played: int) -> NextChunk | None:
    """Return the next chunk and the play it needs, or None after the last one."""
    due = due_amount(terms, played=played)
    for upto in _milestones(terms):
        if upto > due:
            return NextChunk(upto - due, upto * terms.play_multiple - played)
    return None


def left_of_each(balance: int, unreleased: Sequence[int]) -> tuple[int, ...]:
    """Return what is left of each bonus in the account, the oldest first.

    Spending, and money at a table, are taken from the oldest.
    """
    left: list[int] = []
    for amount in reversed(unreleased):
        left.append(min(amount, balance))
        balance -= left[-1]
    return tuple(reversed(left))


def _milestones(terms: ReleaseTerms) -> list[int]:
    return list(accumulate(split_evenly(terms.amount, terms.chunks)))
