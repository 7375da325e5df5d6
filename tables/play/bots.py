"""Moves that the clock makes for a seat: for a practice bot, for an absent player, or as a player's pre-action.

At a free private table a bot may play for an absent player, if the host wants it. The bot sees only the seat's view,
and plays until the match ends or the player is back. The seat, its rank in the match and its result remain the
player's. Seeds and moves remain the record: a bot's move is a move of that seat, of the kind `ChangeKind.STAND_IN`. The
last player is not replaced, so at least one person always plays.
"""

import random
import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Coalesce, Now

from core.refusals import Refusal
from games.engine.base import JSON, IllegalMove, Instant, Strength
from games.registry import get_game
from tables.models import ChangeKind, Match, MatchStatus, Seat, SeatStatus, Table, TableStatus
from tables.play.apply import Cause, defer_move, take_step, wake_bots
from tables.play.change import TableChange, store_change
from tables.play.faults import move_back
from tables.play.lock import LockedTable, lock_table
from tables.play.seat_view import Position, View, list_stand_ins, load_position
from tables.play.seats import has_gone, record_bot_seats, refuse_if_barred, view_of_table
from tables.play.seeds import seed_of_next_deal
from tables.refusals import (
    BOT_PLAYS_FOR_YOU,
    NO_MATCH,
    NOT_DEFERRABLE,
    REMOVED_FROM_TABLE,
    SEATS_ARE_ARRANGED,
    TABLE_OUT_OF_ORDER,
    NotSeated,
    TableNotFound,
)


@dataclass(frozen=True, slots=True)
class PreAction:
    """A player's pre-actions. None leaves a field unchanged.

    `move` is one of `Core.list_deferrable` in wire form, for the running deal; an empty one cancels it. `last_deal`
    tells whether to leave after the running match, or after the next one if none is running.
    """

    move: Mapping[str, JSON] | None = None
    last_deal: bool | None = None


@transaction.atomic
def set_pre_action(*, table_id: int, user_id: int, wanted: PreAction) -> TableChange:
    """Store a player's pre-actions and send them to that player only. Raises a Refusal.

    A player who may no longer play cannot withdraw `last_deal`.
    """
    table = lock_table(table_id, user_id=user_id)
    if table is None:
        raise TableNotFound
    if table.seat is None:
        raise NotSeated
    view: View = {}
    if wanted.move is not None:
        view["deferred"] = _defer(table, table.seat, wanted.move)
    if wanted.last_deal is not None:
        if Table.objects.get(pk=table_id).is_of_event:
            raise Refusal(SEATS_ARE_ARRANGED)
        if not wanted.last_deal:
            refuse_if_barred(user_id)
        sitting = Seat.objects.filter(table_id=table_id, user_id=user_id, left_at=None)
        sitting.update(is_last_deal=wanted.last_deal)
        view["last_deal"] = wanted.last_deal
    return _notify(table, table.seat, view)


def forget_deferred(table: LockedTable, seat: int, *, acting: Sequence[int]) -> TableChange:
    """Clear a pre-action that can no longer be played in this deal."""
    defer_move(table, seat, None)
    wake_bots(table, acting)
    return _notify(table, seat, {"deferred": None})


def _notify(table: LockedTable, seat: int, view: View) -> TableChange:
    private = {str(seat): view}
    return store_change(table, ChangeKind.SEATING, match_id=table.match_id, private=private)


def _defer(table: LockedTable, seat: int, wanted: Mapping[str, JSON]) -> Mapping[str, JSON] | None:
    """Store a move for later. Return the move that is deferred now, or None."""
    if table.state is None or table.status is not TableStatus.PLAYING:
        raise Refusal(NO_MATCH)
    if table.is_broken:
        raise Refusal(TABLE_OUT_OF_ORDER)
    refuse_stand_in(table)
    game = get_game(table.game)
    position = load_position(game, table.id, table.state)
    deferred = dict(wanted) or None
    if deferred is not None:
        try:
            move = game.wire.read(deferred)
        except IllegalMove as illegal:
            raise Refusal(code=illegal.code, message=illegal.message) from illegal
        if move not in game.core.list_deferrable(position.state, seat):
            raise Refusal(NOT_DEFERRABLE)
    defer_move(table, seat, deferred)
    wake_bots(table, position.status.acting)
    return deferred


