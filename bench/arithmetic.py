"""Compute the machines that a number of players at once needs: `python -m bench.arithmetic --players 3000`.

It multiplies the measured costs (`Units`, each with its command) by players' habits (`Play`), and prints the
table of docs/machines.md. Give your own prices with `--core` and `--gigabyte`. A test compares the table with
the document.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

DAY: Final = 86_400


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """The play in the evening, when the most players are online."""

    players: int
    seats: int = 4
    seconds_of_a_move: float = 3
    seconds_of_a_match: float = 180
    # Mean load over the day as a share of the evening's.
    part_of_a_day: float = 0.44


@dataclass(frozen=True, slots=True, kw_only=True)
class Units:
    """Measured costs on two cores that are shared with the clients, at 66 moves a second.

    Times are in seconds of processor time, sizes in bytes. `socket_…` is the cost per second of a player's
    open socket at a table, heartbeats, presence and pings included. `move_…` is the cost of one move if all
    players of a table use one web process (`bin/bench units`). For the others see bench/RESULTS.md.
    """

    socket_web: float = 0.000_123
    socket_postgres: float = 0.000_009
    socket_valkey: float = 0.000_005
    move_web: float = 0.003_06
    move_postgres: float = 0.001_22
    move_valkey: float = 0.000_151
    move_stored: float = 1.4e3
    match_packed: float = 4.7e3


MEASURED: Final = Units()
# A core answers late above this load.
FULL: Final = 0.6
SIZES_SHOWN: Final = (1_000, 10_000, 100_000, 1_000_000)
# People in a day per player of the evening, with visits of an hour and a half.
_PEOPLE_OF_A_DAY: Final = 7.08
# Core counts of rented servers.
_SIZES: Final = (2, 4, 8, 16, 32, 64, 96)
# Number of live, mail, slow, history and coach workers: docs/machines.md, "A day of jobs".
_WORKERS: Final = ((40_000, 4), (100_000, 7), (1_000_000, 27))
# For a match of four: ledger entries with its buy-ins, and their bytes with indexes.
_ENTRIES: Final = 8
_ENTRY: Final = 110
_MONTH: Final = 30
_DAYS_UNTIL_PACKED: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """Prices for a month, in dollars: of a core with 4 GB of memory, and of a gigabyte of disk."""

    core: float = 20.0
    gigabyte: float = 0.10


@dataclass(frozen=True, slots=True)
class Machines:
    """The machines that a number of players needs. Sizes are in gigabytes."""

    players: int
    web: int
    postgres: int | None  # cores of each of two servers; None: more than one has
    valkey: int
    workers: int
    disk: float  # for the moves of some days
    growth: float  # a month: packed matches and the ledger

    def cost(self, prices: Prices) -> float:
        """Return the cost of a month in dollars, after a year of growth. Two servers hold the database."""
        cores = self.web + 2 * (self.postgres or 0) + self.valkey + self.workers
        return cores * prices.core + 2 * (self.disk + 12 * self.growth) * prices.gigabyte


def count_machines(play: Play, unit: Units) -> Machines:
    """Return the machines needed if each table uses one web process and cores are busy up to `FULL`."""
    tables = play.players / play.seats
    moves, matches = tables / play.seconds_of_a_move, tables / play.seconds_of_a_match
    web = moves * unit.move_web + play.players * unit.socket_web
    database = (moves * unit.move_postgres + play.players * unit.socket_postgres) / FULL
    valkey = (moves * unit.move_valkey + play.players * unit.socket_valkey) / FULL
    day = DAY * play.part_of_a_day
    return Machines(
        players=play.players,
        web=max(2, ceil(web / FULL)),
        postgres=next((cores for cores in _SIZES if cores >= database), None),
        valkey=ceil(valkey),
        workers=next(number for players, number in _WORKERS if play.players <= players),
        disk=_DAYS_UNTIL_PACKED * moves * day * unit.move_stored / 1e9,
        growth=_MONTH * matches * day * (unit.match_packed + _ENTRIES * _ENTRY) / 1e9,
    )


def render_machines_table(numbers: Sequence[int], prices: Prices) -> str:
    """Return the table of docs/machines.md."""
    found = [count_machines(Play(players=players), MEASURED) for players in numbers]
    rows = {
        "players at once": [_write_number(one.players) for one in found],
        "people a day": [_write_number(one.players * _PEOPLE_OF_A_DAY) for one in found],
        "web processes, a core and 1 GB each": [_write_number(one.web) for one in found],
        "PostgreSQL, two servers of": [
            "more than one server has" if one.postgres is None else f"{one.postgres} cores"
            for one in found
        ],
        "Valkey, cores": [_write_number(one.valkey) for one in found],
        "workers and clocks, cores": [_write_number(one.workers) for one in found],
        "disk for the moves of two days": [_gigabytes(one.disk) for one in found],
        "disk that a month adds": [_gigabytes(one.growth) for one in found],
        "dollars a month": [
            "-" if one.postgres is None else f"{_write_number(one.cost(prices))}" for one in found
        ],
    }
    head, *lines = (f"| {what} | {' | '.join(told)} |" for what, told in rows.items())
    return "\n".join([head, f"|---|{'---|' * len(found)}", *lines])


def _gigabytes(size: float) -> str:
    return f"{size / 1e3:.1f} TB" if size >= 1e3 else f"{_write_short(size)} GB"  # noqa: PLR2004


def _write_number(number: float) -> str:
    """Format a number with three significant digits and separated thousands."""
    digits = max(0, len(str(int(number))) - 3)
    return f"{round(number, -digits):,.0f}"


def _write_short(number: float) -> str:
    return _write_number(number) if number >= 10 else f"{number:.1f}"  # noqa: PLR2004 - two digits


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, nargs="*", default=SIZES_SHOWN)
    parser.add_argument(
        "--core", type=float, default=Prices().core, help="dollars a month, with 4 GB"
    )
    parser.add_argument("--gigabyte", type=float, default=Prices().gigabyte, help="dollars a month")
    given = parser.parse_args()
    print(render_machines_table(given.players, Prices(core=given.core, gigabyte=given.gigabyte)))


if __name__ == "__main__":
    main()
