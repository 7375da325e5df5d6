"""From seated players to a running match: maintenance breaks, changed fees, the first deal.

A table's fee is that of its next match, and is announced before the match begins. Operators may change fees while
tables are open. A table without a running match then adopts the new fee, and its players get a message and time to
leave. A running match keeps the fee with which it began. Free tables and lessons have no fee.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import combinations
from typing import Any, Final

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from core.site.notices import get_next_stop
from games.engine.base import JSON, Instant
from games.engine.moves import Event
from games.registry import get_game
from tables.models import ChangeKind, Match, Seat, SeatStatus, Table, TableStatus
from tables.models.table import BETWEEN_MATCHES
from tables.play.apply import hasten_table, set_game_deadline, wake_bots
from tables.play.change import TableChange, save_change
from tables.play.faults import build_latest_outage
from tables.play.finish import close_row, get_pause, schedule_next_match
from tables.play.lock import LockedTable, lock_table
from tables.play.seat_view import View, build_private_views, match_names
from tables.play.seats import (
    LEAST_PLAYERS,
    are_watched,
    build_left_event,
    call_bots,
    cash_out_sitting,
    fill_with_bots,
    has_gone,
    is_deserted_lesson,
    list_unready,
    needs_press,
    record_bot_seats,
    save_seating,
    send_bots_away,
    set_awaits_press,
    sort_for_locking,
    view_of_table,
    wait_for_press,
    waits_for_host,
)
from tables.play.seeds import seed_of_next_deal, use_seed
from tables.play.stakes import charge_entries, pot_view
from wallet import api as wallet
from wallet.api import FeeTerms, get_fee, get_seat_balances, read_fees
from wallet.money import Currency
from wallet.refusals import NoFeeSchedule

START_PAUSE: Instant = 5_000
ENTRY_PAUSE: Instant = 20_000
# Time to leave after the table has announced a changed fee.
FEE_PAUSE: Instant = 15_000

RESTING_PAUSE: Final = 60_000  # milliseconds
# Time to see who has asked for the next match before its cards are dealt.
AGREED_PAUSE: Instant = 1_000


def stop_for(table: LockedTable, row: Table) -> datetime | None:
    """Return the time of the next maintenance stop, or None at an event's table, which is played to its end."""
    return None if row.is_of_event else get_next_stop(now=_get_moment(table))


def is_resting(table: LockedTable, stop: datetime | None) -> bool:
    return stop is not None and stop <= _get_moment(table)


def wait_while_resting(table: LockedTable, row: Table) -> TableChange:
    """Restart the start timer during maintenance. Every player keeps their seat and stack.

    After maintenance, the player who asked for the match may be gone. A table whose match has to be asked for therefore
    waits until a player asks again.
    """
    if not take_back_start(table, row):
        table.set_deadline(table.now + RESTING_PAUSE)
    return save_seating(table, row, [{"kind": "resting"}])


def warn_of_stop(stop: datetime | None) -> list[dict[str, Any]]:
    """Return the events that warn the players of a new match about an announced maintenance stop."""
    if stop is None:
        return []
    return [{"kind": "rest_announced", "at": round(stop.timestamp() * 1000)}]


def _get_moment(table: LockedTable) -> datetime:
    return datetime.fromtimestamp(table.now / 1000, tz=UTC)


_OF_A_FEE = ("game", "format", "currency", "point_value", "entry_fee", "rake_bps", "rake_cap")


def list_tables_with_old_fee() -> list[int]:
    """Return the ids of the tables whose fee may have changed."""
    old = Q()
    fee_of = read_fees(timezone.now())
    for facts in _filter_between_matches().order_by().values(*_OF_A_FEE).distinct():
        table = Table(**facts)
        if table.is_free:
            continue
        stake = table.point_value or table.entry_fee
        fee = fee_of(table.game, table.format, Currency(table.currency), stake)
        if fee is not None and _differs(table, fee):
            old |= Q(**facts)
    if not old.children:
        return []
    return list(_filter_between_matches().filter(old).order_by("pk").values_list("pk", flat=True))


@transaction.atomic
def follow_fee(table_id: int) -> TableChange | None:
    """Let a table adopt the current fee.

    Return None if the table has that fee already, if a match runs there, or if the table's row is locked.
    """
    table = lock_table(table_id, skip_locked=True)
    if table is None or table.status in {TableStatus.PLAYING, TableStatus.CLOSED}:
        return None
    return take_new_fee(table, Table.objects.get(pk=table_id))


