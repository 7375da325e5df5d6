"""A Celery worker with beat in one of its threads, for a run on one machine.

While nobody uses the site, beat sends each job at most every half minute, so that an idle site costs little. Beat
checks every two seconds whether somebody has arrived.
"""

import logging
import math
import os
import signal
import threading
import time
from typing import Any, Final

from celery import bootsteps
from celery.__main__ import main as celery_main
from celery.beat import Service
from django.db import close_old_connections

from accounts.sessions.services import is_anybody_here
from config.celery import app
from config.run.beating import AlertingScheduler
from tables.play.lock import DATABASE_FAILED
from tables.seating.selectors import is_anybody_seated
from tournaments.store.reading import is_any_running

logger = logging.getLogger(__name__)

SECONDS_TO_STOP: Final = 1  # beat never sleeps longer than this
SECONDS_BETWEEN_CHECKS: Final = 2.0
# After twice this time a worker counts as dead (config/monitoring/metrics.py).
SECONDS_OF_REST: Final = 30.0


class RestingScheduler(AlertingScheduler):
    """A scheduler that pauses between two rounds of all due jobs while nobody uses the site."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self._round_ended_at = -math.inf
        self._looked_at = -math.inf
        self._is_deserted = False
        super().__init__(*arguments, **options)

    def schedules_equal(self, *_schedules: Any) -> bool:
        """Return True, because the settings never change here. Comparing them would cost a third of each tick."""
        return True

    def tick(self, *arguments: Any, **options: Any) -> float:
        if self._is_resting():
            return SECONDS_TO_STOP
        try:
            seconds = float(super().tick(*arguments, **options))
        finally:
            close_old_connections()  # beat's thread keeps none
        if seconds > 0:  # every job that was due has been asked for
            self._round_ended_at = time.monotonic()
        return seconds

    def _is_resting(self) -> bool:
        now = time.monotonic()
        if now - self._round_ended_at >= SECONDS_OF_REST:
            return False
        if now - self._looked_at >= SECONDS_BETWEEN_CHECKS:
            self._looked_at = now
            self._is_deserted = is_deserted()
            close_old_connections()
        return self._is_deserted


def is_deserted() -> bool:
    """Return whether no person is signed in, nobody sits at a table and no tournament is running."""
    try:
        return not (is_anybody_here() or is_anybody_seated() or is_any_running())
    except DATABASE_FAILED:
        return False


class _BeatThread(threading.Thread):
    def __init__(self, schedule: str) -> None:
        super().__init__(name="beat", daemon=True)
        self._service = Service(
            app,
            max_interval=SECONDS_TO_STOP,
            schedule_filename=schedule,
            scheduler_cls=RestingScheduler,
        )

    def run(self) -> None:
        """Run beat. If it fails, end the worker, which has nothing to do without beat. The supervisor restarts both."""
        try:
            self._service.start()
        except Exception:
            logger.exception("beat has failed; the worker ends with it")
            os.kill(os.getpid(), signal.SIGTERM)

    def stop(self) -> None:
        self._service.stop(wait=True)


class Beat(bootsteps.StartStopStep):
    """Runs beat in a thread of the worker. Celery's own `--beat` would be a process that outlives a killed worker."""

    def create(self, worker: Any) -> _BeatThread:  # type: ignore[override] # it is started
        return _BeatThread(os.environ["BEAT_SCHEDULE"])


def main() -> None:
    app.steps["worker"].add(Beat)
    celery_main()


if __name__ == "__main__":
    main()
