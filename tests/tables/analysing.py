"""Helpers that replace a game's analysis and store analyses of deals."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from games.registry import GAMES
from history.models import AnalysisState, SeatAnalysis
from tables.models import Match


def analyse_by(monkeypatch: pytest.MonkeyPatch, code: str, analysis: Any) -> None:
    monkeypatch.setitem(GAMES, code, replace(GAMES[code], analysis=analysis))


def store_analysis(
    match: Match, player: User, deal: int, kinds: dict[str, float], *, days_ago: int = 0
) -> None:
    """Store a finished analysis of ten decisions. `kinds` gives the points lost by kind of decision."""
    now = timezone.now()
    SeatAnalysis.objects.create(
        match=match,
        deal=deal,
        seat=player.pk % 1000,
        user=player,
        game="indian",
        state=AnalysisState.DONE,
        deadline_at=now,
        done_at=now - timedelta(days=days_ago),
        version=1,
        report={},
        decisions=10,
        lost=sum(kinds.values()),
        by_kind=kinds,
    )