def take_new_fee(table: LockedTable, row: Table) -> TableChange | None:
    """Give a table the current fee and announce it. Return None if it has that fee already.

    A match that was about to begin is delayed, so that players can leave. If no fee is set any more, the table keeps
    the old one until there is a new one. The caller has locked the table, and no match is running.
    """
    fee = None if row.is_free or row.is_lesson else _find_fee(row)
    if fee is None or not _differs(row, fee):
        return None
    row.rake_bps, row.rake_cap = fee.rake_bps, fee.rake_cap
    Table.objects.filter(pk=row.pk).update(rake_bps=fee.rake_bps, rake_cap=fee.rake_cap)
    _filter_sittings(row).update(plays_again=False)  # they have asked for a match with the old fee
    if table.deadline is not None and not take_back_start(table, row):
        table.set_deadline(max(table.deadline, table.now + FEE_PAUSE))
    event: dict[str, Any] = {
        "kind": "fee_changed",
        "rake_bps": fee.rake_bps,
        "rake_cap": fee.rake_cap,
    }
    return save_seating(table, row, [event])


def _filter_between_matches() -> QuerySet[Table]:
    return Table.objects.filter(BETWEEN_MATCHES, is_lesson=False)


def _find_fee(row: Table) -> FeeTerms | None:
    try:
        return get_fee(
            game=row.game,
            format=row.format,
            currency=Currency(row.currency),
            stake=row.point_value or row.entry_fee,
            at=timezone.now(),
        )
    except NoFeeSchedule:
        return None


def _differs(row: Table, fee: FeeTerms) -> bool:
    return (row.rake_bps, row.rake_cap) != (fee.rake_bps, fee.rake_cap)


# For games that can draw the order of play again.
_TOSSES = "tosses_every_deal"


def start_when_ready(table: LockedTable, row: Table) -> None:
    """Set the start timer when two players wait at an idle table; a full table starts sooner.

    A hosted table waits for its host (`start_on_request`), and a table of only BOT accounts waits until it is full. If
    another person joins a player who was alone with bots, the table no longer waits until that player asks, and the
    next match begins after the usual pause.
    """
    if waits_for_host(row):
        return
    seated = _filter_sittings(row).count()
    least = row.max_seats if row.is_hosted else LEAST_PLAYERS
    if row.status == TableStatus.BETWEEN and row.awaits_press and not needs_press(row):
        set_awaits_press(row, value=False)
        table.set_deadline(table.now + get_pause(row))
    if row.status == TableStatus.WAITING and seated >= least:
        set_status(table, row, TableStatus.STARTING)
        # With an entry fee, a match begins with the players who have come; at a points table others join
        # later.
        table.set_deadline(table.now + (ENTRY_PAUSE if row.entry_fee else START_PAUSE))
    if row.status == TableStatus.STARTING and seated == row.max_seats:
        soon = table.now + START_PAUSE
        table.set_deadline(soon if table.deadline is None else min(soon, table.deadline))


def start_on_request(table: LockedTable, row: Table) -> None:
    """Set the start timer of a hosted table, whether or not it is full."""
    set_awaits_press(row, value=False)
    if row.status == TableStatus.WAITING:
        set_status(table, row, TableStatus.STARTING)
    table.set_deadline(table.now + START_PAUSE)


def take_back_start(table: LockedTable, row: Table) -> bool:
    """Stop the start timer of a table whose matches a player has to ask for. Return whether it stopped.

    The timer starts again when a player asks.
    """
    if not needs_press(row) or row.status == TableStatus.PLAYING:
        return False
    if row.status == TableStatus.BETWEEN:
        wait_for_press(table, row)
    elif waits_for_host(row):
        set_status(table, row, TableStatus.WAITING)
        table.set_deadline(None)
    else:
        return False  # the first match with bots was asked for by sitting down
    return True


def start_if_agreed(table: LockedTable, row: Table) -> None:
    """Shorten the pause before the next match if all remaining players of the previous match have asked for it.

    Practice bots and new players agree without asking. At a hosted table the host starts the match. A slow match starts
    without the host, because its players are rarely there at the same time.
    """
    if row.status != TableStatus.BETWEEN or row.match is None or table.deadline is None:
        return
    if (waits_for_host(row) and not row.is_slow) or list_unready(row):
        return
    played = [player["sitting"] for player in row.match.players.values() if not player["bot"]]
    if _filter_sittings(row).filter(pk__in=played).exists():
        set_awaits_press(row, value=False)
        table.set_deadline(min(table.deadline, table.now + AGREED_PAUSE))


def set_status(table: LockedTable, row: Table, status: TableStatus) -> None:
    row.status = status
    table.status = status
    Table.objects.filter(pk=row.pk).update(status=status)


