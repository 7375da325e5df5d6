"""The record of a finished deal, enough for anybody to deal it again (docs/deal-record.md)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tables.games.base import JSON
from tables.models import Change, ChangeKind, Deal, Match, MatchStatus
from tables.play.changes import changes_of

FORMAT = "openrummy-deal-2"


def deal_record(*, match_id: int, number: int) -> dict[str, JSON] | None:
    """Everything of one deal, the seed and all hands included; None while it is being played."""
    match = Match.objects.select_related("table").filter(pk=match_id).first()
    deal = Deal.objects.filter(match_id=match_id, number=number).first()
    if match is None or deal is None or not _is_over(match, deal):
        return None
    changes = list(_changes_of(match, number))
    start, *later = changes
    dealt = _event(start, "dealt") or {}
    toss = _event(start, "toss")
    return {
        "format": FORMAT,
        "match": match.pk,
        "deal": number,
        "table": match.table.name,
        "rules": match.rules,
        "commitment": deal.commitment,
        "seed": bytes(deal.seed).hex(),
        "client_seeds": deal.client_seeds,
        "players": {seat: player["name"] for seat, player in match.players.items()},
        # The seats that cards were tossed for, or null; the order of play that came of it.
        "tossed": sorted(match.order) if toss else None,
        "toss": toss["cards"] if toss else None,
        "order": dealt["order"],
        "wild": dealt["wild"],
        "open": dealt["open"],
        "hands": {str(seat): start.private[str(seat)]["hand"] for seat in dealt["order"]},
        "steps": [_step(change) for change in later if change.version is not None],
    }


def _is_over(match: Match, deal: Deal) -> bool:
    if match.status != MatchStatus.RUNNING:
        return True
    return match.deals.filter(number__gt=deal.number).exists()


def _changes_of(match: Match, number: int) -> Iterator[Change]:
    """From the change that dealt this deal to the one before the next dealing."""
    found = 0
    for change in changes_of(match):
        found += _event(change, "dealt") is not None
        if found > number:
            return
        if found == number:
            yield change


def _event(change: Change, kind: str) -> Mapping[str, Any] | None:
    events: Sequence[Mapping[str, Any]] = change.events
    return next((event for event in events if event["kind"] == kind), None)


def _step(change: Change) -> dict[str, JSON]:
    """What happened, with the card of a draw that only its player saw then."""
    step: dict[str, JSON] = {"at_ms": change.at_ms, "events": change.events}
    if change.kind == ChangeKind.MOVE:
        step |= {"seat": change.seat, "move": change.move}
    drew = _event(change, "drawn")
    if drew is not None:
        step["drew"] = change.private[str(drew["seat"])]["drawn"]
    return step
