"""A circuit breaker: after a failure, callers skip a server for a while instead of each waiting for it."""

import time


class CircuitBreaker:
    """The state of one server in one process, shared by all threads of the process.

    After a failure, callers skip the server for a pause. Then one caller at a time tries it again, and the others still
    skip it until that caller reports success.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._open_until: float | None = None

    @property
    def is_open(self) -> bool:
        """Return whether the last call failed, without trying the server again."""
        return self._open_until is not None

    def allows(self) -> bool:
        """Return whether to call the server now. If so, the caller reports the outcome with `succeed` or `fail`."""
        now = time.monotonic()
        if self._open_until is None:
            return True
        if now < self._open_until:
            return False
        self._open_until = now + self._seconds
        return True

    def fail(self) -> bool:
        """Open the circuit. Returns whether it was closed before."""
        was_closed = self._open_until is None
        self._open_until = time.monotonic() + self._seconds
        return was_closed

    def succeed(self) -> bool:
        """Close the circuit. Returns whether it was open before."""
        was_open, self._open_until = self._open_until is not None, None
        return was_open
