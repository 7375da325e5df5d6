"""Heads-up bracket: two at a table, the winner goes on; who loses a semi-final plays for third place.

The field is filled up to a power of two by byes of the first round, which the best seeded have.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from random import Random

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.rules import bracket
from tournaments.rules.bracket import (
    PAIR,
    Exit,
    Finisher,
    Place,
    PlayerT,
    Seating,
    Structure,
    TableEnded,
)
from tournaments.rules.tree import BYES, Feed, Level


class HeadsUp:
    code: str = "heads-up"
    title: str | Promise = _("Heads-up bracket")
    keeps_chips = False
    summary: str | Promise = _(
        "Heads-up bracket: two at a table, the winner goes on; the losers of the semi-finals play "
        "for third place."
    )

    def draw(self, entrants: int, *, rng: Random) -> tuple[int, ...]:
        return bracket.draw(entrants, rng=rng)

    def rounds(self, players: int, structure: Structure) -> tuple[int, ...]:
        """The semi-final's losers play in the last round too."""
        if players < PAIR:
            return ()
        if players == PAIR:
            return (PAIR,)
        halves = []
        size = _size(players) // PAIR
        while size > PAIR:
            halves.append(size)
            size //= PAIR
        return (players, *halves, min(players, 2 * PAIR))

    def seat(
        self,
        players: Sequence[int],
        *,
        structure: Structure,
        had_bye: Iterable[int],
        rng: Random,
    ) -> Seating:
        """The first round. `players` are given best seeded first."""
        byes = tuple(players[: _size(len(players)) - len(players)])
        drawn = rng.sample(list(players[len(byes) :]), len(players) - len(byes))
        return Seating(tuple(zip(drawn[::2], drawn[1::2], strict=True)), byes)

    def will_be_final(self, players: int, *, number: int, structure: Structure) -> bool:
        return players <= PAIR

    def was_final(self, *, number: int, tables: int, byes: int, structure: Structure) -> bool:
        return tables == 1 and byes == 0

    def going_on(self, players: int, structure: Structure) -> int:
        return structure.going_on(players)

    def qualified(self, finishers: Iterable[Finisher], places: int) -> tuple[int, ...]:
        return bracket.qualified(finishers, places)

    def placings(self, exits: Mapping[PlayerT, Exit]) -> dict[PlayerT, Place]:
        return bracket.placings(exits)

    def left_after(
        self,
        tables: Sequence[TableEnded],
        byes: Sequence[Finisher],
        *,
        number: int,
        structure: Structure,
    ) -> tuple[int, ...]:
        return bracket.best_of_tables(tables, byes, structure)

    def has_tree(self, structure: Structure, *, early: bool) -> bool:
        return True

    def tree(self, sizes: Sequence[int], byes: int, structure: Structure) -> tuple[Level, ...]:
        """Byes lie between the tables, so that who has one meets who has played where that goes."""
        tables = [Feed(number, 1) for number in range(1, len(sizes) + 1)]
        waiting = [Feed(BYES, place) for place in range(1, byes + 1)]
        feeds = [feed for pair in zip_longest(tables, waiting) for feed in pair if feed is not None]
        levels: list[Level] = []
        while len(feeds) > 1:
            pairs = tuple(zip(feeds[::2], feeds[1::2], strict=True))
            if len(pairs) == 1:
                losers = tuple(Feed(feed.table, 2) for feed in feeds if feed.table != BYES)
                levels.append((pairs[0], losers))
                break
            levels.append(pairs)
            feeds = [Feed(number, 1) for number in range(1, len(pairs) + 1)]
        return tuple(levels)


def _size(players: int) -> int:
    """The smallest power of two that has room for so many."""
    return 1 << (players - 1).bit_length()
