"""The fixtures of tests/tables, shared with the tests of the lobby."""

from tests.tables.conftest import *  # noqa: F403 - fixtures
