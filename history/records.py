"""The record of a finished deal, complete enough for anybody to replay and verify the deal (docs/deal-record.md)."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

from django.conf import settings

from games.engine.base import DEAL_BEGINS, JSON, DealStart
from games.engine.game import Game
from games.registry import get_game
from history.archiving import read_changes
from tables.models import Change, ChangeKind, Deal, Match, MatchStatus
from tables.play.change import SEATED

FORMAT = "openrummy-deal-3"


def deal_record(*, match_id: int, number: int) -> dict[str, JSON] | None:
    """Return everything about one deal, including the seed and all hands; None while it is being played."""
    match = Match.objects.select_related("table").filter(pk=match_id).first()
    deal = Deal.objects.filter(match_id=match_id, number=number).first()
    if match is None or deal is None or not _is_over(match, deal):
        return None
    game = get_game(match.table.game)
    start, *later = _read_deal_changes(match, number)
    tossed = sorted(match.order) if match.tossed and number == 1 else None
    return {
        "format": FORMAT,
        "game": game.code,
        "match": match.pk,
        "deal": number,
        "table": match.table.name,
        "rules": match.rules,
        "commitment": deal.commitment,
        "seed": bytes(deal.seed).hex(),
        "client_seeds": deal.client_seeds,
        "players": {seat: player["name"] for seat, player in match.players.items()},
        **game.records.deal(DealStart(start.events, start.private, tossed)),
        "steps": [_step(game, change) for change in later if change.version is not None],
    }


def _is_over(match: Match, deal: Deal) -> bool:
    if match.status != MatchStatus.RUNNING:
        return True
    return match.deals.filter(number__gt=deal.number).exists()


def _read_deal_changes(match: Match, number: int) -> Iterator[Change]:
    """Yield the changes of one deal, from the change that dealt it to the last change before the next deal."""
    dealt = 0
    for change in read_changes(match):
        dealt += any(event["kind"] == DEAL_BEGINS for event in change.events)
        if dealt > number:
            return
        if dealt == number:
            yield change


def _step(game: Game, change: Change) -> dict[str, JSON]:
    """Return a step of the record: the events of a change, with details that only its player could see at the time."""
    # The match has the names; archives have none.
    events = [
        {name: value for name, value in event.items() if name != "name"}
        if event["kind"] == SEATED
        else event
        for event in change.events
    ]
    step: dict[str, JSON] = {"at_ms": change.at_ms, "events": events}
    if change.kind in {ChangeKind.MOVE, ChangeKind.STAND_IN}:
        step |= {"seat": change.seat, "move": change.move}
    if change.kind == ChangeKind.STAND_IN:
        step["stand_in"] = True
    return step | game.records.step(change.events, change.private)


def verdicts_on(record: Mapping[str, Any]) -> list[dict[str, JSON]]:
    """Return the hand tool's verdicts on all declarations and shown hands in a record, as `Records.review` returns
    them.
    """
    return get_game(record["game"]).records.review(record)


@dataclass(frozen=True, slots=True)
class RecordVerdict:
    """The verdict of the verification tool. `words` are the tool's own: what it verified, or what is wrong."""

    is_honest: bool
    words: str


def verdict_on(record: Mapping[str, Any]) -> RecordVerdict:
    verify, dishonest = _load_tool()
    try:
        return RecordVerdict(is_honest=True, words=verify(record))
    except dishonest as reason:
        return RecordVerdict(is_honest=False, words=str(reason))


@cache
def _load_tool() -> tuple[Callable[[Mapping[str, Any]], str], type[Exception]]:
    """Load tools/verify_deal.py. Return its function `verify`, and the exception that this raises for a dishonest deal.

    That tool is a single file without dependencies, so that anybody can run it.
    """
    spec = spec_from_file_location("verify_deal", settings.BASE_DIR / "tools/verify_deal.py")
    assert spec is not None  # noqa: S101 - the file is part of the project
    assert spec.loader is not None  # noqa: S101
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.verify, module.Dishonest
