"""Points shoot-out: so many rounds, each with its stake, and everybody keeps their chips (R10.11)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Final

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
from tournaments.rules.tree import Level

# What the database holds and the administration writes: a stake for each round.
STAKES: Final = r"^[1-9][0-9]{0,3}(, [1-9][0-9]{0,3}){1,11}$"


class InvalidStakes(ValueError):  # noqa: N818 - says what it is
    """Stakes that no shoot-out can be played for; the text is for people."""


def parse_stakes(text: str) -> tuple[int, ...]:
    """The chips that a point moves in each round: "1, 2, 4". Raises InvalidStakes."""
    parts = [part.strip() for part in text.split(",")]
    if not re.fullmatch(STAKES, ", ".join(parts), re.ASCII):
        raise InvalidStakes(_("Write 2 to 12 stakes of 1 to 9999 chips, as in “1, 2, 4”."))
    stakes = tuple(map(int, parts))
    if any(later < earlier for earlier, later in pairwise(stakes)):
        raise InvalidStakes(_("A later round is not played for less than an earlier one."))
    return stakes


def stakes_text(stakes: Sequence[int]) -> str:
    """Return the text that `parse_stakes` reads back."""
    return ", ".join(map(str, stakes))


class ShootOut:
    code: str = "shoot-out"
    title: str | Promise = _("Points shoot-out")
    keeps_chips = True
    summary: str | Promise = _(
        "Points shoot-out: a fixed number of deals; stakes rise from round to round, everybody keeps "
        "their chips, and those with most of them play the final."
    )

    def draw(self, entrants: int, *, rng: Random) -> tuple[int, ...]:
        return bracket.draw(entrants, rng=rng)

    def rounds(self, players: int, structure: Structure) -> tuple[int, ...]:
        """If nobody runs out of chips."""
        if players < PAIR:
            return ()
        before = (players,) * (len(structure.costs) - 1)
        return (*before, min(players, structure.seats))

    def seat(
        self,
        players: Sequence[int],
        *,
        structure: Structure,
        had_bye: Iterable[int],
        rng: Random,
    ) -> Seating:
        return bracket.seat_players(players, seats=structure.seats, had_bye=had_bye, rng=rng)

    def will_be_final(self, players: int, *, number: int, structure: Structure) -> bool:
        return number >= len(structure.costs)

    def was_final(self, *, number: int, tables: int, byes: int, structure: Structure) -> bool:
        return number >= len(structure.costs)

    def going_on(self, players: int, structure: Structure) -> int:
        """No place hangs on a table alone."""
        return players

    def qualified(self, finishers: Iterable[Finisher], places: int) -> tuple[int, ...]:
        return bracket.qualified(finishers, places)

    def left_after(
        self,
        tables: Sequence[TableEnded],
        byes: Sequence[Finisher],
        *,
        number: int,
        structure: Structure,
    ) -> tuple[int, ...]:
        """Return the players who can pay for everything that the next round may cost; for the final,
        the richest of them."""
        everybody = [*byes, *(finisher for table in tables for finisher in table.finishers)]
        able = [one for one in everybody if one.chips >= structure.costs[number]]
        able.sort(key=lambda one: (-one.chips, one.seeding))
        places = structure.seats if number + 1 == len(structure.costs) else len(able)
        return tuple(one.seeding for one in able[:places])

    def has_tree(self, structure: Structure, *, early: bool) -> bool:
        return False

    def tree(self, sizes: Sequence[int], byes: int, structure: Structure) -> tuple[Level, ...]:
        raise NotImplementedError("a shoot-out draws every round anew")

    def placings(self, exits: Mapping[PlayerT, Exit]) -> dict[PlayerT, Place]:
        return bracket.placings(exits)
