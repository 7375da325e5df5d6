"""Moves that the clock makes for a seat.

A practice bot's, chosen from its seat's view, and the one that a player asked for beforehand.
"""

import random
import secrets
from typing import TYPE_CHECKING, Any, Final, cast

from games.registry import get_game
from tables.models import ChangeKind, Match, MatchStatus, Table
from tables.play.locks import CommittedChange, LockedTable
from tables.play.pre_actions import forget_deferred
from tables.play.state_cache import Position, position_of
from tables.play.steps import Cause, take_step

if TYPE_CHECKING:
    from games.engine.base import Strength

# The strength of the bot at a chosen first deal; from the second one on it plays as an easy one.
WAITING: Final = "waiting"


def play_for_seat(table: LockedTable) -> CommittedChange | None:
    """Make one move of a bot, or one that was asked for beforehand; None if nobody of them acts."""
    if table.state is None:
        return None
    game = get_game(table.game)
    position = position_of(game, table.id, table.state)
    acting = position.status.acting
    deferring = [seat for seat in acting if str(seat) in table.deferred_moves]
    if deferring:
        return _play_deferred(table, position, deferring[0])
    bots = [seat for seat in acting if seat in table.bot_seats]
    return _play_bot(table, position, bots[0]) if bots else None


def _is_past_the_chosen_deal(table: LockedTable) -> bool:
    return Match.objects.filter(table=table.id, status=MatchStatus.FINISHED).exists()


def _play_deferred(table: LockedTable, position: Position, seat: int) -> CommittedChange:
    """The player's pre-action, unless it is not legal by now: then it is over."""
    game = get_game(table.game)
    move = game.wire.read(table.deferred_moves[str(seat)])
    if move not in game.core.legal(position.state, seat):
        return forget_deferred(table, seat, acting=position.status.acting)
    outcome = game.core.play(position.state, seat, move, now=table.now, seed=table.deal_seed)
    cause = Cause(ChangeKind.MOVE, seat, game.wire.write(move))
    return take_step(table, position, outcome, cause)


def _play_bot(table: LockedTable, position: Position, seat: int) -> CommittedChange:
    game, state = get_game(table.game), position.state
    strength, rules = Table.objects.values_list("bot_strength", "rules").get(pk=table.id)
    if strength == WAITING and _is_past_the_chosen_deal(table):
        strength = "easy"
    view: dict[str, Any] = {
        "public": position.public,
        "you": position.private[str(seat)],
        "rules": rules,
    }
    rng = random.Random(secrets.randbits(64))  # noqa: S311 - a bot's whim, seeded from the system
    move = game.wire.read(game.bots(view, seat, strength=cast("Strength", strength), rng=rng))
    outcome = game.core.play(state, seat, move, now=table.now, seed=table.deal_seed)
    cause = Cause(ChangeKind.MOVE, seat, game.wire.write(move))
    return take_step(table, position, outcome, cause)
