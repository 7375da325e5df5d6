"""Outcomes of the games that are not on the engine yet."""

from typing import Any

from tables.games.base import Instant
from tables.games.engine.core import Outcome, Status


def status_of(game: Any, state: Any, *, now: Instant) -> Status:
    return Status(
        acting=game.acting(state),
        deadline=game.deadline(state),
        deals=game.deals(state),
        fees=game.fees_charged(state),
        shares_offered=game.shares_offered(state),
        proposes=game.propose(state, now=now) is not None,
        result=game.result(state),
    )


def outcome_of(game: Any, changed: tuple[Any, Any], *, now: Instant) -> Outcome:
    state, events = changed
    return Outcome(state, tuple(events), status_of(game, state, now=now))
