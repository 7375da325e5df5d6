"""The fixtures of tests/tables, shared with the tests of history."""

from tests.tables.conftest import *  # noqa: F403 - fixtures
