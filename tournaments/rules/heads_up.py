"""Heads-up bracket: two players at a table, the winner advances. The losing semi-finalists play for third place.

The best seeds have byes in the first round, so that the number of players in the second is a power of two.
"""

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from random import Random

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.rules.bracket import PAIR, Seating, Structure
from tournaments.rules.format import TournamentFormat
from tournaments.rules.tree import BYES, AdvancingPlace, Level


class HeadsUp(TournamentFormat):
    """A format in which pairs play, and winners meet at tables that are known in advance."""

    code = "heads-up"
    title: str | Promise = _("Heads-up bracket")
    summary: str | Promise = _(
        "Heads-up bracket: two at a table, the winner goes on; the losers of the semi-finals play "
        "for third place."
    )
    company: str | Promise = _("one against one")

    def rounds(self, players: int, structure: Structure) -> tuple[int, ...]:
        """Return the number of players in each round.

        The number for the last round includes the losers of the semi-finals, who play for third place.
        """
        if players < PAIR:
            return ()
        if players == PAIR:
            return (PAIR,)
        halves = []
        size = _compute_size(players) // PAIR
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
        """Seat the first round; the tree determines the others."""
        byes = tuple(players[: _compute_size(len(players)) - len(players)])
        drawn = rng.sample(list(players[len(byes) :]), len(players) - len(byes))
        return Seating(tuple(zip(drawn[::2], drawn[1::2], strict=True)), byes)

    def will_be_final(self, players: int, *, number: int, structure: Structure) -> bool:
        return players <= PAIR

    def has_tree(self, structure: Structure, *, early: bool) -> bool:
        return True

    def tree(self, sizes: Sequence[int], byes: int, structure: Structure) -> tuple[Level, ...]:
        """Place byes between the tables, so that players with a bye meet players without one if possible."""
        tables = [AdvancingPlace(number, 1) for number in range(1, len(sizes) + 1)]
        waiting = [AdvancingPlace(BYES, place) for place in range(1, byes + 1)]
        feeds = [feed for pair in zip_longest(tables, waiting) for feed in pair if feed is not None]
        levels: list[Level] = []
        while len(feeds) > 1:
            pairs = tuple(zip(feeds[::2], feeds[1::2], strict=True))
            if len(pairs) == 1:
                losers = tuple(
                    AdvancingPlace(feed.table, 2) for feed in feeds if feed.table != BYES
                )
                levels.append((pairs[0], losers))
                break
            levels.append(pairs)
            feeds = [AdvancingPlace(number, 1) for number in range(1, len(pairs) + 1)]
        return tuple(levels)


def _compute_size(players: int) -> int:
    """Return the smallest power of two that holds this many players."""
    return 1 << (players - 1).bit_length()
