"""Helpers that expect a refusal."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from core.refusals import Refusal, RefusalKind


@contextmanager
def refused(
    kind: RefusalKind | type[Exception], match: str | None = None
) -> Iterator[pytest.ExceptionInfo[Any]]:
    """Fail unless the block raises a refusal of this kind, or an exception of this class."""
    with pytest.raises(kind if isinstance(kind, type) else Refusal, match=match) as raised:
        yield raised
    if isinstance(kind, RefusalKind):
        assert kind_of(raised.value) == kind


def kind_of(result: Any) -> RefusalKind | type:
    """Return a refusal's kind if it has one, else the class of `result`."""
    return (isinstance(result, Refusal) and result.kind) or type(result)
