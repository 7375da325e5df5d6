"""A match of one deal or several: who is in it, its score sheet, and the order of the next deal."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, TypeVar

from tables.games.base import JSON, Instant
from tables.games.rummy import events
from tables.games.rummy.events import Events


class Stage(StrEnum):
    DEAL = "deal"
    BETWEEN = "between"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Line:
    """A deal that is over; `points` are what each seat lost by it."""

    deal: int
    dealer: int
    how: str
    winners: tuple[int, ...]
    points: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    rules: Any
    deal: Any
    # Everybody who began, in their first order of play.
    seats: tuple[int, ...]
    number: int = 1
    stage: Stage = Stage.DEAL
    # When the next deal begins, between two deals.
    due_at: Instant | None = None
    # A line for each deal that is over.
    sheet: tuple[Line, ...] = ()
    # Who has left the match, in this order.
    left: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()

    @property
    def staying(self) -> tuple[int, ...]:
        return tuple(seat for seat in self.seats if seat not in self.left)

    @property
    def lost(self) -> dict[int, int]:
        """The points that each seat has lost in all deals."""
        lost = dict.fromkeys(self.seats, 0)
        for line in self.sheet:
            for seat, points in line.points:
                lost[seat] += points
        return lost

    def deals_won(self, seat: int) -> int:
        return sum(seat in line.winners for line in self.sheet)


MatchT = TypeVar("MatchT", bound=Match)


def line_of(match: Match) -> Line:
    """Of the deal that has just ended."""
    deal = match.deal
    return Line(
        deal=match.number,
        dealer=deal.dealer,
        how=deal.how.value,
        winners=deal.winners,
        points=tuple((player.seat, player.points or 0) for player in deal.players),
    )


def rotated(match: Match) -> tuple[int, ...]:
    """The deal passes on: who began deals next, and those who have left are left out."""
    order: tuple[int, ...] = match.deal.order
    return tuple(seat for seat in (*order[1:], order[0]) if seat not in match.left)


def wait_for_next_deal(match: MatchT, now: Instant) -> tuple[MatchT, Events]:
    due_at = now + match.rules.break_seconds * 1000
    return replace(match, stage=Stage.BETWEEN, due_at=due_at), (events.deal_due(due_at),)


def end_match(match: MatchT, winners: Sequence[int]) -> tuple[MatchT, Events]:
    over = replace(match, stage=Stage.OVER, due_at=None, winners=tuple(winners))
    return over, (events.match_over(winners),)


def sheet_json(sheet: Sequence[Line]) -> list[JSON]:
    return [
        {
            "deal": line.deal,
            "dealer": line.dealer,
            "how": line.how,
            "winners": list(line.winners),
            "points": {str(seat): points for seat, points in line.points},
        }
        for line in sheet
    ]


def ranked(match: Match, merits: dict[int, tuple[float, ...]]) -> dict[int, int]:
    """By seat, from 1: the winners, then by merit (less is better), then who left, the last to
    leave first; equal merits share a rank."""

    def place(seat: int) -> tuple[float, ...]:
        gone = len(match.left) - match.left.index(seat) if seat in match.left else 0
        return (seat not in match.winners, gone, *merits[seat])

    places = {seat: place(seat) for seat in match.seats}
    others = {seat: own for seat, own in places.items() if seat not in match.winners}
    behind = {
        seat: 1 + len(match.winners) + sum(other < own for other in others.values())
        for seat, own in others.items()
    }
    return {**dict.fromkeys(match.winners, 1), **behind}
