"""Help that a table may give players with their own hands; nothing is changed here."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tables.games.base import JSON, IllegalMove
from tables.games.guard import GameFault
from tables.games.registry import get_game
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


def best_arrangement(*, table_id: int, user_id: int | None, rev: int) -> dict[str, JSON]:
    """The `arrange` move that lays this player's hand out at its least count, as on the wire.

    Raises TableNotFound, NotSeated, NoMatch, HelpNotOffered, or a Refusal with the game's code.
    """
    table, seat = _place(table_id, user_id)
    if not table.helps_to_arrange:
        raise HelpNotOffered
    game = get_game(table.game)
    with _as_refusals(table):
        return game.move_json(game.best_arrangement(_state(table), seat, rev=rev))


def verdict(*, table_id: int, user_id: int | None, groups: object) -> dict[str, JSON]:
    """How this player's groups would be judged if they were declared now.

    `valid`, `kinds`, `reason`, `failed_group`, and the `points` that the declaration would cost.
    Refuses as `best_arrangement` does.
    """
    table, seat = _place(table_id, user_id)
    if not table.helps_to_declare:
        raise HelpNotOffered
    with _as_refusals(table):
        return get_game(table.game).verdict(_state(table), seat, groups)


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
    return get_game(table.game).load(bytes(table.state))
