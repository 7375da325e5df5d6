"""Changed values: of the engine's structs, and of dataclasses as long as Contract Rummy has them."""

import dataclasses
from typing import Any

import msgspec


def replace(value: Any, **changes: Any) -> Any:
    is_struct = isinstance(value, msgspec.Struct)
    return (msgspec.structs.replace if is_struct else dataclasses.replace)(value, **changes)
