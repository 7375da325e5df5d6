"""Changed copies of values: structs of the engine, and dataclasses of games that are not on it yet."""

import dataclasses
from typing import Any

import msgspec


def replace(value: Any, **changes: Any) -> Any:
    is_struct = isinstance(value, msgspec.Struct)
    return (msgspec.structs.replace if is_struct else dataclasses.replace)(value, **changes)
