"""The score sheet of a match: a line for each deal, and the bonuses at its end (G14)."""

from collections.abc import Sequence
from dataclasses import dataclass

from tables.games.base import JSON
from tables.games.gin.deal import How
from tables.games.gin.rulesets import GinRules


@dataclass(frozen=True, slots=True)
class Line:
    """`points` go to the winner; `deadwoods` are seats with what each was left with."""

    deal: int
    dealer: int
    how: How
    winner: int | None
    points: int
    deadwoods: tuple[tuple[int, int], ...]


def scores_of(sheet: Sequence[Line], seats: Sequence[int]) -> dict[int, int]:
    """Game points by seat."""
    scores = dict.fromkeys(seats, 0)
    for line in sheet:
        if line.winner is not None:
            scores[line.winner] += line.points
    return scores


def sheet_json(sheet: Sequence[Line]) -> list[JSON]:
    return [
        {
            "deal": line.deal,
            "dealer": line.dealer,
            "how": line.how.value,
            "winner": line.winner,
            "points": line.points,
            "deadwoods": {str(seat): count for seat, count in line.deadwoods},
        }
        for line in sheet
    ]


def bonuses(
    sheet: Sequence[Line], seats: Sequence[int], winners: Sequence[int], rules: GinRules
) -> dict[str, JSON]:
    """G14, by seat: a box for each deal won, the game bonus of a winner, and the total, doubled if
    the other has won no deal. No chips move by them. Empty where a match is one scored deal."""
    if rules.is_per_point:
        return {}
    scores = scores_of(sheet, seats)
    won = {seat: sum(line.winner == seat for line in sheet) for seat in seats}
    by_seat: dict[str, JSON] = {}
    for seat in seats:
        has_won = seat in winners and len(winners) == 1
        game = rules.game_bonus if has_won else 0
        boxes = won[seat] * rules.box_bonus
        shutout = has_won and won[seat] > 0 and not sum(won.values()) - won[seat]
        total = scores[seat] + boxes + game
        by_seat[str(seat)] = {
            "score": scores[seat],
            "deals_won": won[seat],
            "boxes": boxes,
            "game": game,
            "shutout": shutout,
            "total": total * 2 if shutout and rules.shutout_doubles else total,
        }
    return by_seat
