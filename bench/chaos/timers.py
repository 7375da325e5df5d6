"""The lateness of the site's timers, read from its database five times a second."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import psycopg

SECONDS_BETWEEN_CHECKS: Final = 0.2
_OVERDUE: Final = b"""
SELECT coalesce(extract(epoch FROM clock_timestamp() - min(due_at)), 0) FROM tables_table
 WHERE due_at <= clock_timestamp() AND broken_at IS NULL"""


class Timers:
    def __init__(self, database_url: str) -> None:
        self._url = database_url
        # Time of each check, and how late the oldest deadline was; None without an answer.
        self._looks: list[tuple[float, float | None]] = []
        self._is_over = threading.Event()

    @contextmanager
    def watch(self) -> Iterator[None]:
        """Poll the database in a thread for as long as the context lasts."""
        watching = threading.Thread(target=self._watch, daemon=True)
        watching.start()
        try:
            yield
        finally:
            self._is_over.set()
            watching.join()

    def latest(self, since: float, until: float) -> float:
        """Return the largest delay of a timer, counted from `since` or from the time the database was back."""
        worst, back_at = 0.0, since
        for at, overdue in self._looks:
            if overdue is None:
                back_at = max(back_at, at)
            elif since <= at <= until:
                worst = max(worst, min(overdue, at - back_at))
        return worst

    def _watch(self) -> None:
        while not self._is_over.is_set():
            try:
                with psycopg.connect(self._url, autocommit=True, connect_timeout=2) as database:
                    while not self._is_over.wait(SECONDS_BETWEEN_CHECKS):
                        found = database.execute(_OVERDUE).fetchone()
                        self._looks.append((time.monotonic(), float(found[0]) if found else None))
            except psycopg.Error:
                self._looks.append((time.monotonic(), None))
                self._is_over.wait(SECONDS_BETWEEN_CHECKS)
