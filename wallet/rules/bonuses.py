"""How a bonus is released: in chunks, for what was played. Pure; amounts in paise."""

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
    """What is to be released when entry fees of `played` have been played."""
    return max(
        (upto for upto in _milestones(terms) if upto * terms.play_multiple <= played), default=0
    )


def next_chunk(terms: ReleaseTerms, *, played: int) -> NextChunk | None:
    """What comes next and what has to be played for it; None after the last one."""
    due = due_amount(terms, played=played)
    for upto in _milestones(terms):
        if upto > due:
            return NextChunk(upto - due, upto * terms.play_multiple - played)
    return None


def left_of_each(balance: int, unreleased: Sequence[int]) -> tuple[int, ...]:
    """What is left of each bonus in the account, the oldest first: what was spent or is at a table
    was taken from the oldest."""
    left: list[int] = []
    for amount in reversed(unreleased):
        left.append(min(amount, balance))
        balance -= left[-1]
    return tuple(reversed(left))


def _milestones(terms: ReleaseTerms) -> list[int]:
    return list(accumulate(split_evenly(terms.amount, terms.chunks)))
