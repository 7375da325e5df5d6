"""The fixtures of tables serve here, too."""

from tests.tables.conftest import *  # noqa: F403 - fixtures
