"""Jobs that process many rows one by one."""

import pytest
from django.db import OperationalError

from core.database.each import act_on_each


def test_a_row_that_fails_does_not_stop_those_behind_it(caplog):
    """Otherwise one bad row would stop the job at the same place in every run."""

    def act(row):
        if row == 2:
            raise ValueError("a bad row")
        return row

    assert act_on_each([1, 2, 3], act, doing="counting") == 4
    [record] = caplog.records
    assert (record.levelname, record.getMessage()) == ("ERROR", "counting: 2 has failed")


def test_without_the_database_the_rest_waits_for_the_next_run():
    done = []

    def act(row):
        done.append(row)
        raise OperationalError("the connection is closed")

    with pytest.raises(OperationalError):
        act_on_each([1, 2], act, doing="counting")
    assert done == [1]