def start_match(table: LockedTable) -> TableChange:
    """Begin the match whose timer has run out, with every player who can cover the largest loss.

    A player who cannot cover it, or may no longer play, is stood up and gets the rest of the stack back (R7.3). With
    fewer than two players, the table goes back to waiting. If the fee has changed, the new one is announced and the
    match begins later. During maintenance the match waits, and so does a match for which no player has asked.
    """
    row = Table.objects.get(pk=table.id)
    if row.awaits_press:
        return _free_seats(table, row)
    told = take_new_fee(table, row)
    if told is not None:
        return told
    stop = stop_for(table, row)
    if is_resting(table, stop):
        return wait_while_resting(table, row)
    players = _stand_up_who_cannot_play(table, row)
    if players and row.fills_with_bots:
        fill_with_bots(table, row)
        players = list(_filter_sittings(row).select_related("user").order_by("number"))
    if len(players) < LEAST_PLAYERS:
        return _keep_waiting(table, row)
    rules = _choose_rules(row, players)
    order, toss = _order(row, [sitting.number for sitting in players], rules)
    match = Match.objects.create(
        table=row,
        rules=rules,
        players={
            str(sitting.number): {
                "sitting": sitting.pk,
                "user": sitting.user_id,
                "name": sitting.user.player_name,
                "bot": sitting.user.is_no_person,
            }
            for sitting in players
        },
        participants=[sitting.user_id for sitting in players if not sitting.user.is_bot],
        order=list(order),
        tossed=toss,
        is_rated=row.is_rated or _is_of_bot_accounts(players),
        started_ms=table.now,
    )
    table.match_id = match.pk
    Table.objects.filter(pk=row.pk).update(
        match=match, settlement=None, outage_id=build_latest_outage()
    )
    row.match, row.settlement = match, None
    if row.entry_fee:
        charge_entries(row, match)
    set_status(table, row, TableStatus.PLAYING)
    sittings = row.sittings.filter(pk__in=[s.pk for s in players])
    sittings.update(status=SeatStatus.PLAYING, plays_again=False)
    change = _deal(table, row, rules, order, toss=toss)
    change = replace(change, events=[*change.events, *warn_of_stop(stop)])
    save_change(table, change)
    return change


def _is_of_bot_accounts(players: Sequence[Seat]) -> bool:
    """Return whether all players are BOT accounts, no two of them from the same browser or address."""
    return all(sitting.user.is_bot_account for sitting in players) and not any(
        one.origin.is_shared(other.origin) for one, other in combinations(players, 2)
    )


def _deal(
    table: LockedTable,
    row: Table,
    rules: Mapping[str, JSON],
    order: tuple[int, ...],
    *,
    toss: bool,
) -> TableChange:
    """Deal the cards. Return the change to announce, which is not stored yet."""
    game = get_game(table.game)
    begun = game.core.start(
        rules=game.rules.load(rules),
        seats=order,
        toss=toss,
        seed=seed_of_next_deal(table),
        now=table.now,
    )
    outcome = hasten_table(table, game, begun)
    state, status = outcome.state, outcome.status
    use_seed(table, number=status.deals)
    row.next_seed = table.next_seed
    table.state = game.stored.dump(state)
    version = table.advance_version()
    set_game_deadline(table, status.deadline)
    wake_bots(table, status.acting)
    public = game.view.public(state)
    seating = view_of_table(table, row)
    standing = {
        **seating["table"],
        **pot_view(row, status),
        "names": {} if row.match is None else match_names(row.match),
        "places": {},
        "stand_ins": [],
    }
    return TableChange(
        table_id=table.id,
        version=version,
        kind=ChangeKind.STARTED,
        at=table.now,
        match_id=table.match_id,
        events=_with_start(table, outcome.events),
        patch={**seating, "table": standing, "game": public},
        private=_build_own_views(row, build_private_views(game, state, status.seats)),
    )


def _with_start(table: LockedTable, events: Sequence[Event]) -> list[dict[str, Any]]:
    return [{"kind": "match_started", "match": table.match_id}, *(e.json() for e in events)]


def _build_own_views(row: Table, playing: dict[str, View]) -> dict[str, View]:
    """Return the private view of every taken seat. Players who sit out this match have an empty hand."""
    numbers = _filter_sittings(row).values_list("number", flat=True)
    nothing = dict(get_game(row.game).view.nothing_private)
    return {str(number): playing.get(str(number), nothing) for number in numbers}


