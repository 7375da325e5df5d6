"""The best lay of Rummikub by rummikub-solver, an integer program that HiGHS solves."""

import time

from rummikub_solver import RuleSet  # type: ignore[import-not-found]

from bench.peer_programs import answer

RULES = RuleSet()
RULES.backend  # noqa: B018 - builds the program, once


def lay(positions: list[tuple[list[int], list[int]]]) -> tuple[float, list[int]]:
    """Return the positions per second, and how many tiles of the rack can be laid in each position.

    A position has the faces on the table and on the rack, numbered as in this project.
    """
    began, laid = time.process_time(), []
    for table, rack in positions:
        state = RULES.new_game()
        state.initial = False
        state.add_table(*(RULES.tiles[face] for face in table))
        state.add_rack(*(RULES.tiles[face] for face in rack))
        found = RULES.solve(state)
        laid.append(0 if found is None else len(found.tiles))
    return len(positions) / (time.process_time() - began), laid


if __name__ == "__main__":
    answer(lay=lay)
