"""Fixtures of live play."""

from tests.tables.live.conftest import open_scene

__all__ = ["open_scene"]
