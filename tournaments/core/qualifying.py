"""The players who go on from a finished table (R10.4)."""

from collections.abc import Iterable

from tournaments.models import EntrantState, RoundSeat, Tournament
from tournaments.rules.bracket import Finisher


def finisher_of(seat: RoundSeat) -> Finisher:
    """`seat` with its entrant."""
    return Finisher(seat.entrant.seeding or 0, seat.rank or 0, seat.chips or 0)


def qualified_at(
    tournament: Tournament, seats: Iterable[RoundSeat], *, places: int
) -> list[RoundSeat]:
    """The seats of a table that go on, the best first.

    `seats` are all of the table, with their entrants. A disqualified player's place goes to the
    next one.
    """
    by_seeding = {
        seat.entrant.seeding or 0: seat
        for seat in seats
        if seat.entrant.state == EntrantState.PLAYING
    }
    finishers = [finisher_of(seat) for seat in by_seeding.values()]
    return [by_seeding[seeding] for seeding in tournament.format_rules.qualified(finishers, places)]
