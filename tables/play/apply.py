"""The consequences of a move or an expired deadline, in their fixed order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models.functions import Now
from msgspec.structs import replace as replace_fields

from games.engine.base import JSON, TIMES, Instant
from games.engine.core import GameStatus, Outcome
from games.engine.game import Game, GameFault, Overtime
from games.engine.moves import Event
from games.registry import get_game
from tables.models import ChangeKind, Table
from tables.play.change import TableChange, save_change
from tables.play.finish import finish_match
from tables.play.lock import LockedTable
from tables.play.seat_view import Position, View, cache_position, compute_difference, is_open
from tables.play.seats import PRESS_WAIT, is_alone, pause_within
from tables.play.seeds import compute_commitment, use_seed
from tables.play.stakes import charge_rejoins, pot_view

# After a deal players look at its result before they are offered to split the prize.
OFFER_PAUSE: Instant = 2_000
# Practice bots take about as long as people do, and a waiting player meets one within 3 seconds.
BOT_MOVE_PAUSE = (800, 2_500)


def hasten_table(table: LockedTable, game: Game, outcome: Outcome) -> Outcome:
    """Shorten the times of an outcome, and of the game events in it, if the table is in overtime (R10.4b).

    A tournament waits for its slowest table. In overtime, turns therefore become short, and later the deal is scored.
    The times are columns that every move reads, so no other process has to act at those times. At a table without
    people, the next deal begins at once.
    """
    state, status = outcome.state, outcome.status
    if table.is_of_bots and not status.acting and status.deadline is not None:
        hasty = game.core.hasten(state, due_by=table.now + 1, count_by=None)
        return _with(game, outcome, hasty)
    overtime = _build_overtime(table)
    if overtime is None:
        return outcome
    hasty = overtime.hasten(game, state, now=table.now)
    if hasty is state:
        return outcome
    due_by = overtime.compute_due_by(table.now)
    events = tuple(_bring_forward(event, due_by) for event in outcome.events)
    return replace_fields(_with(game, outcome, hasty), events=events)


def _with(game: Game, outcome: Outcome, hasty: Any) -> Outcome:
    status = replace_fields(outcome.status, deadline=game.core.status(hasty).deadline)
    return replace_fields(outcome, state=hasty, status=status)


def wait_for_player(table: LockedTable, game: Game, outcome: Outcome) -> Outcome:
    """Lengthen the break after a deal for a player who is alone with bots, until they ask for the next deal.

    Return the same outcome if no such break begins.
    """
    status = outcome.status
    if status.acting or status.deadline is None or status.result is not None:
        return outcome
    if not is_alone(table.id):
        return outcome
    by_ms = table.now + PRESS_WAIT - status.deadline
    return _with(game, outcome, game.core.postpone(outcome.state, by_ms=by_ms))


def _record_wait(table: LockedTable, change: TableChange, *, waits: bool) -> TableChange:
    """Store whether the next deal waits until the player asks for it. If that has changed, announce it."""
    others = Table.objects.filter(pk=table.id).exclude(awaits_press=waits)
    return (
        change.with_patch({"table": {"awaits_press": waits}})
        if others.update(awaits_press=waits)
        else change
    )


def _build_overtime(table: LockedTable) -> Overtime | None:
    if table.overtime_at is None or table.count_at is None:
        return None
    return Overtime(table.overtime_at, (table.overtime_turn_seconds or 0) * 1000, table.count_at)


def _bring_forward(event: Event, due_by: Instant) -> Event:
    due_at = event.data.get("due_at")
    if event.kind not in TIMES or not isinstance(due_at, int) or due_at <= due_by:
        return event
    return replace_fields(event, data={**event.data, "due_at": due_by})


@dataclass(frozen=True, slots=True)
class Cause:
    """The cause of a new state of the game. `patch` is a change of the table that accompanies it.

    `is_draft`: the player saves an arrangement of their hand.
    """

    kind: ChangeKind
    seat: int | None = None
    move: Mapping[str, JSON] | None = None
    move_id: UUID | None = None
    patch: View = field(default_factory=dict)
    is_draft: bool = False


def take_step(
    table: LockedTable, position: Position, outcome: Outcome, cause: Cause
) -> TableChange:
    """Store the outcome of a move or a deadline. Return the change to announce.

    The order is: shorten times (R10.4b) or wait for a player who is alone with bots, charge fees, schedule split
    offers, use the seed of a new deal, announce the pot, end pre-actions, number the change, set the deadline, settle
    the match, save. The table must be locked, or the step must be plain (`is_plain`).
    """
    game, before = get_game(table.game), position.status
    hastened = hasten_table(table, game, outcome)
    outcome = wait_for_player(table, game, hastened)
    after, has_new_deal = outcome.status, outcome.status.deals > before.deals
    change = _describe(table, position, cache_position(game, table.id, outcome), outcome, cause)

    if after.fees != before.fees:
        charge_rejoins(table, before.fees, after.fees)
    if after.offers_split and not before.offers_split:
        schedule_split_offer(table, OFFER_PAUSE)
    if has_new_deal:
        use_seed(table, number=after.deals)
        change = change.with_patch({"table": {"commitment": compute_commitment(table.next_seed)}})
    if (after.fees, after.shares_offered) != (before.fees, before.shares_offered):
        change = change.with_patch({"table": pot_view(Table.objects.get(pk=table.id), after)})
    is_over = has_new_deal or after.result is not None
    if is_over or outcome is not hastened:
        change = _record_wait(table, change, waits=outcome is not hastened)
    change = _end_pre_actions(table, change, is_over=is_over)
    change = _number(table, change, acts_anew=after.acting != before.acting, acting=after.acting)
    set_game_deadline(table, after.deadline, must_change=cause.kind is ChangeKind.EXPIRY)
    if after.result is not None and before.result is None:
        change = finish_match(table, change, after.result, after.fees)
    save_change(table, change)
    return change


def is_plain(table: LockedTable, before: GameStatus, after: GameStatus) -> bool:
    """Return whether `take_step` stores only the change, because the deal continues and no money moves."""
    is_same = (before.deals, before.fees, before.shares_offered, before.offers_split) == (
        after.deals,
        after.fees,
        after.shares_offered,
        after.offers_split,
    )
    return is_same and bool(after.acting) and after.result is None and not table.deferred_moves


def _describe(
    table: LockedTable, position: Position, reached: Position, outcome: Outcome, cause: Cause
) -> TableChange:
    changed = compute_difference(position.public, reached.public)
    private = _compute_private_changes(position.private, reached.private)
    open_moves = get_game(table.game).core.public_kinds
    table.state = reached.stored
    return TableChange(
        table_id=table.id,
        version=None,
        kind=cause.kind,
        at=table.now,
        seat=cause.seat,
        move=cause.move,
        move_id=cause.move_id,
        match_id=table.match_id,
        events=[event.json() for event in outcome.events],
        patch={**cause.patch, "game": changed} if changed else cause.patch,
        private=private,
        open_seats=frozenset(seat for seat, part in private.items() if is_open(part, open_moves)),
        is_draft=cause.is_draft,
    )


def _end_pre_actions(table: LockedTable, change: TableChange, *, is_over: bool) -> TableChange:
    """Clear the deferred move of the seat that has moved; with `is_over`, those of all seats."""
    seats = [seat for seat in table.deferred_moves if is_over or seat == str(change.seat)]
    if not (seats and change.events):
        return change
    for seat in seats:
        defer_move(table, int(seat), None)
    private = dict(change.private)
    for seat in seats:
        private[seat] = {**private.get(seat, {}), "deferred": None}
    return replace(change, private=private, open_seats=change.open_seats - set(seats))


def _number(
    table: LockedTable, change: TableChange, *, acts_anew: bool, acting: Sequence[int]
) -> TableChange:
    """Give a change its version if other players see it, and set the time of the next bot's move.

    A secret answer gets no version, but it sets that time if other seats are to act now. An arrangement of a hand gets
    no version and sets no time.
    """
    is_told = bool(change.events or change.patch)
    if is_told or acts_anew:
        wake_bots(table, acting)
    return replace(change, version=table.advance_version()) if is_told else change


def set_game_deadline(
    table: LockedTable, deadline: Instant | None, *, must_change: bool = True
) -> None:
    """Set the match's deadline.

    Raises GameFault if a new one has already passed: the clock would act on it endlessly.
    """
    is_new = must_change or deadline != table.deadline
    if is_new and deadline is not None and deadline <= table.now:
        raise GameFault(f"{table.game}: the next deadline has passed already")
    table.set_deadline(deadline)


def schedule_split_offer(table: LockedTable, pause_ms: int) -> None:
    """Schedule the offer to split the pot after this pause (tables/play/split_offers.py)."""
    due = Now() + timedelta(milliseconds=pause_ms)
    Table.objects.filter(pk=table.id).update(split_offer_at=due)


def defer_move(table: LockedTable, seat: int, move: Mapping[str, JSON] | None) -> None:
    """Store the move that this seat plays as soon as it is legal. None clears it."""
    others = {other: kept for other, kept in table.deferred_moves.items() if other != str(seat)}
    table.deferred_moves = others if move is None else {**others, str(seat): dict(move)}
    Table.objects.filter(pk=table.id).update(deferred_moves=table.deferred_moves)


def forget_deferred_moves(table: LockedTable) -> None:
    """Clear all deferred moves: their match is over."""
    table.deferred_moves = {}
    Table.objects.filter(pk=table.id).update(deferred_moves={})


def wake_bots(table: LockedTable, acting: Sequence[int]) -> None:
    """Set the time of the next bot's move or deferred move, if the match waits for one."""
    if any(seat in table.bot_seats or str(seat) in table.deferred_moves for seat in acting):
        # At a table without people bots move at once.
        pause = 0 if table.is_of_bots else pause_within(BOT_MOVE_PAUSE)
        table.bot_due = table.now + pause
    else:
        table.bot_due = None


def _compute_private_changes(
    before: Mapping[str, View], after: Mapping[str, View]
) -> dict[str, View]:
    changes = {seat: compute_difference(before.get(seat, {}), view) for seat, view in after.items()}
    return {seat: change for seat, change in changes.items() if change}
