"""During an outage of the database, the log gets one line a minute for each kind of error."""

import logging

import pytest
from django.db import OperationalError, ProgrammingError

from core.database import outage
from core.database.outage import OutageLimit

AWAY = OperationalError("connection refused\n\tIs the server running?")
DEFECT = ProgrammingError("no such column")


@pytest.fixture
def log(caplog):
    logger = logging.getLogger("tests.outage")
    limit = OutageLimit()
    logger.addFilter(limit)
    yield logger
    logger.removeFilter(limit)


def log_failure(logger, error, words="task %s failed"):
    failure = RuntimeError("a job failed")
    failure.__cause__ = error
    logger.error(words, 7, exc_info=failure)


def test_failures_of_one_kind_are_one_line_without_a_traceback(log, caplog):
    for _time in range(3):
        log.warning("a poll failed: %s", AWAY)
        log_failure(log, AWAY)
        log_failure(log, AWAY, "page %s failed")
    assert [record.getMessage() for record in caplog.records] == [
        "a poll failed: connection refused Is the server running?",
        "task 7 failed: connection refused Is the server running?",
        "page 7 failed: connection refused Is the server running?",
    ]
    assert not any(record.exc_info for record in caplog.records)


def test_the_next_minute_says_how_many_were_dropped(log, caplog, monkeypatch):
    for _time in range(3):
        log.warning("a poll failed: %s", AWAY)
    monkeypatch.setattr(outage, "SECONDS_BETWEEN_LINES", 0)
    log.warning("a poll failed: %s", AWAY)
    assert "(2 more in the last minutes)" in caplog.messages[-1]
    assert len(caplog.messages) == 2


def test_a_defect_keeps_every_line_and_its_traceback(log, caplog):
    for _time in range(3):
        log_failure(log, DEFECT)
        log.warning("a poll failed: %s", DEFECT)
    assert len(caplog.records) == 6
    assert sum(record.exc_info is not None for record in caplog.records) == 3
