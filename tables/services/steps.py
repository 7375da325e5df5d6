"""One step of a match: stored, and settled if it is the last, in the caller's transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models.functions import Now

from tables.fairness import commitment
from tables.games.base import JSON, Event, Instant
from tables.games.guard import GameFault
from tables.games.registry import get_game
from tables.locks import LockedTable, Step, save_step
from tables.models import ChangeKind, Table
from tables.positions import Position, new_position
from tables.seat_view import View, difference
from tables.services.finishing import finish_match
from tables.services.pauses import BOT_MOVE_PAUSE, OFFER_PAUSE, pause_within
from tables.services.seeds import use_seed
from tables.services.settlement import charge_rejoins


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a game's state changes; `patch` is what changes of the table with it."""

    kind: ChangeKind
    seat: int | None = None
    move: Mapping[str, JSON] | None = None
    move_id: UUID | None = None
    patch: View = field(default_factory=dict)


def take_step(
    table: LockedTable, position: Position, after: Any, events: Sequence[Event], cause: Cause
) -> Step:
    """Store what a game made of a move or a deadline; returns what the table is told."""
    game = get_game(table.game)
    before, new_one = position.state, new_position(game, table.id, after)
    changed = difference(position.public, new_one.public)
    step = Step(
        table_id=table.id,
        version=None,
        kind=cause.kind,
        at=table.now,
        seat=cause.seat,
        move=cause.move,
        move_id=cause.move_id,
        match_id=table.match_id,
        events=[event.json() for event in events],
        patch={**cause.patch, "game": changed} if changed else cause.patch,
        private=_private_changes(position.private, new_one.private),
    )
    table.state = new_one.stored
    if game.entries(after) != game.entries(before):
        charge_rejoins(table, game.entries(before), game.entries(after))
    if game.propose(after, now=table.now) and not game.propose(before, now=table.now):
        ask_after(table, OFFER_PAUSE)
    result = game.result(after)
    is_new_deal = game.deals(after) > game.deals(before)
    if is_new_deal:
        use_seed(table, number=game.deals(after))
        promise = {"commitment": commitment(table.next_seed)}
        step = replace(step, patch={**step.patch, "table": promise})
    if table.drop_seats and step.events:
        step = _without_wishes(table, step, everybody=is_new_deal or result is not None)
    if step.events or step.patch:
        step = replace(step, version=table.next_version())
        wake_bots(table, game.acting(after))
    set_game_deadline(table, game.deadline(after), must_change=cause.kind is ChangeKind.EXPIRY)
    if result is not None and game.result(before) is None:
        step = finish_match(table, step, result, game.entries(after))
    save_step(table, step)
    return step


def set_game_deadline(
    table: LockedTable, deadline: Instant | None, *, must_change: bool = True
) -> None:
    """Raise GameFault for one that has passed: the clock would act on it again and again."""
    is_new = must_change or deadline != table.deadline
    if is_new and deadline is not None and deadline <= table.now:
        raise GameFault(f"{table.game}: the next deadline has passed already")
    table.set_deadline(deadline)


def ask_after(table: LockedTable, pause_ms: int) -> None:
    """Let the tick of tables/services/offers.py ask what the table may ask by itself."""
    due = Now() + timedelta(milliseconds=pause_ms)
    Table.objects.filter(pk=table.id).update(offer_at=due)


def set_drop_seats(table: LockedTable, seats: Sequence[int]) -> None:
    """Note who drops as soon as it is his turn."""
    table.drop_seats = sorted(seats)
    Table.objects.filter(pk=table.id).update(drop_seats=table.drop_seats)


def _without_wishes(table: LockedTable, step: Step, *, everybody: bool) -> Step:
    """Wishes to drop end with the deal, and one's own with one's own move."""
    ended = [seat for seat in table.drop_seats if everybody or seat == step.seat]
    if not ended:
        return step
    set_drop_seats(table, [seat for seat in table.drop_seats if seat not in ended])
    private = dict(step.private)
    for seat in ended:
        private[str(seat)] = {**private.get(str(seat), {}), "auto_drop": False}
    return replace(step, private=private)


def wake_bots(table: LockedTable, acting: Sequence[int]) -> None:
    """Set the time at which a bot that the match waits for makes its move, or a player drops who
    wished to."""
    waits = any(seat in table.bot_seats or seat in table.drop_seats for seat in acting)
    table.bot_due = table.now + pause_within(BOT_MOVE_PAUSE) if waits else None


def _private_changes(before: Mapping[str, View], after: Mapping[str, View]) -> dict[str, View]:
    changes = {seat: difference(before.get(seat, {}), view) for seat, view in after.items()}
    return {seat: change for seat, change in changes.items() if change}
