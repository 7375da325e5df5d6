"""Changed copies of values: structs of the engine, and dataclasses of games that are not on it yet."""

import dataclasses
from typing import Any, TypeVar, cast

import msgspec

T = TypeVar("T")


def replace(value: T, **changes: Any) -> T:
    change: Any = (
        msgspec.structs.replace if isinstance(value, msgspec.Struct) else dataclasses.replace
    )
    return cast("T", change(value, **changes))
