"""Changes of thousands of rows in one statement each: the ORM would write a CASE for every row."""

import gc
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.db import connection

_SEEDINGS = """
UPDATE tournaments_entrant e SET seeding = new.seeding, state = 'PLAYING'
  FROM unnest(%s::bigint[], %s::integer[]) AS new (id, seeding) WHERE e.id = new.id"""
_RESULTS = """
UPDATE tournaments_roundseat s SET rank = new.rank, chips = new.chips
  FROM unnest(%s::integer[], %s::integer[], %s::integer[]) AS new (chair, rank, chips)
 WHERE s.round_table_id = %s AND s.chair = new.chair"""
_GOING_ON = """
UPDATE tournaments_roundseat s SET goes_on = (s.entrant_id = ANY(%s::bigint[]))
 WHERE s.round_id = %s"""
_EXITS = """
UPDATE tournaments_entrant e
   SET state = 'OUT', round_out = %s, chips = s.chips,
       final_rank = CASE WHEN %s THEN s.rank END
  FROM tournaments_roundseat s
 WHERE s.round_id = %s AND s.entrant_id = e.id AND NOT s.goes_on AND e.state = 'PLAYING'"""
_CHIPS_KEPT = """
UPDATE tournaments_entrant e SET chips = s.chips
  FROM tournaments_roundseat s
 WHERE s.round_id = %s AND s.entrant_id = e.id AND s.goes_on"""
_GOING_ON_FROM = """
UPDATE tournaments_roundseat s SET goes_on = (s.entrant_id = ANY(%s::bigint[]))
 WHERE s.round_table_id = ANY(%s::bigint[])"""
# The ranks of a table of the last round stand behind those of the tables before it.
_EXITS_FROM = """
UPDATE tournaments_entrant e
   SET state = 'OUT', round_out = %s, chips = s.chips, final_rank = s.rank + %s::integer
  FROM tournaments_roundseat s
 WHERE s.round_table_id = ANY(%s::bigint[]) AND s.entrant_id = e.id AND NOT s.goes_on
   AND e.state = 'PLAYING'"""
_PLACES = """
UPDATE tournaments_entrant e SET place = new.place, rank = new.rank, prize = new.prize
  FROM unnest(%s::bigint[], %s::integer[], %s::integer[], %s::bigint[])
    AS new (id, place, rank, prize) WHERE e.id = new.id"""


@contextmanager
def uncollected() -> Iterator[None]:
    """Without Python's garbage collector.

    A step of a large field makes millions of objects that are all in use; looking through them
    again and again takes half the time of 50,000 entrants.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def give_seedings(seedings: Iterable[tuple[int, int]]) -> None:
    """(entrant, place in the draw) of everybody who begins to play."""
    _run(_SEEDINGS, _columns(seedings, 2))


def give_results(round_table_id: int, results: Iterable[tuple[int, int, int]]) -> None:
    """(chair, rank, chips) of everybody at a table."""
    _run(_RESULTS, [*_columns(results, 3), round_table_id])


def let_go_on(round_id: int, entrant_ids: Sequence[int]) -> None:
    """These entrants of a round go on, all others of it do not."""
    _run(_GOING_ON, [list(entrant_ids), round_id])


def put_out(round_id: int, *, number: int, is_final: bool) -> None:
    """Eliminate the players who do not go on from a round, with the chips they had there."""
    _run(_EXITS, [number, is_final, round_id])


def keep_chips(round_id: int) -> None:
    """R10.11: who goes on from a round has the chips that they had there."""
    _run(_CHIPS_KEPT, [round_id])


def let_go_on_from(round_table_ids: Sequence[int], entrant_ids: Sequence[int]) -> None:
    """These entrants go on from the tables, all others of them do not."""
    _run(_GOING_ON_FROM, [list(entrant_ids), list(round_table_ids)])


def put_out_from(round_table_ids: Sequence[int], *, number: int, better: int | None) -> None:
    """Eliminate the players who do not go on from these tables of round `number`, with their chips.

    `better`: in the last round, the number of players who rank before everybody at these tables.
    """
    _run(_EXITS_FROM, [number, better, list(round_table_ids)])


def give_places(places: Iterable[tuple[int, int, int, int]]) -> None:
    """(entrant, place, rank, prize) at the end of a tournament."""
    _run(_PLACES, _columns(places, 4))


def _columns(rows: Iterable[tuple[int, ...]], width: int) -> list[list[int]]:
    columns = [list(column) for column in zip(*rows, strict=True)]
    return columns or [[] for _ in range(width)]


def _run(statement: str, parameters: Sequence[Any]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
