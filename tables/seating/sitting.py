"""Sitting down at a table and leaving it."""

import secrets
from typing import Any

from django.db import IntegrityError, transaction

from accounts.models import User
from accounts.models.sessions import NOWHERE, Origin
from accounts.people.bots import get_practice_bots
from core.refusals import Refusal
from games.engine.base import IllegalMove
from games.engine.game import GameFault
from games.engine.moves import LEAVE
from games.registry import get_game
from tables.models import ChangeKind, Doing, Seat, SeatStatus, Table, TableStatus
from tables.play.apply import Cause, take_step
from tables.play.bots import may_stand_in, stand_in_for
from tables.play.change import SEATED, TableChange
from tables.play.faults import move_back, report_fault
from tables.play.finish import close_row
from tables.play.lock import LockedTable, lock_table
from tables.play.seat_view import load_position
from tables.play.seats import (
    LEAST_PLAYERS,
    build_left_event,
    call_bots,
    cash_out_sitting,
    is_deserted_lesson,
    needs_bots,
    record_bot_seats,
    save_seating,
    send_bots_away,
    set_awaits_press,
    view_of_table,
)
from tables.play.seeds import seed_of_next_deal
from tables.play.start import (
    AGREED_PAUSE,
    set_status,
    start_if_agreed,
    start_when_ready,
    take_back_start,
)
from tables.refusals import (
    ALREADY_SEATED,
    API_PLAYERS_NOT_ALLOWED,
    BUY_IN_OUT_OF_RANGE,
    MATCH_RUNNING,
    NO_GUESTS,
    NO_MATCH,
    NO_SUCH_SEAT,
    NOT_FOR_BOT_ACCOUNTS,
    PLAYS_BY_TOKEN,
    SEAT_KEPT,
    SEAT_TAKEN,
    SEATS_ARE_ARRANGED,
    TABLE_CLOSED,
    TABLE_OUT_OF_ORDER,
    NotSeated,
    TableNotFound,
    TooManyTables,
)
from tables.seating.companions import refuse_company
from tables.seating.queue import (
    is_kept_for_others,
    refuse_newcomer,
    refuse_uninvited,
    take_kept_chair,
)
from tables.seating.selectors import get_table_limit
from wallet import api as wallet
from wallet.money import Currency


@transaction.atomic
def take_seat(  # noqa: PLR0913 - who sits down, where and how, all by name
    *,
    table_id: int,
    user_id: int,
    amount: int,
    number: int | None = None,
    invite: str = "",
    by_program: bool = False,
    origin: Origin = NOWHERE,
) -> TableChange:
    """Sit down with `amount` as the stack (0 at a free table). Without a `number` take the first free seat.

    `invite` is the code of a private table, `origin` the player's browser and address. Raises a Refusal; then nothing
    has changed.
    """
    table, row = _lock(table_id, user_id)
    if by_program and not row.allows_api_players:
        raise Refusal(API_PLAYERS_NOT_ALLOWED)
    # Lock the account before any wallet row, at free tables, too: two concurrent requests cannot both take
    # the last permitted table.
    user = wallet.lock_open_account(user_id)
    if user.is_bot_account:
        _refuse_bot_account(row, by_program=by_program)
    _refuse_to_seat(table, row, user, invite)
    refuse_company(row, user_id=user_id, origin=origin, is_guest=user.is_guest)
    if not row.min_buy_in <= amount <= row.max_buy_in:
        raise Refusal(BUY_IN_OUT_OF_RANGE)
    take_kept_chair(row, user_id)
    sitting = _occupy(row, user, number, origin)
    _bring(row, sitting, amount, user_id=user_id)
    start_when_ready(table, row)
    call_bots(table, row)
    return save_seating(table, row, [build_seated_event(sitting)])


def _bring(row: Table, sitting: Seat, amount: int, *, user_id: int | None) -> None:
    """Move the buy-in of a new sitting from the wallet to the seat. `user_id` is None for a practice bot.

    At a free table nothing is paid.
    """
    if row.is_free:
        if user_id is not None:
            wallet.refuse_if_barred(user_id)
        return
    wallet.buy_in(
        user_id=user_id,
        seat_id=sitting.pk,
        amount=amount,
        currency=Currency(row.currency),
        key=f"seat:{sitting.pk}:buy_in",
        subject="" if user_id is None else f"table:{row.pk}",
    )


def _refuse_bot_account(row: Table, *, by_program: bool) -> None:
    """Raise a Refusal unless the BOT account uses its token and the table is a private one without stakes."""
    if not by_program:
        raise Refusal(PLAYS_BY_TOKEN)
    if not (row.is_hosted and row.is_free):
        raise Refusal(NOT_FOR_BOT_ACCOUNTS)


