"""The beginning of a search for melds: the pure sequence that every declaration needs (R3.1)."""

from collections.abc import Iterator, Sequence

from games.indian.rules.solver.setplans import MeldFaces
from games.indian.rules.solver.suitruns import DIGIT, RANK_POINTS, SUIT_MASK, Run, pure_runs
from games.indian.rules.solver.tally import (
    LANES,
    SUIT_INDICES,
    dearest,
    in_lane,
    jokers_of,
    ranks_of,
    sequences_in,
    wilds_of,
)

# The cards of a hand, perhaps beside a pure sequence with a wild card in its place: their tally and
# ranks, jokers, points freed, the pure sequence. Everywhere else a wild card does as itself no more
# than it does as a joker. A plain tuple, as it is made for every hand.
Start = tuple[int, int, int, int, tuple[MeldFaces, ...]]


def starts(tally: int, wild: int | None) -> list[Start]:
    """Return all pure sequences to begin with; none if the hand has none."""
    ranks = ranks_of(tally)
    runs = sequences_in(ranks)
    beginnings: list[Start] = [(tally, ranks, jokers_of(tally), 0, ())] if runs else []
    if wild is not None:
        wilds = wilds_of(tally, wild)
        made = sequences_in(ranks | wilds) ^ runs if wilds else 0
        if made:
            beginnings.extend(_with_wild(tally, made, wild))
    return beginnings


def _with_wild(tally: int, made: int, wild: int) -> Iterator[Start]:
    """Return the starts in which a wild card stands in its own place."""
    digit = 1 << DIGIT * (wild - 1)
    for suit in SUIT_INDICES:
        if made >> LANES[suit] & SUIT_MASK:
            for run in pure_runs(tally >> LANES[suit] & SUIT_MASK | digit):
                if run.cards & digit:
                    rest = tally - in_lane(run.cards ^ digit, suit)
                    freed = run.points - RANK_POINTS[wild]
                    jokers = jokers_of(tally) - 1
                    yield rest, ranks_of(rest), jokers, freed, (_faces(run, suit),)


def lone_pure(begin: Sequence[Start], *, discards: bool) -> tuple[int, tuple[MeldFaces, ...]]:
    """Return the pure sequence that frees most by itself, and that amount with a discard."""
    return max(
        (
            (freed + dearest(rest) if discards else freed, pure)
            for start in begin
            for freed, rest, pure in _lone(start)
        ),
        key=lambda choice: choice[0],
    )


def _lone(start: Start) -> Iterator[tuple[int, int, tuple[MeldFaces, ...]]]:
    tally, _, _, freed, pure = start
    if pure:
        yield freed, tally, pure
        return
    for suit in SUIT_INDICES:
        for run in pure_runs(tally >> LANES[suit] & SUIT_MASK):
            yield run.points, tally - in_lane(run.cards, suit), (_faces(run, suit),)


def _faces(run: Run, suit: int) -> MeldFaces:
    return run.faces[suit], run.jokers
