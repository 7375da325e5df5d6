"""The kinds of tournaments that this site can run. To add one, see docs/adding.md.

Players are numbers: their places in the draw, 0 is the best seeded.
"""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Final, Protocol

from django.utils.functional import Promise

from tournaments.rules.bracket import (
    Exit,
    Finisher,
    Place,
    PlayerT,
    Seating,
    Structure,
    TableEnded,
)
from tournaments.rules.heads_up import HeadsUp
from tournaments.rules.knock_out import KnockOut
from tournaments.rules.shoot_out import ShootOut
from tournaments.rules.tree import Level


class Format(Protocol):
    """The rules by which a field becomes rounds of tables, players go on, and places are given.

    It keeps no state: its arguments are all that it knows. Chance is an argument.
    """

    @property
    def code(self) -> str:
        """Names the format in stored rows; it never changes."""
        ...

    @property
    def title(self) -> str | Promise: ...

    @property
    def summary(self) -> str | Promise:
        """A sentence for the list of tournaments."""
        ...

    @property
    def keeps_chips(self) -> bool:
        """Whether players who go on keep their chips, and each round has its stake (R10.11)."""
        ...

    def draw(self, entrants: int, *, rng: Random) -> tuple[int, ...]:
        """A place in the draw for each, in the order in which they have entered."""
        ...

    def rounds(self, players: int, structure: Structure) -> tuple[int, ...]:
        """Return the number of players in each round, the final included; empty without two players."""
        ...

    def seat(
        self,
        players: Sequence[int],
        *,
        structure: Structure,
        had_bye: Iterable[int],
        rng: Random,
    ) -> Seating:
        """The tables of a round for two or more, who are given best seeded first."""
        ...

    def will_be_final(self, players: int, *, number: int, structure: Structure) -> bool:
        """Return whether round `number` decides the tournament if nobody comes late to it."""
        ...

    def was_final(self, *, number: int, tables: int, byes: int, structure: Structure) -> bool:
        """Return whether round `number` decided it: everybody is out. Latecomers' tables count."""
        ...

    def going_on(self, players: int, structure: Structure) -> int:
        """Return the number of players who go on from a table of this size, if the table alone
        decides it.

        Ties are broken at the table if a place depends on them.
        """
        ...

    def qualified(self, finishers: Iterable[Finisher], places: int) -> tuple[int, ...]:
        """The seedings of those of a table who go on."""
        ...

    def left_after(
        self,
        tables: Sequence[TableEnded],
        byes: Sequence[Finisher],
        *,
        number: int,
        structure: Structure,
    ) -> tuple[int, ...]:
        """The seedings of those who go on from round `number`, which was not the final."""
        ...

    def has_tree(self, structure: Structure, *, early: bool) -> bool:
        """Return whether fixed tables meet (R10.4c), so that a table can be filled before its round
        is.

        `early`: whether the terms ask for that where there is a choice.
        """
        ...

    def tree(self, sizes: Sequence[int], byes: int, structure: Structure) -> tuple[Level, ...]:
        """The rounds after one whose tables, by number, have these sizes; only with `has_tree`.

        Of the last of them everybody is out; there the second table ranks behind the first.
        """
        ...

    def placings(self, exits: Mapping[PlayerT, Exit]) -> dict[PlayerT, Place]:
        """Return everybody's place and rank at the end. Prizes follow them (payouts.py)."""
        ...


KNOCK_OUT: Final = KnockOut()
HEADS_UP: Final = HeadsUp()
SHOOT_OUT: Final = ShootOut()
# By its code: what `Terms.format` holds, and what the administration offers.
FORMATS: Final[Mapping[str, Format]] = {
    format_.code: format_ for format_ in (KNOCK_OUT, HEADS_UP, SHOOT_OUT)
}


def format_choices() -> list[tuple[str, str | Promise]]:
    return [(code, format_.title) for code, format_ in FORMATS.items()]
