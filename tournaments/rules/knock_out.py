"""Knock-out: the best of every table go on, until the last table is the final (R10.3, R10.4)."""

from collections.abc import Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.rules import bracket
from tournaments.rules.bracket import Structure
from tournaments.rules.format import Format
from tournaments.rules.tree import Level, knock_out_tree


class KnockOut(Format):
    """The format of a tournament that names none."""

    code = "knock-out"
    title: str | Promise = _("Knock-out")
    summary: str | Promise = _(
        "Knock-out: the best of every table go on to the next round, until the last table is the "
        "final."
    )

    def rounds(self, players: int, structure: Structure) -> tuple[int, ...]:
        return bracket.rounds(players, structure)

    def will_be_final(self, players: int, *, number: int, structure: Structure) -> bool:
        return bracket.is_final(players, structure)

    def has_tree(self, structure: Structure, *, early: bool) -> bool:
        """With two seats an odd player's bye depends on earlier byes (R10.3), so there is no tree."""
        return early and structure.seats > bracket.PAIR

    def tree(self, sizes: Sequence[int], byes: int, structure: Structure) -> tuple[Level, ...]:
        return knock_out_tree(sizes, byes, structure)
