"""Open data: the deals of a month, without anything that identifies players (docs/open-data.md)."""

import gzip
import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from tempfile import TemporaryFile
from typing import Any, Final

from django.conf import settings
from django.core.files import File
from django.db.models import F, Func, Q, QuerySet

from core.database.leases import Job, lease
from core.private_files import private_storage, read
from games.engine.base import JSON
from history.records import deal_record
from tables.models import Match, MatchStatus
from wallet.money import Currency

FORMAT: Final = "openrummy-open-deal-1"
# With fewer players somebody could be recognized, so the month is not published.
LEAST_PLAYERS: Final = 50
MOST_DEALS: Final = 20_000
TIME_LIMIT: Final = 3_600
_FOLDER: Final = "open-data"
_NAME: Final = re.compile(r"deals-([0-9]{4}-[0-9]{2})\.jsonl\.gz")
# Matches that begin at the end of a month have this long to finish.
_DAYS_TO_FINISH: Final = 3
_PUBLIC: Final = Q(
    table__currency=Currency.CHIPS,
    table__invite_code="",
    table__opened_by=None,
    table__event_url="",
    table__is_lesson=False,
)
# Fields of a record that would identify the match; its cards stay.
_TELLS_WHICH: Final = frozenset(
    {"format", "match", "deal", "table", "commitment", "seed", "client_seeds", "players", "steps"}
)
# Fields of an event that would identify people, matches or times.
_TELLS_WHO: Final = frozenset({"player", "name", "match", "at", "due_at", "by_ms"})


def list_months() -> list[str]:
    """Return the published months, newest first."""
    if not settings.OPEN_DATA:
        return []
    try:
        _, names = private_storage().listdir(_FOLDER)
    except FileNotFoundError:
        return []
    return sorted((found[1] for name in names if (found := _NAME.fullmatch(name))), reverse=True)


def month_file(month: str) -> bytes:
    """Return the gzipped lines of a published month."""
    return read(_place(month))


def publish_last_month(now: datetime) -> bool:
    """Publish the deals of the previous month, once. Return whether this call published them."""
    first = now.astimezone(UTC).date().replace(day=1)
    begin = (first - timedelta(days=1)).replace(day=1)
    month = f"{begin:%Y-%m}"
    if (
        not settings.OPEN_DATA
        or now.astimezone(UTC).day <= _DAYS_TO_FINISH
        or month in list_months()
    ):
        return False
    with lease(Job.PUBLISHING_DEALS, seconds=TIME_LIMIT) as is_alone:
        matches = _filter_matches(begin, first)
        if not is_alone or month in list_months() or _count_players(matches) < LEAST_PLAYERS:
            return False
        with TemporaryFile() as file:
            with gzip.open(file, "wt", encoding="utf-8") as packed:
                packed.writelines(islice(_generate_lines(matches), MOST_DEALS))
            file.seek(0)
            private_storage().save(_place(month), File(file))
    return True


def _place(month: str) -> str:
    return f"{_FOLDER}/deals-{month}.jsonl.gz"


def _filter_matches(begin: date, end: date) -> QuerySet[Match]:
    def midnight(day: date) -> datetime:
        return datetime(day.year, day.month, day.day, tzinfo=UTC)

    return Match.objects.filter(
        _PUBLIC,
        status=MatchStatus.FINISHED,
        started_at__gte=midnight(begin),
        started_at__lt=midnight(end),
    )


def _count_players(matches: QuerySet[Match]) -> int:
    each = matches.annotate(person=Func(F("participants"), function="unnest"))
    return each.values("person").distinct().count()


def _generate_lines(matches: QuerySet[Match]) -> Iterator[str]:
    # In random order, which reveals no time of day.
    chosen = matches.order_by("?").values_list("pk", "started_at", "players")[:MOST_DEALS]
    for number, (match_id, started_at, players) in enumerate(chosen, start=1):
        for deal in Match(pk=match_id).deals.order_by("number").values_list("number", flat=True):
            record = deal_record(match_id=match_id, number=deal)
            if record is not None:
                about = {
                    "format": FORMAT,
                    "day": f"{started_at.astimezone(UTC):%Y-%m-%d}",
                    "match": number,
                    "deal": deal,
                    "players": {
                        seat: "bot" if player["bot"] else "person"
                        for seat, player in players.items()
                    },
                }
                yield json.dumps({**about, **_anonymize(record)}, ensure_ascii=False) + "\n"


def _anonymize(record: Mapping[str, Any]) -> dict[str, JSON]:
    """Return the cards, rules and steps of a record, without people, tables, seeds and times."""
    steps = [
        {
            **{name: value for name, value in step.items() if name != "at_ms"},
            "events": [
                {name: value for name, value in event.items() if name not in _TELLS_WHO}
                for event in step["events"]
            ],
        }
        for step in record["steps"]
    ]
    kept = {name: value for name, value in record.items() if name not in _TELLS_WHICH}
    return {**kept, "steps": steps}
