"""Replaces the name of a closed account in its tables and matches: in changes, archives and evidence."""

import json
import zlib
from typing import Any, Final

from django.db import connection
from django.db.models import Q

from history.archiving import strip_names, strip_names_of_row
from history.models import MatchArchive, MatchLink, MatchTrace, SittingTrace, SupportCase
from tables.models import Match, Report, Seat

# The seats and the events of each change that names the player, and the names of the players of its match,
# which have been replaced there.
_RENAME: Final = """
UPDATE tables_change SET
  patch = jsonb_set(
    CASE WHEN patch @> %(seats)s::jsonb THEN jsonb_set(patch, '{seats}', (
      SELECT jsonb_agg(CASE WHEN seat -> 'player' ->> 'id' = %(user)s
        THEN jsonb_set(seat, '{player,name}', to_jsonb(%(name)s::text)) ELSE seat END ORDER BY place)
      FROM jsonb_array_elements(patch -> 'seats') WITH ORDINALITY AS p (seat, place)))
    ELSE patch END,
    '{table,names}',
    coalesce((SELECT jsonb_object_agg(seat, player -> 'name')
              FROM tables_match AS m, jsonb_each(m.players) AS p (seat, player)
              WHERE m.id = tables_change.match_id), '{}'),
    patch @? '$.table.names'),
  events = CASE WHEN events @> %(events)s::jsonb THEN (
    SELECT jsonb_agg(CASE WHEN event ->> 'kind' = 'seated' AND event ->> 'player' = %(user)s
      THEN jsonb_set(event, '{name}', to_jsonb(%(name)s::text)) ELSE event END ORDER BY place)
    FROM jsonb_array_elements(events) WITH ORDINALITY AS p (event, place))
    ELSE events END
WHERE table_id = %(table)s AND (
  patch @? '$.table.names' OR patch @> %(seats)s::jsonb OR events @> %(events)s::jsonb)"""


def forget_links_and_traces(user_id: int) -> None:
    """Delete the links that the player has made, and the traces of how they played."""
    MatchLink.objects.filter(made_by_id=user_id).delete()
    MatchTrace.objects.filter(Q(giver=user_id) | Q(taker=user_id)).delete()
    SittingTrace.objects.filter(user_id=user_id).delete()


def rename_in_records(*, user_id: int, old_name: str, name: str) -> None:
    """Replace the player's name wherever a table, a match, a report or a support case has a copy of it."""
    values = {
        "user": str(user_id),
        "name": name,
        "seats": json.dumps({"seats": [{"player": {"id": user_id}}]}),
        "events": json.dumps([{"kind": "seated", "player": user_id}]),
    }
    tables = Seat.objects.filter(user_id=user_id).values_list("table_id", flat=True).distinct()
    with connection.cursor() as cursor:
        for table_id in tables:
            cursor.execute(_RENAME, {**values, "table": table_id})
    _strip_archives(user_id)
    _rename_in_reports(user_id, old_name, name)
    _rename_in_evidence(user_id, name)


def _strip_archives(user_id: int) -> None:
    """Remove all names from those archives of the player's matches that were packed with names."""
    matches = Match.objects.filter(participants__contains=[user_id])
    for archive in MatchArchive.objects.filter(match__in=matches.values("pk")).iterator():
        rows = json.loads(zlib.decompress(bytes(archive.changes)))
        stripped = [strip_names_of_row(row) for row in rows]
        if not any(stripped):
            continue
        MatchArchive.objects.filter(pk=archive.pk, table_id=archive.table_id).update(
            changes=zlib.compress(json.dumps(rows).encode())
        )


def _rename_in_reports(user_id: int, old_name: str, name: str) -> None:
    for key, value in (("user", user_id), ("player", old_name)):
        for report in Report.objects.filter(chat__contains=[{key: value}]):
            for line in report.chat:
                if line.get(key) == value:
                    line["player"] = name
            report.save(update_fields=["chat"])


def _rename_in_evidence(user_id: int, name: str) -> None:
    about = SupportCase.objects.filter(deal__match__participants__contains=[user_id])
    for case in about.select_related("deal__match"):
        assert case.deal is not None  # noqa: S101 - it has taken part in this deal
        evidence: Any = case.evidence
        players = evidence["record"]["players"]
        for seat, player in case.deal.match.players.items():
            if player["user"] == user_id and seat in players:
                players[seat] = name
        for step in evidence["record"]["steps"]:
            strip_names(step["events"])
        case.save(update_fields=["evidence"])
