"""The rows of a tournament: its lock, its state for the rules, and changes of thousands of rows.

Take the lock before those of entrants, rounds and ledger accounts. Large changes are single SQL statements: the
ORM would write a CASE for every row.
"""

import random
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.db import connection

from tournaments.models import Entrant, EntrantState, RoundTable, Tournament
from tournaments.refusals import TournamentNotFound
from tournaments.rules.lifecycle import FOLLOWING, LifecycleStatus, Situation, compute_due_at


def lock_tournament(tournament_id: int) -> Tournament:
    """Lock a tournament until the transaction ends. Raises TournamentNotFound."""
    tournament = Tournament.objects.select_for_update(no_key=True).filter(pk=tournament_id).first()
    if tournament is None:
        raise TournamentNotFound
    return tournament


def lock_if_free(tournament_id: int) -> Tournament | None:
    """Lock a tournament. Return None if another transaction has locked it and so is doing the same work."""
    rows = Tournament.objects.select_for_update(no_key=True, skip_locked=True)
    return rows.filter(pk=tournament_id).first()


def read_situation(tournament: Tournament, *, now: datetime) -> Situation:
    """Return the situation of a tournament. Tables and late entrants are counted only during play."""
    playing = ended = latecomers = 0
    if tournament.status == LifecycleStatus.PLAYING:
        running = RoundTable.objects.filter(round__tournament=tournament, round__ended_at=None)
        playing = running.filter(ended_at=None).count()
        ended = running.filter(ended_at__isnull=False, resolved_at=None).count()
        latecomers = Entrant.objects.filter(
            tournament=tournament, state=EntrantState.REGISTERED
        ).count()
    return Situation(
        status=LifecycleStatus(tournament.status),
        now=now.timestamp(),
        opens_at=tournament.opens_at.timestamp(),
        starts_at=tournament.starts_at.timestamp(),
        late_until=_to_seconds(tournament.late_until),
        next_round_at=_to_seconds(tournament.next_round_at),
        is_paused=tournament.paused_at is not None,
        has_tree=has_tree(tournament),
        tables_playing=playing,
        tables_ended=ended,
        latecomers=latecomers,
        seats=tournament.seats,
    )


def has_tree(tournament: Tournament) -> bool:
    """Return whether it is already known which tables feed each other after the round in play (R10.4c)."""
    return tournament.format_rules.has_tree(
        tournament.structure, early=tournament.seats_early
    ) and (tournament.rebuys == 0 or tournament.round_number > tournament.rebuy_rounds)


def set_status(tournament: Tournament, status: LifecycleStatus, *, now: datetime) -> None:
    """Change the status to `status`, set the time of the next step, and save the row."""
    if status not in FOLLOWING[LifecycleStatus(tournament.status)]:
        raise ValueError(f"{tournament.status} is not followed by {status}")
    tournament.status = status
    record_due(tournament, now=now)
    tournament.save()


def record_due(tournament: Tournament, *, now: datetime) -> None:
    """Set the time at which the next step is due, without saving."""
    moment = compute_due_at(read_situation(tournament, now=now))
    tournament.due_at = None if moment is None else datetime.fromtimestamp(moment, tz=now.tzinfo)


def may_rebuy(tournament: Tournament, entrant: Entrant, *, left: int, now: datetime) -> bool:
    """Return whether a player may rebuy (R10.7).

    A rebuy is for a player who went out in the last round, with few chips or, in a pool tournament, with any score. It
    is possible only in the break after that round, if the next round is not the final, and as long as the terms allow
    rebuys. `left` is the number of players still in.
    """
    return (
        tournament.status == LifecycleStatus.BREAK
        and tournament.paused_at is None
        and tournament.next_round_at is not None
        and now < tournament.next_round_at
        and left > tournament.seats
        and entrant.state == EntrantState.OUT
        and entrant.round_out == tournament.round_number
        and tournament.round_number <= tournament.rebuy_rounds
        and entrant.payments <= tournament.rebuys
        and (
            entrant.points is not None
            or (entrant.chips is not None and entrant.chips < tournament.rebuy_limit)
        )
    )


def _to_seconds(moment: datetime | None) -> float | None:
    return None if moment is None else moment.timestamp()


