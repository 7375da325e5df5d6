"""The interface of a tournament format: how players become rounds of tables, who advances, and final places.

docs/adding.md says how to add one. Players are represented by their places in the draw; 0 is the best seed.
"""

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
from tournaments.rules.lifecycle import Due, find_due_step
from tournaments.rules.steps import (
    Advance,
    EndRound,
    EndTable,
    PassThrough,
    Progress,
    RoundCourse,
    Step,
)
from tournaments.rules.tree import (
    BYES,
    FinishedTable,
    Level,
    Tree,
    compute_progress,
    knock_out_tree,
)

ALONE = 1


class TournamentFormat:
    """The rules of one kind of tournament. It has no state; randomness is an argument.

    The defaults are those of a knock-out that draws each round by lot.
    """

    # Names the format in stored rows; never change it.
    code: str
    title: str | Promise
    # A sentence for the list of tournaments.
    summary: str | Promise
    # Describes the players at a table in a few words; empty if their number says enough.
    company: str | Promise = ""
    # Whether players keep their chips from round to round, with a stake for each round (R10.11).
    keeps_chips: bool = False

    def next(self, at: Progress) -> Step | None:
        """Return the one step that is due now, or None. The tick carries it out."""
        step = find_due_step(at.situation)
        if step is Due.END_ROUND:
            return self._end_round(at)
        if step is Due.ADVANCE:
            return self._advance(at)
        if step is Due.START_ROUND and at.players_left <= ALONE:
            # All others were disqualified: the remaining player has won without a final.
            return Due.FINISH
        return step

    def _end_round(self, at: Progress) -> EndRound:
        is_final = self.was_final(
            number=at.round_number,
            tables=len(at.tables),
            byes=len(at.byes),
            structure=at.structure,
        )
        if is_final:
            return EndRound((), is_final=True)
        left = self.list_left_after(
            at.tables, at.byes, number=at.round_number, structure=at.structure
        )
        return EndRound(left, is_final=False)

    def _advance(self, at: Progress) -> Advance:
        """Decide finished tables, and find tables that can be filled (R10.4c)."""
        course = at.course
        tree = self.build_tree(course.first_round, course.sizes, len(course.byes), at.structure)
        ended = tuple(self._decide_tables(tree, course))
        outcomes = _list_outcomes(course, ended)
        first = {number: outcome for (depth, number), outcome in outcomes.items() if depth < 0}
        if course.byes:
            first[BYES] = FinishedTable(course.byes, course.began)
        how_far = compute_progress(tree.levels, first, outcomes)
        earliest = at.situation.now - at.break_seconds
        later = [ready.since for ready in how_far.ready if ready.since > earliest]
        return Advance(
            ended=ended,
            alone=tuple(
                PassThrough(
                    tree.get_round(alone.level),
                    alone.players[0],
                    tree.count_better(tree.get_round(alone.level), alone.number),
                )
                for alone in how_far.alone
            ),
            fill=tuple(ready for ready in how_far.ready if ready.since <= earliest),
            first_round=tree.first_round,
            last_round=tree.last_round,
            rounds_over=tree.first_round + how_far.rounds_over,
            next_at=min(later) + at.break_seconds if later else None,
        )

    def _decide_tables(self, tree: Tree, course: RoundCourse) -> Iterable[EndTable]:
        for (round_number, number), table in course.tables.items():
            if table.ended_at is not None and table.going_on is None:
                places = tree.places(round_number, number)
                yield EndTable(
                    round_number,
                    number,
                    self.find_qualified(table.finishers, places),
                    tree.count_better(round_number, number),
                )

    def build_tree(
        self, first_round: int, sizes: Sequence[int], byes: int, structure: Structure
    ) -> Tree:
        """Return the tree of tables that follow a drawn round whose tables have these sizes."""
        return Tree(first_round, self.tree(sizes, byes, structure))

    def draw(self, entrants: int, *, rng: Random) -> tuple[int, ...]:
        """Return a place in the draw for each entrant, in the order of entering."""
        return bracket.draw(entrants, rng=rng)

    def rounds(self, players: int, structure: Structure) -> tuple[int, ...]:
        """Return the number of players in each round, including the final; empty for fewer than two players."""
        raise NotImplementedError

    def seat(
        self,
        players: Sequence[int],
        *,
        structure: Structure,
        had_bye: Iterable[int],
        rng: Random,
    ) -> Seating:
        """Return the tables of a round for two or more players, given best seed first."""
        return bracket.seat_players(players, seats=structure.seats, had_bye=had_bye, rng=rng)

    def will_be_final(self, players: int, *, number: int, structure: Structure) -> bool:
        """Return whether round `number` will be the final if no late entrant joins it."""
        raise NotImplementedError

    def was_final(self, *, number: int, tables: int, byes: int, structure: Structure) -> bool:
        """Return whether round `number` was the final, taking tables of late entrants into account."""
        return tables == 1 and byes == 0

    def count_going_on(self, players: int, structure: Structure) -> int:
        """Return how many players of a table of this size advance by the table's own result.

        Ties are broken at the table if they decide who advances.
        """
        return structure.count_going_on(players)

    def find_qualified(self, finishers: Iterable[Finisher], places: int) -> tuple[int, ...]:
        """Return the players of a table who advance, best first."""
        return bracket.find_qualified(finishers, places)

    def list_left_after(
        self,
        tables: Sequence[TableEnded],
        byes: Sequence[Finisher],
        *,
        number: int,
        structure: Structure,
    ) -> tuple[int, ...]:
        """Return the players who advance from round `number`, which was not the final."""
        return bracket.list_best_of_tables(tables, byes, structure)

    def has_tree(self, structure: Structure, *, early: bool) -> bool:
        """Return whether tables feed fixed tables of the next round (R10.4c), which can then be filled early.

        `early` is the choice in the terms, for formats that leave it open.
        """
        return False

    def tree(self, sizes: Sequence[int], byes: int, structure: Structure) -> tuple[Level, ...]:
        """Return the rounds that follow a round. `sizes` are the sizes of its tables, by table number.

        Call it only if `has_tree`. Nobody advances from the last round of the tree. If that round has a second table,
        the players of the second table rank behind those of the first.
        """
        raise NotImplementedError("every round is drawn by lot")

    def placings(self, exits: Mapping[PlayerT, Exit]) -> dict[PlayerT, Place]:
        """Return each player's final place and rank, which decide the prizes (payouts.py)."""
        return bracket.rank_finishers(exits)


