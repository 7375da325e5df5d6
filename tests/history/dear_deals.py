"""Deals of a finished match in which a player lost points by a decision."""

import random
from typing import Any

from games.registry import get_game
from history.records import deal_record
from history.selectors import list_ended_deals
from tables.models import Match
from tests.given import require


def dear_deal(match: Match, seat: int) -> int:
    """Return the number of the first deal in which an analysis, seeded as by the job, finds a loss."""
    analysis = require(get_game(match.table.game).analysis)
    for number in sorted(list_ended_deals(match)):
        record: Any = deal_record(match_id=match.pk, number=number)
        rng = random.Random(f"{match.pk}/{number}/{seat}")
        report: Any = analysis.analyse(record, seat, rng=rng, progress=lambda _done, _total: None)
        if report is not None and any(decision["loss"] for decision in report["decisions"]):
            return number
    raise AssertionError("nobody played a whole match without a mistake")
