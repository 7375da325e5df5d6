"""From seated players to a running match."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from games.engine.base import JSON, Event
from games.registry import get_game
from tables.models import ChangeKind, Match, Seat, SeatStatus, Table, TableStatus
from tables.play.delays import ENTRY_PAUSE, START_PAUSE
from tables.play.fees import take_new_fee
from tables.play.kept_apart import are_watched
from tables.play.locks import CommittedChange, LockedTable, save_change
from tables.play.occupancy import (
    LEAST_PLAYERS,
    call_bots,
    cash_out_sitting,
    in_lock_order,
    note_bot_seats,
    save_seating,
    send_bots_away,
    view_of_table,
)
from tables.play.outages import latest_outage
from tables.play.overtime import hastened
from tables.play.pot import pot_view
from tables.play.resting import rests, stop_for, wait, warning
from tables.play.seat_view import View, match_names, private_views
from tables.play.seeds import use_seed
from tables.play.settlement import charge_entries
from tables.play.steps import set_game_deadline, wake_bots
from wallet import services as wallet
from wallet.ledger.balances import seat_balances
from wallet.money import Currency

# Of games that can draw the order of play anew.
_TOSSES = "tosses_every_deal"


def start_when_ready(table: LockedTable, row: Table) -> None:
    """Set the start timer once two players wait at an idle table; a full one starts sooner.

    A hosted table starts when it is full, or when its host says so (`start_by_host`).
    """
    seated = _seated(row).count()
    least = row.max_seats if row.is_hosted else LEAST_PLAYERS
    if row.status == TableStatus.WAITING and seated >= least:
        set_status(table, row, TableStatus.STARTING)
        # An entry fee is played for by as many as come; at a points table others join later.
        table.set_deadline(table.now + (ENTRY_PAUSE if row.entry_fee else START_PAUSE))
    if row.status == TableStatus.STARTING and seated == row.max_seats:
        soon = table.now + START_PAUSE
        table.set_deadline(soon if table.deadline is None else min(soon, table.deadline))


def start_by_host(table: LockedTable, row: Table) -> None:
    """Set the start timer of a hosted table that need not be full."""
    set_status(table, row, TableStatus.STARTING)
    table.set_deadline(table.now + START_PAUSE)


def set_status(table: LockedTable, row: Table, status: TableStatus) -> None:
    row.status = status
    table.status = status
    Table.objects.filter(pk=row.pk).update(status=status)


def start_match(table: LockedTable) -> CommittedChange:
    """Begin the match whose timer has run out, with everybody who can cover the largest loss.

    Who cannot, or may not play any more, is stood up with the rest of the stack (R7.3). With fewer
    than two players left the table goes back to waiting. Nobody plays for a fee that the table has
    not told them before: if it has changed, the table says so and begins later. While play rests the
    match waits.
    """
    row = Table.objects.get(pk=table.id)
    told = take_new_fee(table, row)
    if told is not None:
        return told
    stop = stop_for(table, row)
    if rests(table, stop):
        return wait(table, row)
    players = _stand_up_who_cannot_play(table, row)
    if len(players) < LEAST_PLAYERS:
        return _keep_waiting(table, row)
    rules = _rules(row, players)
    order, toss = _order(row, [sitting.number for sitting in players], rules)
    match = Match.objects.create(
        table=row,
        rules=rules,
        players={
            str(sitting.number): {
                "sitting": sitting.pk,
                "user": sitting.user_id,
                "name": sitting.user.player_name,
                "bot": sitting.user.is_bot,
            }
            for sitting in players
        },
        participants=[sitting.user_id for sitting in players if not sitting.user.is_bot],
        order=list(order),
        tossed=toss,
        is_rated=row.is_rated,
        started_ms=table.now,
    )
    table.match_id = match.pk
    Table.objects.filter(pk=row.pk).update(match=match, settlement=None, outage_id=latest_outage())
    row.match, row.settlement = match, None
    if row.entry_fee:
        charge_entries(row, match)
    set_status(table, row, TableStatus.PLAYING)
    Seat.objects.filter(pk__in=[s.pk for s in players]).update(status=SeatStatus.PLAYING)
    step = _deal(table, row, rules, order, toss=toss)
    step = replace(step, events=[*step.events, *warning(stop)])
    save_change(table, step)
    return step


def _deal(
    table: LockedTable,
    row: Table,
    rules: Mapping[str, JSON],
    order: tuple[int, ...],
    *,
    toss: bool,
) -> CommittedChange:
    """Deal, and return the change that announces it. It is not stored yet."""
    game = get_game(table.game)
    begun = game.core.start(
        rules=game.rules.parse(rules),
        seats=order,
        toss=toss,
        seed=table.deal_seed,
        now=table.now,
    )
    outcome = hastened(table, game, begun)
    state, status = outcome.state, outcome.status
    use_seed(table, number=status.deals)
    row.next_seed = table.next_seed
    table.state = game.stored.dump(state)
    version = table.next_version()
    set_game_deadline(table, status.deadline)
    wake_bots(table, status.acting)
    public = game.view.public(state)
    seating = view_of_table(table, row)
    standing = {
        **seating["table"],
        **pot_view(row, status),
        "names": {} if row.match is None else match_names(row.match),
    }
    return CommittedChange(
        table_id=table.id,
        version=version,
        kind=ChangeKind.STARTED,
        at=table.now,
        match_id=table.match_id,
        events=_with_start(table, outcome.events),
        patch={**seating, "table": standing, "game": public},
        private=_everybodys_views(row, private_views(game, state, status.seats)),
    )


def _with_start(table: LockedTable, events: Sequence[Event]) -> list[dict[str, Any]]:
    return [{"kind": "match_started", "match": table.match_id}, *(e.json() for e in events)]


def _everybodys_views(row: Table, playing: dict[str, View]) -> dict[str, View]:
    """Return the own view of every seat. Seats that sit out this match forget their last hand."""
    numbers = _seated(row).values_list("number", flat=True)
    nothing = dict(get_game(row.game).view.nothing_private)
    return {str(number): playing.get(str(number), nothing) for number in numbers}


def _seated(row: Table) -> Any:
    return row.sittings.filter(left_at__isnull=True)


def _stand_up_who_cannot_play(table: LockedTable, row: Table) -> list[Seat]:
    sittings = list(_seated(row).select_related("user").order_by("number"))
    if row.is_of_event:
        return sittings
    stacks = seat_balances([sitting.pk for sitting in sittings], currency=Currency(row.currency))
    barred = wallet.lock_and_find_barred(s.user_id for s in sittings if not s.user.is_bot)
    going = [s for s in sittings if stacks.get(s.pk, 0) < row.min_buy_in or s.user_id in barred]
    for sitting in in_lock_order(_seated(row).filter(pk__in=[s.pk for s in going])):
        cash_out_sitting(row, sitting)
    if going:
        note_bot_seats(table, row)
    if not any(sitting not in going and not sitting.user.is_bot for sitting in sittings):
        send_bots_away(table, row)
        return []
    return [sitting for sitting in sittings if sitting not in going]


def _rules(row: Table, players: Sequence[Seat]) -> dict[str, JSON]:
    """The table's own. Where staff watch two of the players, cards decide the order before every deal
    (R4.1): who helps another has to play just before them."""
    game = get_game(row.game)
    if _TOSSES in game.rules.json(game.rules.parse(row.rules)) and are_watched(
        [sitting.user_id for sitting in players if not sitting.user.is_bot]
    ):
        return {**row.rules, _TOSSES: True}
    return dict(row.rules)


def _order(
    row: Table, numbers: list[int], rules: Mapping[str, JSON]
) -> tuple[tuple[int, ...], bool]:
    """R4.1: the order of the last match goes on unless somebody has joined; else cards decide."""
    last = row.next_order or []
    if set(numbers) <= set(last) and not rules.get(_TOSSES):
        return tuple(number for number in last if number in numbers), False
    return tuple(numbers), True


def _keep_waiting(table: LockedTable, row: Table) -> CommittedChange:
    set_status(table, row, TableStatus.WAITING)
    call_bots(table, row)
    table.set_deadline(None)
    return save_seating(table, row, [{"kind": "waiting"}])
