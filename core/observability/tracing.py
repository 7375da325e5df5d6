"""Traces: the time that each part of a move takes, from a socket to the last seat (docs/tracing.md).

Tracing is off until a process gets a tracer (config/monitoring/tracing.py); until then opening a span does nothing.
Like log records, spans contain ids and kinds, but no names, cards or secrets.
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
        """Return a span inside the open one. It does nothing if none is open."""

    def resume(
        self, name: str, told: Mapping[str, Value], mark: str
    ) -> AbstractContextManager[object]:
        """Return a span inside that of another process."""

    def add_attributes(self, told: Mapping[str, Value]) -> None:
        """Add attributes to the open span that were not known when it was opened."""

    def mark(self) -> str | None:
        """Return the current trace's mark to attach to a message, so that its receiver can continue the trace.

        Return None if there is no trace.
        """


_tracer: Tracer | None = None


def trace_with(tracer: Tracer | None) -> None:
    """Trace with this tracer in this process from now on; None stops tracing."""
    global _tracer  # noqa: PLW0603 - one for a process, named as it starts
    _tracer = tracer


def trace(name: str, **told: Value) -> AbstractContextManager[object]:
    """Begin a trace; spans inside the block belong to it."""
    return _NOTHING if _tracer is None else _tracer.root(name, told)


def open_span(name: str, **told: Value) -> AbstractContextManager[object]:
    """Open a span of the active trace, if there is one."""
    return _NOTHING if _tracer is None else _tracer.inner(name, told)


def resume(name: str, mark: str | None, **told: Value) -> AbstractContextManager[object]:
    """Open a span in the trace of another process. `mark` came with its message; None opens no span."""
    return _NOTHING if _tracer is None or mark is None else _tracer.resume(name, told, mark)


def add_attributes(**told: Value) -> None:
    """Add attributes to the open span."""
    if _tracer is not None:
        _tracer.add_attributes(told)


def mark() -> str | None:
    """Return the trace context to attach to a message, or None if no trace is active."""
    return None if _tracer is None else _tracer.mark()
