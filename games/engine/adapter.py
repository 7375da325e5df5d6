"""Outcomes made of the pairs that `base.Game` returns, until the table layer asks the parts."""

from collections.abc import Sequence
from typing import Any

from games.engine.base import Event
from games.engine.core import Outcome


def outcome_of(game: Any, changed: tuple[Any, Sequence[Event]]) -> Outcome:
    state, events = changed
    return Outcome(state, tuple(events), game.status(state))
