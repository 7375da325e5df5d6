"""The bracket as a tree from left to right: each table, the tables that feed it, and the reader's path.

The tree is shown if every table sends one player on (R10.4c, R10.9). Otherwise pages list the tables.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from tournaments.models import RoundSeat, RoundTable, Tournament
from tournaments.pages.shown_bracket import ShownSeat, ShownTable, build_seat, show_tables
from tournaments.rules.tree import BYES, AdvancingPlace, Tree
from tournaments.running.progress import read_tree
from tournaments.store.rows import has_tree

# The first column has this many tables or players with a bye at most; earlier rounds are listed.
MOST_SLOTS: Final = 8


@dataclass(frozen=True, slots=True)
class ShownFeed:
    """A place at a table that is not seated yet: its player, if known, or the table whose result decides it.

    Both are None if the player was disqualified, so that nobody comes.
    """

    seat: ShownSeat | None = None
    table: int | None = None
    is_loser: bool = False


@dataclass(frozen=True, slots=True)
class Slot:
    """A table, or a bye, in a column of the tree.

    `weight` is its share of the column's height. `end` is its position among the slots that feed the same
    table, where their lines join: "first", "middle", "last" or "only". It is "" for the final.
    """

    number: int
    weight: int
    end: str
    table: ShownTable | None
    feeds: Sequence[ShownFeed]

    @property
    def is_bye(self) -> bool:
        return self.number == BYES

    @property
    def is_own(self) -> bool:
        if self.table is not None:
            return self.table.is_own
        return any(feed.seat is not None and feed.seat.is_own for feed in self.feeds)


@dataclass(frozen=True, slots=True)
class TreeRound:
    number: int
    is_final: bool
    slots: Sequence[Slot]


@dataclass(frozen=True, slots=True)
class ShownTree:
    """The columns of the tree. `third` is the match for third place, played beside the final."""

    rounds: Sequence[TreeRound]
    third: Slot | None

    @property
    def first(self) -> int:
        return self.rounds[0].number


def build_shown_tree(
    tournament: Tournament, *, user_id: int | None, now: datetime
) -> ShownTree | None:
    """Return the last rounds of the tree, as many as fit. Return None if there is no tree, or only a single table."""
    late = tournament.late_until is not None and now < tournament.late_until
    if tournament.qualifiers > 1 or late or not has_tree(tournament):
        return None
    tree = read_tree(tournament)
    return _Builder(tournament, tree, user_id).build() if tree.levels else None


class _Builder:
    """Builder of the columns, from left to right. Depth -1 is the drawn round, depth 0 the tree's first level."""

    def __init__(self, tournament: Tournament, tree: Tree, user_id: int | None) -> None:
        self.tournament, self.tree, self.user_id = tournament, tree, user_id
        self.levels = [[*level] for level in tree.levels]
        last = self.levels[-1]
        self.third_feeds = last[1] if len(last) > 1 else ()
        self.levels[-1] = last[:1]
        widths = [sum(map(len, self.levels[0])), *map(len, self.levels)]
        self.from_depth = min(i for i, width in enumerate(widths) if width <= MOST_SLOTS) - 1
        self.tables = self._read_tables()
        self.byes = self._read_byes()

    def _read_tables(self) -> Mapping[tuple[int, int], ShownTable]:
        """Return a mapping from (round, table number) to table, for the shown rounds and the round before them."""
        first = self._get_round(max(self.from_depth - 1, -1))
        stored = RoundTable.objects.filter(
            round__tournament=self.tournament, round__number__gte=first
        )
        return {(one.round, one.number): one for one in show_tables(stored, self.user_id)}

    def _read_byes(self) -> Sequence[ShownSeat]:
        byes = RoundSeat.objects.filter(
            round__tournament=self.tournament,
            round__number=self.tree.first_round,
            round_table=None,
        )
        return [
            build_seat(seat, self.user_id)
            for seat in byes.select_related("entrant__user").order_by("pk")
        ]

    def _get_round(self, depth: int) -> int:
        return self.tree.first_round + 1 + depth

    def build(self) -> ShownTree:
        slots = self._build_leaves()
        rounds = [self._build_round(self.from_depth, slots)]
        for depth in range(self.from_depth + 1, len(self.levels)):
            slots = self._build_level(depth, slots)
            rounds.append(self._build_round(depth, slots))
        return ShownTree(rounds, self._build_third() if self.third_feeds else None)

    def _build_round(self, depth: int, slots: Sequence[Slot]) -> TreeRound:
        return TreeRound(self._get_round(depth), depth == len(self.levels) - 1, slots)

    def _build_leaves(self) -> list[Slot]:
        if self.from_depth >= 0:
            ends = self._find_ends(self.from_depth + 1)
            return [
                self._build_slot(self.from_depth, number, feeds, 1, end)
                for (number, feeds), end in zip(
                    enumerate(self.levels[self.from_depth], start=1), ends, strict=True
                )
            ]
        fed = [feed for table in self.levels[0] for feed in table]
        return [
            self._build_leaf(feed, end) for feed, end in zip(fed, self._find_ends(0), strict=True)
        ]

    def _build_leaf(self, feed: AdvancingPlace, end: str) -> Slot:
        if feed.table == BYES:
            return Slot(BYES, 1, end, None, [self._find_feed(-1, feed)])
        table = self.tables.get((self._get_round(-1), feed.table))
        return Slot(feed.table, 1, end, table, [])

    def _build_level(self, depth: int, before: Sequence[Slot]) -> list[Slot]:
        slots, start = [], 0
        ends = self._find_ends(depth + 1)
        for (number, feeds), end in zip(enumerate(self.levels[depth], start=1), ends, strict=True):
            weight = sum(slot.weight for slot in before[start : start + len(feeds)])
            start += len(feeds)
            slots.append(self._build_slot(depth, number, feeds, weight, end))
        return slots

    def _build_slot(
        self, depth: int, number: int, feeds: Sequence[AdvancingPlace], weight: int, end: str
    ) -> Slot:
        table = self.tables.get((self._get_round(depth), number))
        open_feeds = [] if table else [self._find_feed(depth - 1, feed) for feed in feeds]
        return Slot(number, weight, end, table, open_feeds)

    def _build_third(self) -> Slot:
        return self._build_slot(len(self.levels) - 1, 2, self.third_feeds, 1, "")

    def _find_ends(self, depth: int) -> Iterable[str]:
        """Return the value of `Slot.end` for each slot that feeds this depth, in order."""
        if depth == len(self.levels):
            return [""]
        return [
            "only" if len(feeds) == 1 else {0: "first", len(feeds) - 1: "last"}.get(place, "middle")
            for feeds in self.levels[depth]
            for place in range(len(feeds))
        ]

    def _find_feed(self, depth: int, feed: AdvancingPlace) -> ShownFeed:
        """Return the place at the next table that the player from `feed` takes.

        `feed` is a place of a table at `depth`. The returned place has the player, if known, and otherwise
        the table whose result decides.
        """
        if feed.table == BYES:
            return _fill([self.byes[feed.place - 1]])
        table = self.tables.get((self._get_round(depth), feed.table))
        if table is not None:
            going_on = [seat for seat in table.seats if seat.goes_on]
            if not going_on:
                return ShownFeed(table=feed.table, is_loser=feed.place > 1)
            return _fill(going_on[feed.place - 1 : feed.place])
        if depth < 0:
            return ShownFeed(table=feed.table)
        sources = [self._find_feed(depth - 1, one) for one in self.levels[depth][feed.table - 1]]
        present = [one for one in sources if one.seat is not None or one.table is not None]
        if len(present) == 1 and present[0].seat is not None and feed.place == 1:
            return present[0]  # without an opponent
        return ShownFeed(table=feed.table, is_loser=feed.place > 1) if present else ShownFeed()


def _fill(seats: Sequence[ShownSeat]) -> ShownFeed:
    """Return a place that is taken by the first of these players.

    The place is empty if there are no players, or if the first one is disqualified.
    """
    return ShownFeed(seat=seats[0] if seats and not seats[0].is_gone else None)