def _free_seats(table: LockedTable, row: Table) -> TableChange:
    """Stand up players who are gone and have not asked for the next match, and schedule that match again.

    It is called when the time is up in which a player had to start the match, and nobody did.
    """
    unready = list_unready(row)
    going = [sitting for sitting in unready if row.is_slow or has_gone(table, sitting)]
    for sitting in sort_for_locking(_filter_sittings(row).filter(pk__in=[s.pk for s in going])):
        cash_out_sitting(row, sitting)
    events = [build_left_event(sitting) for sitting in going]
    if is_deserted_lesson(row):
        close_row(table, row)
        return save_seating(table, row, [*events, {"kind": "closed"}])
    if not _filter_sittings(row).filter(user__is_bot=False).exists():
        send_bots_away(table, row)
    schedule_next_match(table, row)
    start_if_agreed(table, row)
    if row.status == TableStatus.WAITING:
        call_bots(table, row)
    return save_seating(table, row, events)


def _filter_sittings(row: Table) -> Any:
    return row.sittings.filter(left_at__isnull=True)


def _stand_up_who_cannot_play(table: LockedTable, row: Table) -> list[Seat]:
    sittings = list(_filter_sittings(row).select_related("user").order_by("number"))
    if row.is_of_event:
        return sittings
    stacks = get_seat_balances(
        [sitting.pk for sitting in sittings], currency=Currency(row.currency)
    )
    people = [sitting.user_id for sitting in sittings if not sitting.user.is_bot]
    barred = wallet.filter_barred(people, lock=True)
    gone = _find_gone(table, row, sittings)
    going = [
        sitting
        for sitting in sittings
        if stacks.get(sitting.pk, 0) < row.min_buy_in
        or sitting.user_id in barred
        or sitting.pk in gone
        or _is_gone_from_slow_game(row, sitting)
    ]
    for sitting in sort_for_locking(_filter_sittings(row).filter(pk__in=[s.pk for s in going])):
        cash_out_sitting(row, sitting)
    if going:
        record_bot_seats(table, row)
    if not any(sitting not in going and not sitting.user.is_bot for sitting in sittings):
        send_bots_away(table, row)
        return []
    return [sitting for sitting in sittings if sitting not in going]


def _find_gone(table: LockedTable, row: Table, sittings: Sequence[Seat]) -> set[int]:
    """Return the ids of sittings whose players are gone and are therefore left out of the next match.

    At a free table these are all players who are gone and have not asked for the match, because no stack ever runs out
    there. At a hosted table with a stake they are all players who are gone, so that none of them is charged. At any
    other table with bots, players are left out only if all people are gone and have not asked: otherwise bots would
    play on with nobody. A slow game waits a whole day for its players, so it leaves out none here.
    """
    if row.is_slow or not (row.bots_wanted or row.is_free or row.is_hosted):
        return set()
    people = [sitting for sitting in sittings if not sitting.user.is_bot]
    charges_no_absent = row.is_hosted and not row.is_free
    gone = {
        sitting.pk
        for sitting in people
        if has_gone(table, sitting) and (charges_no_absent or not sitting.plays_again)
    }
    return gone if row.is_free or row.is_hosted or len(gone) == len(people) else set()


def _is_gone_from_slow_game(row: Table, sitting: Seat) -> bool:
    """Return whether a player of the previous match has not asked for the next match in a whole day.

    Otherwise a slow game would continue, match after match, with players who have forgotten it.
    """
    if not row.is_slow or row.status != TableStatus.BETWEEN or row.match is None:
        return False
    return sitting.user_id in row.match.participants and not sitting.plays_again


def _choose_rules(row: Table, players: Sequence[Seat]) -> dict[str, JSON]:
    """Return the rules of the match: the table's own, with a toss before every deal if staff watch two of the players.

    A player can help another one only by playing just before them (R4.1), and a toss changes the order.
    """
    game = get_game(row.game)
    if _TOSSES in game.rules.json(game.rules.load(row.rules)) and are_watched(
        [sitting.user_id for sitting in players if not sitting.user.is_bot]
    ):
        return {**row.rules, _TOSSES: True}
    return dict(row.rules)


def _order(
    row: Table, numbers: list[int], rules: Mapping[str, JSON]
) -> tuple[tuple[int, ...], bool]:
    """Return the seating order, and whether cards are to decide it (R4.1).

    Without a new player, the order of the previous match is kept, unless the rules have a toss before every deal.
    """
    last = row.next_order or []
    if set(numbers) <= set(last) and not rules.get(_TOSSES):
        return tuple(number for number in last if number in numbers), False
    return tuple(numbers), True


def _keep_waiting(table: LockedTable, row: Table) -> TableChange:
    if is_deserted_lesson(row):
        close_row(table, row)
        return save_seating(table, row, [{"kind": "closed"}])
    set_awaits_press(row, value=False)
    set_status(table, row, TableStatus.WAITING)
    call_bots(table, row)
    table.set_deadline(None)
    return save_seating(table, row, [{"kind": "waiting"}])