def _list_outcomes(
    course: RoundCourse, ended: Iterable[EndTable]
) -> dict[tuple[int, int], FinishedTable | None]:
    """Return a mapping from (depth in the tree, table number) to the table's outcome, None while undecided.

    The drawn round has depth -1.
    """
    decided = {(table.round, table.number): table.going_on for table in ended}
    outcomes: dict[tuple[int, int], FinishedTable | None] = {}
    for (round_number, number), table in course.tables.items():
        going_on = table.going_on
        if going_on is None:
            going_on = decided.get((round_number, number))
        depth = round_number - course.first_round - 1
        outcomes[depth, number] = (
            None
            if going_on is None or table.ended_at is None
            else FinishedTable(going_on, table.ended_at)
        )
    return outcomes


class KnockOut(TournamentFormat):
    """A format in which the best of every table advance, until a single table is the final (R10.3, R10.4).

    It is the default.
    """

    code = "knock-out"
    title: str | Promise = _("Knock-out")
    summary: str | Promise = _(
        "Knock-out: the best players of every table advance to the next round, until one "
        "table is left: the final."
    )

    def rounds(self, players: int, structure: Structure) -> tuple[int, ...]:
        return bracket.count_rounds(players, structure)

    def will_be_final(self, players: int, *, number: int, structure: Structure) -> bool:
        return bracket.is_final(players, structure)

    def has_tree(self, structure: Structure, *, early: bool) -> bool:
        """Return False for tables for two, where an odd player's bye depends on earlier byes (R10.3)."""
        return early and structure.seats > bracket.PAIR

    def tree(self, sizes: Sequence[int], byes: int, structure: Structure) -> tuple[Level, ...]:
        return knock_out_tree(sizes, byes, structure)
