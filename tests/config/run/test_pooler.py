"""Pages through a PgBouncer that has no session left."""

from contextlib import ExitStack
from typing import Any

import pytest
from django.conf import settings
from django.db import connections

from tests.pooler import POOL_SIZE, needs_pgbouncer, pooling_tests

pytestmark = [pytest.mark.django_db(transaction=True), needs_pgbouncer]


@pytest.fixture
def crowded():
    """The connection of this thread goes through a pooler whose sessions are all taken."""
    usual: Any = connections["default"]
    with pooling_tests(query_wait_timeout="1") as pooler, ExitStack() as until_the_end:
        given = {**usual.settings_dict, **pooler.address, "OPTIONS": {}}
        for _ in range(POOL_SIZE):
            holder = type(usual)(given, alias="default")
            until_the_end.callback(holder.close)
            until_the_end.enter_context(holder.cursor()).execute("BEGIN; SELECT 1")
        connections["default"] = type(usual)(given, alias="default")
        try:
            yield
        finally:
            connections["default"].close()
            connections["default"] = usual


@pytest.mark.parametrize("path", ["/wallet/", "/api/v1/wallet/"])
def test_whoever_waits_in_vain_is_told_to_come_again(client, crowded, path):
    client.raise_request_exception = False
    client.cookies[settings.SESSION_COOKIE_NAME] = "a" * 32
    answer = client.get(path)
    assert (answer.status_code, answer["Retry-After"]) == (503, "1")
