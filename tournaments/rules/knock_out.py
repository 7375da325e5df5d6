"""Knock-out: the best of every table go on, until the last table is the final (R10.3, R10.4)."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.rules import bracket
from tournaments.rules.bracket import (
    Exit,
    Finisher,
    Place,
    PlayerT,
    Seating,
    Structure,
    TableEnded,
)
from tournaments.rules.tree import Level, knock_out_tree


class KnockOut:
    code: str = "knock-out"
    title: str | Promise = _("Knock-out")
    keeps_chips = False
    summary: str | Promise = _(
        "Knock-out: the best of every table go on to the next round, until the last table is the "
        "final."
    )

    def draw(self, entrants: int, *, rng: Random) -> tuple[int, ...]:
        return bracket.draw(entrants, rng=rng)

    def rounds(self, players: int, structure: Structure) -> tuple[int, ...]:
        return bracket.rounds(players, structure)

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
        return bracket.is_final(players, structure)

    def was_final(self, *, number: int, tables: int, byes: int, structure: Structure) -> bool:
        return tables == 1 and byes == 0

    def going_on(self, players: int, structure: Structure) -> int:
        return structure.going_on(players)

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
        return bracket.best_of_tables(tables, byes, structure)

    def has_tree(self, structure: Structure, *, early: bool) -> bool:
        """With two seats an odd player's bye goes by what happened (R10.3)."""
        return early and structure.seats > bracket.PAIR

    def tree(self, sizes: Sequence[int], byes: int, structure: Structure) -> tuple[Level, ...]:
        return knock_out_tree(sizes, byes, structure)

    def placings(self, exits: Mapping[PlayerT, Exit]) -> dict[PlayerT, Place]:
        return bracket.placings(exits)
