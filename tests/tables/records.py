"""Records and replays of finished deals."""

import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.db.models.functions import Now

from history.records import deal_record, verdict_on, verdicts_on
from history.replay import build_replay
from history.selectors import list_finished_deals
from tables.models import Match
from tests.given import require

_TOOL = Path(__file__).resolve().parents[2] / "tools/verify_deal.py"


def verify(record: Any) -> tuple[int, str]:
    """Verify a record in a subprocess with plain Python. Return the exit code and the output."""
    finished = subprocess.run(
        [sys.executable, "-I", "-S", str(_TOOL), "-"],
        input=json.dumps(record),
        capture_output=True,
        text=True,
        cwd="/",
        check=False,
    )
    return finished.returncode, finished.stdout.strip()


def check_records(match: Match, *, first: int | None = None) -> Any:
    """Check that every deal, or each of the `first` ones, is honest and has a replay. Return the last record."""
    record: Any = None
    for number in range(1, (first or match.deals.count()) + 1):
        record = deal_record(match_id=match.pk, number=number)
        verdict = verdict_on(record)
        assert verdict.is_honest, verdict.words
        assert all(claim["agree"] for claim in verdicts_on(record))
        assert require(build_replay(match, number=number))["steps"]
    return record


def grow_old(match: Match, days: int) -> None:
    """Move a match this many days into the past."""
    over = Now() - timedelta(days=days)
    Match.objects.filter(pk=match.pk).update(started_at=over - timedelta(minutes=3), ended_at=over)


def read_everything(match: Match) -> Any:
    """Return the record, the replay and the list of deals of a match."""
    record, replay = deal_record(match_id=match.pk, number=1), build_replay(match, number=1)
    return record, replay, list_finished_deals(match)


def list_frames(replay: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the game and the hands after each step of a replay, merged as the page merges them."""
    game, hands = replay["state"]["game"], replay["hands"]
    yield game, hands
    for step in replay["steps"]:
        game = {**game, **step["game"]}
        hands = {seat: {**hand, **step["hands"].get(seat, {})} for seat, hand in hands.items()}
        yield game, hands
