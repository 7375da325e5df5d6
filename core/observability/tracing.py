"""Traces: how long each part of a move takes, from a socket to the last seat (docs/tracing.md).

Off until a process is given a tracer (config/monitoring/tracing.py); until then a span is a call that does
nothing. Like log records, spans contain ids and kinds: no names, cards or secrets.
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Final, Protocol

Value = str | int
_NOTHING: Final[AbstractContextManager[object]] = nullcontext()


class Tracer(Protocol):
    """Records spans. They are held in context variables, so they follow the work into threads."""

    def root(self, name: str, told: Mapping[str, Value]) -> AbstractContextManager[object]:
        """Return the first span of a trace."""

    def inner(self, name: str, told: Mapping[str, Value]) -> AbstractContextManager[object]:
        """Return a span inside the open one; it does nothing if none is open."""

    def resume(
        self, name: str, told: Mapping[str, Value], mark: str
    ) -> AbstractContextManager[object]:
        """Return a span inside one of another process."""

    def add_attributes(self, told: Mapping[str, Value]) -> None:
        """Add attributes to the open span that are known only now."""

    def mark(self) -> str | None:
        """Return the mark of the current trace for a message, so that its receiver can continue it, or None."""


_tracer: Tracer | None = None


def trace_with(tracer: Tracer | None) -> None:
    """Trace with this tracer in this process from now on; None stops tracing."""
    global _tracer  # noqa: PLW0603 - one for a process, named as it starts
    _tracer = tracer


def trace(name: str, **told: Value) -> AbstractContextManager[object]:
    """Begin a trace; spans inside the block belong to it."""
    return _NOTHING if _tracer is None else _tracer.root(name, told)


def open_span(name: str, **told: Value) -> AbstractContextManager[object]:
    """Open a span of the running trace, if there is one."""
    return _NOTHING if _tracer is None else _tracer.inner(name, told)


def resume(name: str, mark: str | None, **told: Value) -> AbstractContextManager[object]:
    """Open a span of the trace that came from another process with `mark`, None if none came."""
    return _NOTHING if _tracer is None or mark is None else _tracer.resume(name, told, mark)


def add_attributes(**told: Value) -> None:
    """Add attributes to the open span."""
    if _tracer is not None:
        _tracer.add_attributes(told)


def mark() -> str | None:
    """Return the trace context to attach to a message, or None when no trace runs."""
    return None if _tracer is None else _tracer.mark()
