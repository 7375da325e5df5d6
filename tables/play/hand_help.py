"""Help that a table may give players with their own hands; nothing is changed here."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from games.engine.base import JSON, Help, IllegalMove
from games.engine.guard import GameFault
from games.registry import get_game
from tables.models import Seat, Table, TableStatus
from tables.refusals import (
    HelpFailed,
    HelpNotOffered,
    NoMatch,
    NotSeated,
    Refusal,
    TableNotFound,
    TableOutOfOrder,
)

logger = logging.getLogger(__name__)


def answer(*, table_id: int, user_id: int | None, question: Mapping[str, JSON]) -> dict[str, JSON]:
    """Answer a player's question about their own hand: `{"kind": ..., ...}`.

    Raises TableNotFound, NotSeated, NoMatch, HelpNotOffered, or a Refusal with the game's code.
    """
    table, seat = _place(table_id, user_id)
    help_offered = get_game(table.game).hand_help
    if help_offered is None:
        raise HelpNotOffered
    needed = help_offered.questions.get(str(question.get("kind")))
    if needed is None or not _offers(table, needed):
        raise HelpNotOffered
    with _as_refusals(table):
        return help_offered.answer(_state(table), seat, question)


def _offers(table: Table, needed: Help) -> bool:
    return table.helps_to_arrange if needed == "arrangement" else table.helps_to_declare


@contextmanager
def _as_refusals(table: Table) -> Iterator[None]:
    """A game that fails at a question has changed nothing: the table stays in order."""
    try:
        yield
    except IllegalMove as illegal:
        raise Refusal(illegal.message, code=illegal.code) from illegal
    except GameFault as fault:
        logger.exception("table %s: a question of a player failed", table.pk)
        raise HelpFailed from fault


def _place(table_id: int, user_id: int | None) -> tuple[Table, int]:
    table = Table.objects.filter(pk=table_id).first()
    if table is None:
        raise TableNotFound
    sittings = Seat.objects.filter(table=table, left_at__isnull=True)
    seat = None if user_id is None else sittings.filter(user_id=user_id).first()
    if seat is None:
        raise NotSeated
    return table, seat.number


def _state(table: Table) -> Any:
    if table.state is None or table.status != TableStatus.PLAYING:
        raise NoMatch
    if table.broken_at is not None:
        raise TableOutOfOrder
    return get_game(table.game).stored.load(bytes(table.state))
