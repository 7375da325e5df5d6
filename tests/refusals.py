"""Expecting a refusal of a kind."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from core.refusals import Refusal, RefusalKind


@contextmanager
def refused(
    kind: RefusalKind | type[Exception], match: str | None = None
) -> Iterator[pytest.ExceptionInfo[Any]]:
    """Fail unless the block is refused for this kind, or with this class."""
    with pytest.raises(kind if isinstance(kind, type) else Refusal, match=match) as raised:
        yield raised
    if isinstance(kind, RefusalKind):
        assert kind_of(raised.value) == kind


def kind_of(result: Any) -> RefusalKind | type:
    """Return the kind of a refusal that has one, and the class of anything else."""
    return (isinstance(result, Refusal) and result.kind) or type(result)
