"""R10.4b: shorter turns and an earlier limit of minutes, for deals of any game.

`Overtime` is what a table asks of its game after every step. A deal here is a frozen dataclass with
`started_at`, `due_at`, `players` and `turn`; a player may have `extra_ms`. The limit of minutes
counts from `started_at`, so an earlier limit is a beginning that lies further back.
"""

from dataclasses import dataclass, replace
from typing import Any, TypeVar

from tables.games.base import Game, Instant

DealT = TypeVar("DealT", bound=Any)
MatchT = TypeVar("MatchT", bound=Any)

_MINUTE_MS = 60_000
# Stages of a match that every game with overtime has.
_DEAL, _BETWEEN = "deal", "between"


@dataclass(frozen=True, slots=True)
class Overtime:
    """From `begins_at` on a turn has `turn_ms`; from `count_at` on no turn of a deal begins."""

    begins_at: Instant
    turn_ms: int
    count_at: Instant

    def due_by(self, now: Instant) -> Instant:
        """When a turn or a break that runs now ends at the latest."""
        return max(now, self.begins_at) + self.turn_ms

    def hastened(self, game: Game[Any, Any, Any], state: Any, *, now: Instant) -> Any:
        """The state with the times that are left to it; the same object if they all are."""
        if game.deadline(state) is None:
            return state
        return game.hasten(state, due_by=self.due_by(now), count_by=self.count_at)


def shortened_turn(deal: DealT, *, due_by: Instant) -> DealT:
    """The turn that runs ends at `due_by` at the latest; its player keeps that much extra time."""
    due_at = min(deal.due_at, due_by)
    player = deal.players[deal.turn]
    extra_ms = min(getattr(player, "extra_ms", 0), due_by - due_at)
    if due_at == deal.due_at and extra_ms == getattr(player, "extra_ms", 0):
        return deal
    hastened = replace(deal, due_at=due_at)
    if hasattr(player, "extra_ms"):
        hasty = replace(player, extra_ms=extra_ms)
        players = tuple(hasty if other is player else other for other in deal.players)
        hastened = replace(hastened, players=players)
    return hastened


def limited(deal: DealT, *, count_by: Instant | None, max_minutes: int) -> DealT:
    """No turn of the deal begins from `count_by` on."""
    if count_by is None or deal.started_at + max_minutes * _MINUTE_MS <= count_by:
        return deal
    return replace(deal, started_at=count_by - max_minutes * _MINUTE_MS)


def shortened_break(match: MatchT, *, due_by: Instant) -> MatchT:
    """The break that runs ends at `due_by` at the latest."""
    if match.due_at is None or match.due_at <= due_by:
        return match
    return replace(match, due_at=due_by)


def hastened_match(
    match: MatchT, *, has_turn: bool, due_by: Instant, count_by: Instant | None, max_minutes: int
) -> MatchT:
    """Between two deals a shorter break, in a deal the limits of R10.4b; `has_turn`: what runs in it
    is a turn. Whatever else the match waits for keeps its time."""
    if match.stage == _BETWEEN:
        return shortened_break(match, due_by=due_by)
    if match.stage != _DEAL:
        return match
    deal = shortened_turn(match.deal, due_by=due_by) if has_turn else match.deal
    deal = limited(deal, count_by=count_by, max_minutes=max_minutes)
    return match if deal is match.deal else replace(match, deal=deal)