def _refuse_to_seat(table: LockedTable, row: Table, user: User, invite: str) -> None:
    if row.status == TableStatus.CLOSED:
        raise Refusal(TABLE_CLOSED)
    refuse_newcomer(row, user.pk)
    if table.is_broken:
        raise Refusal(TABLE_OUT_OF_ORDER)
    if table.seat is not None:
        raise Refusal(ALREADY_SEATED)
    refuse_uninvited(row, user.pk, invite)
    if user.is_guest and not (row.is_open_to_guests or row.opened_by_id == user.pk):
        raise Refusal(NO_GUESTS)
    if row.entry_fee and row.status == TableStatus.PLAYING:
        raise Refusal(MATCH_RUNNING)
    sittings = Seat.objects.filter(
        user=user, left_at__isnull=True, table__event_url="", table__is_slow=row.is_slow
    )
    if sittings.count() >= get_table_limit(is_slow=row.is_slow, is_bot=user.is_bot_account):
        raise TooManyTables(list(sittings.order_by("pk").values_list("table_id", "table__name")))
    if is_kept_for_others(row, user.pk):
        raise Refusal(SEAT_KEPT)


@transaction.atomic
def top_up(*, table_id: int, user_id: int, amount: int, by_program: bool = False) -> TableChange:
    """Add to the stack between two matches (R7.3), or pay in for the next entry fee."""
    table, row = _lock(table_id, user_id)
    if by_program and not row.allows_api_players:
        raise Refusal(API_PLAYERS_NOT_ALLOWED)
    sitting = require_sitting(row, user_id)
    if amount <= 0:
        raise Refusal(BUY_IN_OUT_OF_RANGE)
    return save_seating(table, row, [_top_up(table, row, sitting, amount)])


@transaction.atomic
def play_again(*, table_id: int, user_id: int, amount: int) -> TableChange | None:
    """Ask for the next match with the same rules and seats, and add `amount` to the stack for it.

    When all remaining players have asked, the match begins without the rest of the pause; at a hosted table its host
    begins it. Between two deals of a match against bots, this asks for the next deal. Return None if the player has
    asked already, so that nothing is charged twice. Raises a Refusal; then nothing has changed.
    """
    table, row = _lock(table_id, user_id)
    if row.status == TableStatus.CLOSED:
        raise Refusal(TABLE_CLOSED)
    if table.is_broken:
        raise Refusal(TABLE_OUT_OF_ORDER)
    if row.status == TableStatus.PLAYING and row.awaits_press and table.seat is not None:
        return _end_break(table, row)
    sitting = require_sitting(row, user_id)
    if sitting.plays_again:
        return None
    if row.match_id is None and not row.is_hosted:
        raise Refusal(NO_MATCH)
    events = [] if amount == 0 else [_top_up(table, row, sitting, amount)]
    if get_stack(row, sitting) < row.min_buy_in:
        raise Refusal(BUY_IN_OUT_OF_RANGE)
    row.sittings.filter(pk=sitting.pk).update(plays_again=True)
    start_if_agreed(table, row)
    return save_seating(table, row, [*events, {"kind": "plays_again", "seat": sitting.number}])


def _end_break(table: LockedTable, row: Table) -> TableChange | None:
    """Shorten the break between two deals to AGREED_PAUSE. The only person at the table has asked for the next deal."""
    set_awaits_press(row, value=False)
    assert table.deadline is not None  # noqa: S101 - it waits
    sooner = table.now + AGREED_PAUSE - table.deadline
    return move_back(table, sooner, patch={"table": {"awaits_press": False}})


def require_sitting(row: Table, user_id: int) -> Seat:
    sitting = row.sittings.select_related("user").filter(user_id=user_id, left_at=None).first()
    if sitting is None or sitting.status == SeatStatus.LEAVING:
        raise NotSeated
    if sitting.status == SeatStatus.PLAYING:
        raise Refusal(MATCH_RUNNING)
    return sitting


def get_stack(row: Table, sitting: Seat) -> int:
    return wallet.get_seat_balances([sitting.pk], currency=Currency(row.currency)).get(
        sitting.pk, 0
    )


def _top_up(table: LockedTable, row: Table, sitting: Seat, amount: int) -> dict[str, Any]:
    """Add to a stack from the wallet. Return the event to announce."""
    if not row.min_buy_in <= get_stack(row, sitting) + amount <= row.max_buy_in:
        raise Refusal(BUY_IN_OUT_OF_RANGE)
    wallet.buy_in(
        is_top_up=True,
        user_id=sitting.user_id,
        seat_id=sitting.pk,
        amount=amount,
        currency=Currency(row.currency),
        key=f"seat:{sitting.pk}:top_up:{table.version}",
        subject=f"table:{row.pk}",
    )
    return {"kind": "topped_up", "seat": sitting.number, "amount": amount}


def seat_bot(table: LockedTable) -> TableChange | None:
    """Seat one practice bot with a waiting person. Return None if no further bot is needed."""
    row = Table.objects.get(pk=table.id)
    seated = row.sittings.filter(left_at__isnull=True)
    if not needs_bots(row):
        return None
    present = set(seated.values_list("user_id", flat=True))
    bot = secrets.choice([bot for bot in get_practice_bots() if bot.pk not in present])
    sitting = _occupy(row, bot, None)
    _bring(row, sitting, row.min_buy_in, user_id=None)
    record_bot_seats(table, row)
    start_when_ready(table, row)
    call_bots(table, row)
    return save_seating(table, row, [build_seated_event(sitting)])


