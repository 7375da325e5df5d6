"""A move's or a deadline's result: stored, and settled if it ends the match."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from uuid import UUID

from django.db.models.functions import Now

from games.engine.base import JSON, Instant
from games.engine.core import Outcome
from games.engine.guard import GameFault
from games.registry import get_game
from tables.models import ChangeKind, Table
from tables.play.delays import BOT_MOVE_PAUSE, OFFER_PAUSE, pause_within
from tables.play.fairness import commitment
from tables.play.finishing import finish_match
from tables.play.locks import CommittedChange, LockedTable, save_change
from tables.play.overtime import hastened
from tables.play.pot import pot_view
from tables.play.seat_view import View, difference, is_open
from tables.play.seeds import use_seed
from tables.play.settlement import charge_rejoins
from tables.play.state_cache import Position, new_position


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a game's state changes; `patch` is what changes of the table with it."""

    kind: ChangeKind
    seat: int | None = None
    move: Mapping[str, JSON] | None = None
    move_id: UUID | None = None
    patch: View = field(default_factory=dict)


def take_step(
    table: LockedTable, position: Position, outcome: Outcome, cause: Cause
) -> CommittedChange:
    """Store the outcome of a move or a deadline. Returns the change that the table is told.

    Order: shorten times (R10.4b), charge fees, plan offers, take the seed of a new deal, tell the
    pot, end pre-actions, number the change, set the deadline, settle, save. Must run under
    `lock_table`.
    """
    game, before = get_game(table.game), position.status
    outcome = hastened(table, game, outcome)
    after, has_new_deal = outcome.status, outcome.status.deals > before.deals
    change = _change(table, position, new_position(game, table.id, outcome), outcome, cause)

    if after.fees != before.fees:
        charge_rejoins(table, before.fees, after.fees)
    if after.proposes and not before.proposes:
        ask_after(table, OFFER_PAUSE)
    if has_new_deal:
        use_seed(table, number=after.deals)
        change = change.telling({"table": {"commitment": commitment(table.next_seed)}})
    if (after.fees, after.shares_offered) != (before.fees, before.shares_offered):
        change = change.telling({"table": pot_view(Table.objects.get(pk=table.id), after)})
    is_over = has_new_deal or after.result is not None
    change = _end_pre_actions(table, change, is_over=is_over)
    change = _number(table, change, acts_anew=after.acting != before.acting, acting=after.acting)
    set_game_deadline(table, after.deadline, must_change=cause.kind is ChangeKind.EXPIRY)
    if after.result is not None and before.result is None:
        change = finish_match(table, change, after.result, after.fees)
    save_change(table, change)
    return change


def _change(
    table: LockedTable, position: Position, reached: Position, outcome: Outcome, cause: Cause
) -> CommittedChange:
    changed = difference(position.public, reached.public)
    private = _private_changes(position.private, reached.private)
    open_moves = get_game(table.game).core.public_kinds
    table.state = reached.stored
    return CommittedChange(
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
    )


def _end_pre_actions(
    table: LockedTable, change: CommittedChange, *, is_over: bool
) -> CommittedChange:
    """End a seat's pre-action with its own move, and all of them with the deal."""
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
    table: LockedTable, change: CommittedChange, *, acts_anew: bool, acting: Sequence[int]
) -> CommittedChange:
    """Give a visible change its version, and wake the bots.

    An answer that nobody is told of wakes the next bot that is asked; an arrangement wakes none.
    """
    is_told = bool(change.events or change.patch)
    if is_told or acts_anew:
        wake_bots(table, acting)
    return replace(change, version=table.next_version()) if is_told else change


def set_game_deadline(
    table: LockedTable, deadline: Instant | None, *, must_change: bool = True
) -> None:
    """Raise GameFault for one that has passed: the clock would act on it again and again."""
    is_new = must_change or deadline != table.deadline
    if is_new and deadline is not None and deadline <= table.now:
        raise GameFault(f"{table.game}: the next deadline has passed already")
    table.set_deadline(deadline)


def ask_after(table: LockedTable, pause_ms: int) -> None:
    """Let the tick of tables/play/offers.py ask what the table may ask by itself."""
    due = Now() + timedelta(milliseconds=pause_ms)
    Table.objects.filter(pk=table.id).update(offer_at=due)


def defer_move(table: LockedTable, seat: int, move: Mapping[str, JSON] | None) -> None:
    """Note what this seat plays as soon as it may; None: nothing any more."""
    others = {other: kept for other, kept in table.deferred_moves.items() if other != str(seat)}
    table.deferred_moves = others if move is None else {**others, str(seat): dict(move)}
    Table.objects.filter(pk=table.id).update(deferred_moves=table.deferred_moves)


def forget_deferred_moves(table: LockedTable) -> None:
    """The match that they belong to is over."""
    table.deferred_moves = {}
    Table.objects.filter(pk=table.id).update(deferred_moves={})


def wake_bots(table: LockedTable, acting: Sequence[int]) -> None:
    """Set the time at which a bot that the match waits for makes its move, or a deferred move comes."""
    waits = any(seat in table.bot_seats or str(seat) in table.deferred_moves for seat in acting)
    # Where no person sits bots take no time.
    pause = 0 if table.is_of_bots else pause_within(BOT_MOVE_PAUSE)
    table.bot_due = table.now + pause if waits else None


def _private_changes(before: Mapping[str, View], after: Mapping[str, View]) -> dict[str, View]:
    changes = {seat: difference(before.get(seat, {}), view) for seat, view in after.items()}
    return {seat: change for seat, change in changes.items() if change}
