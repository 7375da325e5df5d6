"""A tournament's row as the pure rules of its life see it."""

from datetime import datetime

from tournaments.models import Entrant, EntrantState, RoundTable, Tournament
from tournaments.rules.lifecycle import FOLLOWING, Situation, Status, due_at


def state_of(tournament: Tournament, *, now: datetime) -> Situation:
    """Return the situation of a tournament. Rounds, tables and latecomers are counted only while it is played."""
    playing = ended = latecomers = 0
    if tournament.status == Status.PLAYING:
        running = RoundTable.objects.filter(round__tournament=tournament, round__ended_at=None)
        playing = running.filter(ended_at=None).count()
        ended = running.filter(ended_at__isnull=False, resolved_at=None).count()
        latecomers = Entrant.objects.filter(
            tournament=tournament, state=EntrantState.REGISTERED
        ).count()
    return Situation(
        status=Status(tournament.status),
        now=now.timestamp(),
        opens_at=tournament.opens_at.timestamp(),
        starts_at=tournament.starts_at.timestamp(),
        late_until=_seconds(tournament.late_until),
        next_round_at=_seconds(tournament.next_round_at),
        is_paused=tournament.paused_at is not None,
        has_tree=has_tree(tournament),
        tables_playing=playing,
        tables_ended=ended,
        latecomers=latecomers,
        seats=tournament.seats,
    )


def has_tree(tournament: Tournament) -> bool:
    """R10.4c: whether it is known by now who meets whom after the round in play."""
    return tournament.format_rules.has_tree(
        tournament.structure, early=tournament.seats_early
    ) and (tournament.rebuys == 0 or tournament.round_number > tournament.rebuy_rounds)


def set_status(tournament: Tournament, status: Status, *, now: datetime) -> None:
    """Go on to `status`, with the time at which the next step is due; saves the row."""
    if status not in FOLLOWING[Status(tournament.status)]:
        raise ValueError(f"{tournament.status} is not followed by {status}")
    tournament.status = status
    note_due(tournament, now=now)
    tournament.save()


def note_due(tournament: Tournament, *, now: datetime) -> None:
    moment = due_at(state_of(tournament, now=now))
    tournament.due_at = None if moment is None else datetime.fromtimestamp(moment, tz=now.tzinfo)


def may_rebuy(tournament: Tournament, entrant: Entrant, *, left: int, now: datetime) -> bool:
    """R10.7: out in the last round with few chips, in the break, and the final is not next.

    `left` is how many are still in the tournament.
    """
    return (
        tournament.status == Status.BREAK
        and tournament.paused_at is None
        and tournament.next_round_at is not None
        and now < tournament.next_round_at
        and left > tournament.seats
        and entrant.state == EntrantState.OUT
        and entrant.round_out == tournament.round_number
        and tournament.round_number <= tournament.rebuy_rounds
        and entrant.payments <= tournament.rebuys
        and entrant.chips is not None
        and entrant.chips < tournament.rebuy_limit
    )


def _seconds(moment: datetime | None) -> float | None:
    return None if moment is None else moment.timestamp()