def leave_table(*, table_id: int, user_id: int) -> TableChange:
    """Leave the table. In a deal this counts as a drop (R5.3), unless a bot may play on for the player.

    The stack is returned at once, or after the match if the player takes part in one. Raises TableNotFound, NotSeated,
    or SEATS_ARE_ARRANGED at an event's table.
    """
    try:
        return _leave(table_id, user_id)
    except GameFault as fault:
        report_fault(table_id=table_id, doing=Doing.MOVE, error=fault)
        return _leave(table_id, user_id)  # the table is broken now, so the game is left out


@transaction.atomic
def _leave(table_id: int, user_id: int) -> TableChange:
    table, row = _lock(table_id, user_id)
    sitting = row.sittings.select_related("user").filter(user_id=user_id, left_at=None).first()
    if sitting is None:
        raise NotSeated
    if sitting.status == SeatStatus.PLAYING and row.status == TableStatus.PLAYING:
        return _leave_the_deal(table, row, sitting)
    if sitting.status == SeatStatus.LEAVING:
        raise NotSeated
    cash_out_sitting(row, sitting)
    return save_seating(table, row, [build_left_event(sitting), *tidy_up(table, row)])


def _leave_the_deal(table: LockedTable, row: Table, sitting: Seat) -> TableChange:
    assert table.state is not None  # noqa: S101 - a table that plays has a state
    row.sittings.filter(pk=sitting.pk).update(status=SeatStatus.LEAVING)
    if table.is_broken:  # the stack is returned once staff have decided
        return save_seating(table, row, [build_left_event(sitting)])
    if may_stand_in(row, sitting):
        return stand_in_for(table, row, [sitting])
    game = get_game(table.game)
    position = load_position(game, table.id, table.state)
    before = position.state
    try:
        outcome = game.core.play(
            before, sitting.number, LEAVE, now=table.now, seed=seed_of_next_deal(table)
        )
    except IllegalMove:  # out of the deal already, but the stack is still held until it ends
        return save_seating(table, row, [build_left_event(sitting)])
    cause = Cause(
        ChangeKind.MOVE,
        sitting.number,
        game.wire.write(LEAVE),
        patch=view_of_table(table, row),
    )
    return take_step(table, position, outcome, cause)


def _lock(table_id: int, user_id: int) -> tuple[LockedTable, Table]:
    table = lock_table(table_id, user_id=user_id)
    if table is None:
        raise TableNotFound
    row = Table.objects.get(pk=table_id)
    if row.is_of_event:
        raise Refusal(SEATS_ARE_ARRANGED)
    return table, row


def _occupy(row: Table, user: User, number: int | None, origin: Origin = NOWHERE) -> Seat:
    taken = set(row.sittings.filter(left_at__isnull=True).values_list("number", flat=True))
    free = [chair for chair in range(row.max_seats) if chair not in taken]
    if number is not None and number not in range(row.max_seats):
        raise Refusal(NO_SUCH_SEAT)
    if not free or number in taken:
        raise Refusal(SEAT_TAKEN)
    try:
        with transaction.atomic():
            sitting = Seat.objects.create(
                table=row,
                user=user,
                number=free[0] if number is None else number,
                plays_again=row.is_hosted,
                device_mark=origin.device,
                address_mark=origin.address,
            )
    except IntegrityError as error:
        raise Refusal(SEAT_TAKEN) from error
    # Somebody has joined, so cards decide the order of the next match (R4.1).
    if row.next_order is not None:
        row.next_order = None
        Table.objects.filter(pk=row.pk).update(next_order=None)
    return sitting


def tidy_up(table: LockedTable, row: Table) -> list[dict[str, Any]]:
    """Tidy up an idle table that a player has left: stand up bots if no person is left, and stop the start timer.

    A lesson that its player has left is closed. Return the events to announce.
    """
    if is_deserted_lesson(row):
        close_row(table, row)
        return [{"kind": "closed"}]
    seated = row.sittings.filter(left_at__isnull=True)
    if not seated.filter(user__is_bot=False).exists():
        send_bots_away(table, row)
        table.bot_due = None
    if row.status != TableStatus.PLAYING:
        if seated.count() < LEAST_PLAYERS:
            set_awaits_press(row, value=False)
            set_status(table, row, TableStatus.WAITING)
            table.set_deadline(None)
        else:
            take_back_start(table, row)
    start_if_agreed(table, row)
    call_bots(table, row)
    return []


def build_seated_event(sitting: Seat) -> dict[str, Any]:
    """Return the event that announces that a player has sat down."""
    user = sitting.user
    return {"kind": SEATED, "seat": sitting.number, "player": user.pk, "name": user.player_name}