# Strength of the bot in the first, chosen deal of a lesson; from the second deal on it plays as an easy
# bot.
WAITING: Final = "waiting"


def play_for_seat(table: LockedTable) -> TableChange | None:
    """Make one bot's move or play one pre-action. Return None if no seat that is to act has either."""
    if table.state is None:
        return None
    game = get_game(table.game)
    position = load_position(game, table.id, table.state)
    acting = position.status.acting
    deferring = [seat for seat in acting if str(seat) in table.deferred_moves]
    if deferring:
        return _play_deferred(table, position, deferring[0])
    bots = [seat for seat in acting if seat in table.bot_seats]
    return _play_bot(table, position, bots[0]) if bots else None


def _is_past_the_chosen_deal(table: LockedTable) -> bool:
    return Match.objects.filter(table=table.id, status=MatchStatus.FINISHED).exists()


def _play_deferred(table: LockedTable, position: Position, seat: int) -> TableChange:
    """Play the pre-action, or cancel it if it has become illegal."""
    game = get_game(table.game)
    move = game.wire.read(table.deferred_moves[str(seat)])
    if move not in game.core.list_legal(position.state, seat):
        return forget_deferred(table, seat, acting=position.status.acting)
    outcome = game.core.play(
        position.state, seat, move, now=table.now, seed=seed_of_next_deal(table)
    )
    cause = Cause(ChangeKind.MOVE, seat, game.wire.write(move))
    return take_step(table, position, outcome, cause)


def _play_bot(table: LockedTable, position: Position, seat: int) -> TableChange:
    game, state = get_game(table.game), position.state
    facts = Table.objects.values_list("bot_strength", "rules", "bots_take_over")
    strength, rules, takes_over = facts.get(pk=table.id)
    if strength == WAITING and _is_past_the_chosen_deal(table):
        strength = "easy"
    view: dict[str, Any] = {
        "public": position.public,
        "you": position.private[str(seat)],
        "rules": rules,
    }
    rng = random.Random(secrets.randbits(64))  # noqa: S311 - a bot's whim, seeded from the system
    move = game.wire.read(game.bots(view, seat, strength=cast("Strength", strength), rng=rng))
    outcome = game.core.play(state, seat, move, now=table.now, seed=seed_of_next_deal(table))
    is_for_player = takes_over and is_stand_in(table.id, seat)
    kind = ChangeKind.STAND_IN if is_for_player else ChangeKind.MOVE
    return take_step(table, position, outcome, Cause(kind, seat, game.wire.write(move)))


# Time for the bot's move in the turn that a player has missed.
STAND_IN_TIME: Final[Instant] = 15_000


def may_stand_in(row: Table, sitting: Seat) -> bool:
    """Return whether a bot may play for this player in the running match.

    It may if the table allows it and another person plays the match.
    """
    return row.bots_take_over and _filter_people_playing(row).exclude(pk=sitting.pk).exists()


def stand_in_for(table: LockedTable, row: Table, sittings: Sequence[Seat]) -> TableChange:
    """Let a bot play for these players in the running match. The caller has checked that it may."""
    assert table.state is not None  # noqa: S101 - a match runs
    numbers = [sitting.number for sitting in sittings]
    held = row.sittings.filter(pk__in=[sitting.pk for sitting in sittings])
    held.update(bot_since=Coalesce("bot_since", Now()))
    for number in numbers:
        if str(number) in table.deferred_moves:
            defer_move(table, number, None)
    _record_in_match(row, numbers)
    events = [
        {"kind": "bot_took_over", "seat": sitting.number, "player": sitting.user_id}
        for sitting in sittings
    ]
    return _announce(table, row, events)


