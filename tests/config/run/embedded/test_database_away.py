"""PostgreSQL is away for a while: everything goes on at once when it is back."""

import threading
import time

from tests.config.run.embedded.migrated import Migrated
from tests.config.run.embedded.site import measure_until, site

# The pauses of the pool, if it doubled them: tries after 1, 3, 7 and 15 seconds.
AWAY_SECONDS = 9
DUE = "UPDATE tables_table SET deadline_at = clock_timestamp() WHERE id = %s"
STATUS = "SELECT status FROM tables_table WHERE id = %s"


def test_pages_and_the_clock_recover_within_two_seconds(migrated: Migrated) -> None:
    with site(migrated) as running:
        measure_until(lambda: running.ask("SELECT 1 FROM tables_clockbeat"), seconds=60)
        running.ask("UPDATE tables_table SET deadline_at = NULL WHERE id = %s", running.table_id)
        running.postgres.stop()
        is_over = threading.Event()

        def visit() -> None:
            while not is_over.is_set():
                running.answers(seconds=10)
                time.sleep(0.1)

        visitors = [threading.Thread(target=visit) for _ in range(4)]
        for visitor in visitors:
            visitor.start()
        time.sleep(AWAY_SECONDS)
        running.postgres.start()
        began = time.monotonic()
        running.ask(DUE, running.table_id)
        measure_until(lambda: running.ask(STATUS, running.table_id) == ("PLAYING",), seconds=30)
        clock_seconds = time.monotonic() - began
        measure_until(running.answers, seconds=30)
        web_seconds = time.monotonic() - began
        is_over.set()
        for visitor in visitors:
            visitor.join()
    assert (clock_seconds < 2, web_seconds < 2) == (True, True), (clock_seconds, web_seconds)
