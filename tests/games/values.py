"""Helpers: changed copies of values, and the parts of outcomes and games."""

import dataclasses
from importlib import import_module
from typing import Any, TypeVar, cast

import msgspec

from games.engine.core import Outcome
from games.engine.moves import Event

T = TypeVar("T")


def replace(value: T, **changes: Any) -> T:
    change: Any = (
        msgspec.structs.replace if isinstance(value, msgspec.Struct) else dataclasses.replace
    )
    return cast("T", change(value, **changes))


def pair(outcome: Outcome | None) -> tuple[Any, tuple[Event, ...]]:
    """Return the state and the events of an outcome, which must not be None."""
    assert outcome is not None
    return outcome.state, outcome.events


def parts_of(code: str) -> Any:
    """Return a registered game, without its guard."""
    return import_module(f"games.{code}.game").GAME