def replace_absent(table: LockedTable) -> TableChange | None:
    """Let bots play for players who are gone when their turn ends.

    Return None if there are none, or if nobody else plays the match. Then the deadline takes effect as at any table.
    """
    row = Table.objects.filter(pk=table.id, bots_take_over=True).first()
    if row is None or table.state is None:
        return None
    game = get_game(table.game)
    position = load_position(game, table.id, table.state)
    overdue = game.core.find_expiring_seat(position.state)
    playing = list(_filter_people_playing(row))
    gone = [
        sitting
        for sitting in playing
        if sitting.number in position.status.acting
        # In a slow game a missed day first counts as a missed turn.
        and (sitting.number == overdue or (not row.is_slow and has_gone(table, sitting)))
    ]
    deadline = position.status.deadline
    if not gone or len(gone) == len(playing) or deadline is None:
        return None
    move_back(table, table.now - deadline + STAND_IN_TIME)
    return stand_in_for(table, row, gone)


@transaction.atomic
def come_back(*, table_id: int, user_id: int) -> TableChange:
    """Give a seat back to its player, from the bot that plays for them.

    Raises TableNotFound, NotSeated if no bot plays for this player, or REMOVED_FROM_TABLE.
    """
    table = lock_table(table_id, user_id=user_id)
    if table is None:
        raise TableNotFound
    row = Table.objects.get(pk=table_id)
    held = row.sittings.filter(user_id=user_id, left_at__isnull=True, bot_since__isnull=False)
    sitting = held.first()
    if sitting is None:
        raise NotSeated
    if user_id in (row.removed or ()):
        raise Refusal(REMOVED_FROM_TABLE)
    held.update(bot_since=None, status=SeatStatus.PLAYING, told_of_bot=False)
    return _announce(table, row, [{"kind": "came_back", "seat": sitting.number, "player": user_id}])


def refuse_stand_in(table: LockedTable) -> None:
    """Raise BOT_PLAYS_FOR_YOU if a bot plays for the player for whom the table was locked."""
    seat = table.seat
    if seat is not None and seat in table.bot_seats and is_stand_in(table.id, seat):
        raise Refusal(BOT_PLAYS_FOR_YOU)


def is_stand_in(table_id: int, seat: int) -> bool:
    """Return whether a bot plays this seat for its player."""
    held = Seat.objects.filter(table=table_id, number=seat, left_at__isnull=True)
    return held.filter(bot_since__isnull=False).exists()


def _filter_people_playing(row: Table) -> QuerySet[Seat]:
    """Return the sittings of people who play the running match without a bot in their place."""
    return row.sittings.filter(
        left_at__isnull=True, status=SeatStatus.PLAYING, user__is_bot=False, bot_since__isnull=True
    ).order_by("number")


def _record_in_match(row: Table, numbers: Collection[int]) -> None:
    """Record in the match that a bot has played for these seats, so that the match's result shows this."""
    match = Match.objects.get(table=row, status=MatchStatus.RUNNING)
    for number in numbers:
        match.players[str(number)]["stand_in"] = True
    row.matches.filter(pk=match.pk).update(players=match.players)
    row.match = match


def _announce(table: LockedTable, row: Table, events: Sequence[dict[str, Any]]) -> TableChange:
    assert table.state is not None  # noqa: S101 - a match runs
    record_bot_seats(table, row)
    position: Position = load_position(get_game(table.game), table.id, table.state)
    wake_bots(table, position.status.acting)
    seating = view_of_table(table, row)
    told = {**seating["table"], "stand_ins": list_stand_ins(row.match)}
    return store_change(
        table,
        ChangeKind.SEATING,
        match_id=table.match_id,
        events=events,
        patch={**seating, "table": told},
    )
