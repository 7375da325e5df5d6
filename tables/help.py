"""Help that a table may give a player with his own hand; nothing is changed here."""

from typing import Any

from tables.games.base import JSON, IllegalMove
from tables.games.registry import get_game
from tables.models import Seat, Table, TableStatus
from tables.refusals import HelpNotOffered, NoMatch, NotSeated, Refusal, TableNotFound


def best_arrangement(*, table_id: int, user_id: int | None, rev: int) -> dict[str, JSON]:
    """The `arrange` move that lays this player's hand out at its least count, as on the wire.

    Raises TableNotFound, NotSeated, NoMatch, HelpNotOffered, or a Refusal with the game's code.
    """
    table, seat = _place(table_id, user_id)
    if not table.helps_to_arrange:
        raise HelpNotOffered
    game = get_game(table.game)
    try:
        return game.move_json(game.best_arrangement(_state(table), seat, rev=rev))
    except IllegalMove as illegal:
        raise Refusal(illegal.message, code=illegal.code) from illegal


def verdict(*, table_id: int, user_id: int | None, groups: object) -> dict[str, JSON]:
    """How this player's groups would be judged if he declared them now.

    `valid`, `kinds`, `reason`, `failed_group`, and the `points` that the declaration would cost.
    Refuses as `best_arrangement` does.
    """
    table, seat = _place(table_id, user_id)
    if not table.helps_to_declare:
        raise HelpNotOffered
    try:
        return get_game(table.game).verdict(_state(table), seat, groups)
    except IllegalMove as illegal:
        raise Refusal(illegal.message, code=illegal.code) from illegal


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
    return get_game(table.game).load(bytes(table.state))
