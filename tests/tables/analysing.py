"""Another analysis of a game's deals, for a test."""

from dataclasses import replace
from typing import Any

import pytest

from games.registry import GAMES


def analyse_by(monkeypatch: pytest.MonkeyPatch, code: str, analysis: Any) -> None:
    monkeypatch.setitem(GAMES, code, replace(GAMES[code], analysis=analysis))
