"""What a test knows to be there, where its type says that it may be missing."""

from typing import TypeVar

T = TypeVar("T")


def the(value: T | None) -> T:
    assert value is not None
    return value
