"""A practice bot's move: chosen from its seat's view, played like anybody's."""

import random
import secrets
from typing import TYPE_CHECKING, Any, cast

from tables.games.registry import get_game
from tables.locks import LockedTable, Step
from tables.models import ChangeKind, Table
from tables.positions import position_of
from tables.services.steps import Cause, take_step

if TYPE_CHECKING:
    from tables.games.base import Strength


def play_bot(table: LockedTable) -> Step | None:
    """Let one bot that the match waits for make its move; None if it waits for none."""
    if table.state is None:
        return None
    game = get_game(table.game)
    position = position_of(game, table.state)
    state = position.state
    waiting = [seat for seat in game.acting(state) if seat in table.bot_seats]
    if not waiting:
        return None
    seat = waiting[0]
    strength, rules = Table.objects.values_list("bot_strength", "rules").get(pk=table.id)
    view: dict[str, Any] = {
        "public": position.public,
        "you": position.private[str(seat)],
        "rules": rules,
    }
    rng = random.Random(secrets.randbits(64))  # noqa: S311 - a bot's whim, seeded from the system
    move = game.parse_move(game.choose(view, seat, strength=cast("Strength", strength), rng=rng))
    after, events = game.play(state, seat, move, now=table.now, seed=table.next_seed)
    return take_step(
        table, position, after, events, Cause(ChangeKind.MOVE, seat, game.move_json(move))
    )
