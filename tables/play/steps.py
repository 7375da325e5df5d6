"""A move's or a deadline's result: stored, and settled if it ends the match."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models.functions import Now

from tables.games.base import JSON, Event, Game, Instant
from tables.games.guard import GameFault
from tables.games.registry import get_game
from tables.models import ChangeKind, Table
from tables.play.delays import BOT_MOVE_PAUSE, OFFER_PAUSE, pause_within
from tables.play.fairness import commitment
from tables.play.finishing import finish_match
from tables.play.locks import CommittedChange, LockedTable, save_change
from tables.play.overtime import hastened
from tables.play.pot import has_changed, pot_view
from tables.play.seat_view import View, difference, is_open
from tables.play.seeds import use_seed
from tables.play.settlement import charge_rejoins
from tables.play.state_cache import Position, new_position

AnyGame = Game[Any, Any, Any]


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
) -> CommittedChange:
    """Store a move's or a deadline's result; returns the change that the table is told.

    Order: shorten times (R10.4b), store the state, charge fees, plan offers, take the seed of a new
    deal, tell the pot, end pre-actions, number the change, set the deadline, settle, save. Must run
    under `lock_table`.
    """
    game, before = get_game(table.game), position.state
    after, events = hastened(table, game, after, events)
    change = _store_state(table, position, new_position(game, table.id, after), events, cause)
    _charge_fees(table, game, before, after)
    _have_offers_asked(table, game, before, after)
    change = _take_seed_of_new_deal(table, game, before, after, change)
    change = _tell_pot(table, game, before, after, change)
    change = _end_pre_actions(table, game, before, after, change)
    change = _number(table, game, before, after, change)
    set_game_deadline(table, game.deadline(after), must_change=cause.kind is ChangeKind.EXPIRY)
    change = _settle(table, game, before, after, change)
    save_change(table, change)
    return change


def _store_state(
    table: LockedTable,
    position: Position,
    reached: Position,
    events: Sequence[Event],
    cause: Cause,
) -> CommittedChange:
    changed = difference(position.public, reached.public)
    private = _private_changes(position.private, reached.private)
    open_moves = get_game(table.game).open_moves
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
        events=[event.json() for event in events],
        patch={**cause.patch, "game": changed} if changed else cause.patch,
        private=private,
        open_seats=frozenset(seat for seat, part in private.items() if is_open(part, open_moves)),
    )


def _charge_fees(table: LockedTable, game: AnyGame, before: Any, after: Any) -> None:
    charged, due = game.fees_charged(before), game.fees_charged(after)
    if due != charged:
        charge_rejoins(table, charged, due)


def _have_offers_asked(table: LockedTable, game: AnyGame, before: Any, after: Any) -> None:
    if game.propose(after, now=table.now) and not game.propose(before, now=table.now):
        ask_after(table, OFFER_PAUSE)


def _take_seed_of_new_deal(
    table: LockedTable, game: AnyGame, before: Any, after: Any, change: CommittedChange
) -> CommittedChange:
    """The seed of the deal that begins is used up, and the next one's promise told."""
    if game.deals(after) <= game.deals(before):
        return change
    use_seed(table, number=game.deals(after))
    return change.telling({"table": {"commitment": commitment(table.next_seed)}})


def _tell_pot(
    table: LockedTable, game: AnyGame, before: Any, after: Any, change: CommittedChange
) -> CommittedChange:
    if not has_changed(game, before, after):
        return change
    return change.telling({"table": pot_view(Table.objects.get(pk=table.id), game, after)})


def _end_pre_actions(
    table: LockedTable, game: AnyGame, before: Any, after: Any, change: CommittedChange
) -> CommittedChange:
    """They end with the deal, and one's own with one's own move."""
    if not (table.deferred_moves and change.events):
        return change
    is_over = game.deals(after) > game.deals(before) or game.result(after) is not None
    ended = [seat for seat in table.deferred_moves if is_over or seat == str(change.seat)]
    if not ended:
        return change
    for seat in ended:
        defer_move(table, int(seat), None)
    private = dict(change.private)
    for seat in ended:
        private[seat] = {**private.get(seat, {}), "deferred": None}
    return replace(change, private=private, open_seats=change.open_seats - set(ended))


def _number(
    table: LockedTable, game: AnyGame, before: Any, after: Any, change: CommittedChange
) -> CommittedChange:
    """What the others can see gets a version, and wakes the bots.

    An answer that nobody is told of wakes the next bot that is asked; an arrangement wakes nobody.
    """
    if not (change.events or change.patch):
        if game.acting(after) != game.acting(before):
            wake_bots(table, game.acting(after))
        return change
    wake_bots(table, game.acting(after))
    return replace(change, version=table.next_version())


def _settle(
    table: LockedTable, game: AnyGame, before: Any, after: Any, change: CommittedChange
) -> CommittedChange:
    result = game.result(after)
    if result is None or game.result(before) is not None:
        return change
    return finish_match(table, change, result, game.fees_charged(after))


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
