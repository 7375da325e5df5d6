"""Replays of finished deals, step by step.

A replay consists of the changes as they were sent, so no rule is implemented twice. The browser merges the changes as
it does on the table page (docs/protocol.md). A replay shows no money.
"""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction

from accounts.names import show_name
from games.engine.base import DEAL_BEGINS
from games.registry import get_format, get_game
from history.archiving import read_changes
from history.models import MatchLink
from history.models.records import TOKEN_BYTES
from history.selectors import find_faces, find_seat, list_ended_deals
from tables.catalog import format_match_title, has_page
from tables.models import ChangeKind, Match
from tables.play.seat_view import View
from tables.texts import replay_texts

# Events around the game, which a replay leaves out.
_OF_THE_TABLE = frozenset({"match_started", "settled"})
_NOT_OF_THE_GAME = frozenset({ChangeKind.SEATING, ChangeKind.POSTPONED})
# Parts of a seat's own view that are not part of the game, such as pre-actions.
_PRE_ACTIONS = frozenset({"deferred", "last_deal", "legal"})


@dataclass(frozen=True, slots=True)
class _Row:
    version: int | None
    kind: str
    at_ms: int
    events: Sequence[Mapping[str, Any]]
    patch: Mapping[str, Any]
    private: Mapping[str, View]

    @property
    def is_dealing(self) -> bool:
        return any(event["kind"] == DEAL_BEGINS for event in self.events)

    def list_game_events(self) -> list[Mapping[str, Any]]:
        if self.kind in _NOT_OF_THE_GAME:
            return []
        return [event for event in self.events if event["kind"] not in _OF_THE_TABLE]


@dataclass(slots=True)
class _Step:
    """The effect of one step on the public view and on each seat's private view."""

    at: int = 0
    events: list[Mapping[str, Any]] = field(default_factory=list)
    game: View = field(default_factory=dict)
    hands: dict[str, View] = field(default_factory=dict)

    def add(self, row: _Row) -> None:
        self.at, self.events = row.at_ms, row.list_game_events()
        self.game |= row.patch.get("game") or {}
        for seat, view in row.private.items():
            known = {key: value for key, value in view.items() if key not in _PRE_ACTIONS}
            self.hands[seat] = {**self.hands.get(seat, {}), **known}


def replay_context(match: Match, *, number: int, user_id: int | None) -> dict[str, Any] | None:
    """Return the context of history/_replay.html, which first shows the deal from this player's seat.

    Return None while the deal is being played, or if the game has no page.
    """
    moves = build_replay(match, number=number)
    if moves is None or not has_page(match.table.game):
        return None
    seats = sorted(moves["hands"])
    own = "" if user_id is None else str(find_seat(match, user_id))
    first = own if own in seats else seats[0]
    return {
        "match": match,
        "deal": number,
        "game_templates": f"games/{match.table.game}",
        "seats": [(seat, show_name(match.players[seat]["name"]), seat == first) for seat in seats],
        "replay": moves,
        "texts": replay_texts(match.table.game),
    }


def build_replay(match: Match, *, number: int) -> View | None:
    """Return everything that a replay's page shows, or None while the deal is being played.

    `state` is the snapshot after dealing, and `hands` are the seats' private views at that moment. Each of `steps` has
    the time in milliseconds, the events, and the changes of the public view and of the private views.
    """
    if number not in list_ended_deals(match):
        return None
    start, steps = _start_and_steps(match, number)
    order = [str(seat) for seat in start.game["order"]]
    return {
        "match": match.pk,
        "deal": number,
        "at": start.at,
        "events": start.events,
        "state": {
            "table": _table_view(match),
            "seats": _seats_view(match),
            "game": start.game,
            "rules": match.rules,
            "you": {"seat": None, **get_game(match.table.game).view.nothing_private},
        },
        "hands": {seat: start.hands[seat] for seat in order},
        "steps": [
            {
                "at": step.at,
                "events": step.events,
                "game": step.game,
                "hands": {seat: step.hands[seat] for seat in order if seat in step.hands},
            }
            for step in steps
        ],
    }


def build_last_view(match: Match, *, number: int) -> View:
    """Return the game's public view at the end of a finished deal."""
    start, steps = _start_and_steps(match, number)
    view = dict(start.game)
    for step in steps:
        view |= step.game
    return view


def _start_and_steps(match: Match, number: int) -> tuple[_Step, list[_Step]]:
    start, steps = _Step(), []
    # An arrangement that was not announced appears with the next step.
    silent: list[_Row] = []
    for deal, row in _count_rows(_read_rows(match)):
        if deal > number:
            break
        if deal < number or row.is_dealing:
            start.add(row)
        elif row.version is None:
            silent.append(row)
        else:
            step = _Step()
            for known in (*silent, row):
                step.add(known)
            steps.append(step)
            silent = []
    return start, steps


def _count_rows(rows: Iterator[_Row]) -> Iterator[tuple[int, _Row]]:
    """Yield each row with the number of its deal."""
    deal = 0
    for row in rows:
        deal += row.is_dealing
        yield deal, row


def _read_rows(match: Match) -> Iterator[_Row]:
    return (
        _Row(change.version, change.kind, change.at_ms, change.events, change.patch, change.private)
        for change in read_changes(match)
    )


def _table_view(match: Match) -> View:
    """Return the parts of the table's view that concern the cards; stakes are left out."""
    table = match.table
    return {
        "name": table.name,
        "title": format_match_title(match),
        "game": table.game,
        "format": match.format,
        "stake": get_format(table.game, match.format).stake,
        "event_url": table.event_url,
        "settlement": None,
    }


def _seats_view(match: Match) -> list[View]:
    faces = find_faces(match)
    return [
        {"seat": number, "player": _describe_player(match.players.get(str(number)), faces)}
        for number in range(max(match.table.max_seats, 1 + max(map(int, match.players), default=0)))
    ]


def _describe_player(player: Mapping[str, Any] | None, faces: Mapping[int, str]) -> View | None:
    if player is None:
        return None
    face = faces.get(player["user"], "")
    return {"name": player["name"], "bot": player["bot"], "face": face}


@transaction.atomic
def share_match(*, match_id: int, user_id: int) -> MatchLink | None:
    """Return this player's link to the match, and create it if necessary. Return None if they did not play in it."""
    if not Match.objects.filter(pk=match_id, participants__contains=[user_id]).exists():
        return None
    link, _is_new = MatchLink.objects.get_or_create(
        match_id=match_id,
        made_by_id=user_id,
        defaults={"token": secrets.token_urlsafe(TOKEN_BYTES)},
    )
    return link


def withdraw_link(*, match_id: int, user_id: int) -> None:
    """Withdraw this player's link permanently. A link that they create later is a different one."""
    MatchLink.objects.filter(match_id=match_id, made_by_id=user_id).delete()
