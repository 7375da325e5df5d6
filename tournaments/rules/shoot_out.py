"""Points shoot-out: a number of rounds, each with its stake. Players keep their chips (R10.11)."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.rules.bracket import PAIR, Finisher, Structure, TableEnded
from tournaments.rules.format import TournamentFormat

# A stake for each round, as stored and as typed in the administration.
STAKES: Final = r"^[1-9][0-9]{0,3}(, [1-9][0-9]{0,3}){1,11}$"


class InvalidStakes(ValueError):  # noqa: N818 - says what it is
    """Invalid stakes for a shoot-out. `str()` is a sentence for staff."""


def parse_stakes(text: str) -> tuple[int, ...]:
    """Parse the chips per point of each round, such as "1, 2, 4". Raises InvalidStakes."""
    parts = [part.strip() for part in text.split(",")]
    if not re.fullmatch(STAKES, ", ".join(parts), re.ASCII):
        raise InvalidStakes(_("Enter 2 to 12 stakes of 1 to 9999 chips, such as “1, 2, 4”."))
    stakes = tuple(map(int, parts))
    if any(later < earlier for earlier, later in pairwise(stakes)):
        raise InvalidStakes(_("A later round cannot have a lower stake than an earlier one."))
    return stakes


def stakes_text(stakes: Sequence[int]) -> str:
    """Format stakes as `parse_stakes` reads them."""
    return ", ".join(map(str, stakes))


class ShootOut(TournamentFormat):
    """Rounds that are drawn again from all players with enough chips, and a final of those with the most."""

    code = "shoot-out"
    title: str | Promise = _("Points shoot-out")
    company: str | Promise = _("rising stakes, you keep your chips")
    keeps_chips = True
    summary: str | Promise = _(
        "Points shoot-out: a fixed number of deals. Stakes rise from round to round, "
        "everybody keeps their chips, and the players with the most chips play the final."
    )

    def rounds(self, players: int, structure: Structure) -> tuple[int, ...]:
        """Return the number of players in each round, assuming that nobody runs out of chips."""
        if players < PAIR:
            return ()
        before = (players,) * (len(structure.costs) - 1)
        return (*before, min(players, structure.seats))

    def will_be_final(self, players: int, *, number: int, structure: Structure) -> bool:
        return number >= len(structure.costs)

    def was_final(self, *, number: int, tables: int, byes: int, structure: Structure) -> bool:
        return number >= len(structure.costs)

    def count_going_on(self, players: int, structure: Structure) -> int:
        """Return `players`: all of them, because no table alone decides who advances."""
        return players

    def list_left_after(
        self,
        tables: Sequence[TableEnded],
        byes: Sequence[Finisher],
        *,
        number: int,
        structure: Structure,
    ) -> tuple[int, ...]:
        """Return the players who have at least the chips that the next round can cost.

        For the final, only those with the most chips advance.
        """
        everybody = [*byes, *(finisher for table in tables for finisher in table.finishers)]
        able = [one for one in everybody if one.chips >= structure.costs[number]]
        able.sort(key=lambda one: (-one.chips, one.seeding))
        places = structure.seats if number + 1 == len(structure.costs) else len(able)
        return tuple(one.seeding for one in able[:places])