def build_random(tournament: Tournament, purpose: str) -> random.Random:
    """Return a random generator seeded for one purpose, such as the seating of round 2."""
    return random.Random(f"{bytes(tournament.seed).hex()}:{purpose}")  # noqa: S311 - seeded from secrets


_SEEDINGS = """
UPDATE tournaments_entrant e SET seeding = new.seeding, state = 'PLAYING'
  FROM unnest(%s::bigint[], %s::integer[]) AS new (id, seeding) WHERE e.id = new.id"""
_RESULTS = """
UPDATE tournaments_roundseat s SET rank = new.rank, chips = new.chips, points = new.points
  FROM unnest(%s::integer[], %s::integer[], %s::integer[], %s::integer[])
    AS new (chair, rank, chips, points)
 WHERE s.round_table_id = %s AND s.chair = new.chair"""
_GOING_ON = """
UPDATE tournaments_roundseat s SET goes_on = (s.entrant_id = ANY(%s::bigint[]))
 WHERE s.round_id = %s"""
# Only a pool has points.
_EXITS = """
UPDATE tournaments_entrant e
   SET state = 'OUT', round_out = %s, chips = s.chips, points = s.points,
       table_rank = CASE WHEN s.points IS NOT NULL THEN s.rank END,
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
# Players of the last round's tables rank behind those of earlier tables.
_EXITS_FROM = """
UPDATE tournaments_entrant e
   SET state = 'OUT', round_out = %s, chips = s.chips, points = s.points,
       table_rank = CASE WHEN s.points IS NOT NULL THEN s.rank END,
       final_rank = s.rank + %s::integer
  FROM tournaments_roundseat s
 WHERE s.round_table_id = ANY(%s::bigint[]) AND s.entrant_id = e.id AND NOT s.goes_on
   AND e.state = 'PLAYING'"""
_PLACES = """
UPDATE tournaments_entrant e SET place = new.place, rank = new.rank, prize = new.prize
  FROM unnest(%s::bigint[], %s::integer[], %s::integer[], %s::bigint[])
    AS new (id, place, rank, prize) WHERE e.id = new.id"""


def give_seedings(seedings: Iterable[tuple[int, int]]) -> None:
    """Store (entrant, place in the draw) for every starting player."""
    _run(_SEEDINGS, _transpose(seedings, 2))


def give_results(
    round_table_id: int, results: Iterable[tuple[int, int, int | None, int | None]]
) -> None:
    """Store (chair, rank, chips, points) for every player of a table. A pool tournament has points instead of chips."""
    _run(_RESULTS, [*_transpose(results, 4), round_table_id])


def advance(round_id: int, entrant_ids: Sequence[int]) -> None:
    """Mark these entrants as advancing from a round, and all others as not advancing."""
    _run(_GOING_ON, [list(entrant_ids), round_id])


def eliminate(round_id: int, *, number: int, is_final: bool) -> None:
    """Eliminate the players who do not advance from a round, and store the chips with which they went out."""
    _run(_EXITS, [number, is_final, round_id])


def keep_chips(round_id: int) -> None:
    """Store the chips of players who advance from a round (R10.11)."""
    _run(_CHIPS_KEPT, [round_id])


def advance_from_tables(round_table_ids: Sequence[int], entrant_ids: Sequence[int]) -> None:
    """Mark these entrants as advancing from the tables, and all others there as not advancing."""
    _run(_GOING_ON_FROM, [list(entrant_ids), list(round_table_ids)])


def eliminate_from_tables(
    round_table_ids: Sequence[int], *, number: int, better: int | None
) -> None:
    """Eliminate the players who do not advance from these tables of round `number`, and store their chips.

    In the last round, `better` is the number of players who rank before everybody at these tables.
    """
    _run(_EXITS_FROM, [number, better, list(round_table_ids)])


def give_places(places: Iterable[tuple[int, int, int, int]]) -> None:
    """Store (entrant, place, rank, prize) at the end of a tournament."""
    _run(_PLACES, _transpose(places, 4))


def _transpose(rows: Iterable[tuple[int | None, ...]], width: int) -> list[list[int | None]]:
    columns = [list(column) for column in zip(*rows, strict=True)]
    return columns or [[] for _ in range(width)]


def _run(statement: str, parameters: Sequence[Any]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
