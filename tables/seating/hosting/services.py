"""A player's decisions at their own table: start, rules and players of a private table, and the strength of bots."""

from contextlib import suppress
from dataclasses import replace

from django.core.exceptions import ValidationError
from django.db import transaction

from accounts.models.sessions import NOWHERE, Origin
from accounts.names import PlayerNameValidator, refuse_reserved_name, tidy_player_name
from core.refusals import Refusal
from core.site.content import site
from games.engine.base import JSON
from games.engine.paces import is_slow as rules_are_slow
from games.registry import get_game
from tables.catalog import fit_bot_strength
from tables.models import BotStrength, ChangeKind, Seat, SeatStatus, Table, TableStatus
from tables.play.change import TableChange, store_change
from tables.play.finish import close_row
from tables.play.lock import LockedTable, lock_table
from tables.play.seat_view import find_host, table_view
from tables.play.seats import (
    build_left_event,
    cash_out_sitting,
    has_gone,
    list_unready,
    plays_on,
    save_seating,
    set_awaits_press,
    sort_for_locking,
    view_of_table,
)
from tables.play.stakes import NO_POT
from tables.play.start import set_status, start_on_request
from tables.refusals import (
    BUY_IN_OUT_OF_RANGE,
    HOST_STARTS,
    MATCH_RUNNING,
    MORE_PLAYERS_THAN_SEATS,
    NOT_THE_HOST,
    NOT_TO_YOU,
    STAKE_STAYS,
    TABLE_CLOSED,
    TABLE_NAME_REFUSED,
    TABLE_OUT_OF_ORDER,
    TOO_FEW_PLAYERS,
    NoPractice,
    NotAllReady,
    NotAlone,
    NotSeated,
    TableNotFound,
)
from tables.seating.hosting.private_tables import (
    HostTerms,
    build_table_terms,
    make_code,
    refuse_foreign_club,
)
from tables.seating.opening import build_columns, build_rules
from tables.seating.queue import give_up
from tables.seating.selectors import own_waiting_table
from tables.seating.sitting import build_seated_event, get_stack, require_sitting, tidy_up
from tables.seating.supply import play_now


def chooses_bot_strength(*, table_id: int, user_id: int | None) -> bool:
    """Return whether this player may choose the bots' strength: the table has bots and no other people."""
    table = Table.objects.filter(pk=table_id).first()
    return table is not None and table.bots_wanted > 0 and _people_at(table_id) == [user_id]


@transaction.atomic
def choose_bot_strength(*, table_id: int, user_id: int, strength: BotStrength) -> BotStrength:
    """Set the strength of the bots for their next moves.

    Return the strength that was set, which is lower if the table's game has no such bots. Raises TableNotFound,
    NoPractice, NotSeated, or NotAlone while another person plays there.
    """
    if lock_table(table_id) is None:
        raise TableNotFound
    table = Table.objects.get(pk=table_id)
    people = _people_at(table_id)
    if user_id not in people:
        raise NotSeated
    if not table.bots_wanted:
        raise NoPractice
    if people != [user_id]:
        raise NotAlone
    fitting = BotStrength(fit_bot_strength(table.game, strength))
    Table.objects.filter(pk=table_id).update(bot_strength=fitting)
    return fitting


@transaction.atomic
def play_at_once(
    *,
    template_id: int,
    user_id: int,
    strength: BotStrength | None = None,
    origin: Origin = NOWHERE,
) -> int:
    """Return the table of this kind at which the player already waits, or seat the player with `play_now`.

    `strength` is set for the bots, unless there are none or another person sits there. It is set in the same
    transaction, so that no other person can sit down first. Raises whatever `play_now` raises.
    """
    table_id = own_waiting_table(template_id=template_id, user_id=user_id)
    if table_id is None:
        table_id = play_now(template_id=template_id, user_id=user_id, origin=origin).table_id
    if strength is not None:
        with suppress(NoPractice, NotAlone):
            choose_bot_strength(table_id=table_id, user_id=user_id, strength=strength)
    return table_id


def _people_at(table_id: int) -> list[int]:
    seats = Seat.objects.filter(table=table_id, left_at=None, user__is_bot=False)
    return list(seats.values_list("user_id", flat=True))


@transaction.atomic
def start_table(*, table_id: int, user_id: int) -> TableChange:
    """Start the next match of a private table in a few seconds, with the players who are there.

    The host agrees to the match by starting it; all others must have agreed before. A player who has not agreed and is
    gone loses the seat. If the host has chosen so, bots then fill the free seats. Raises whatever `_as_host` raises,
    MATCH_RUNNING, TOO_FEW_PLAYERS, NotAllReady, or BUY_IN_OUT_OF_RANGE if the host's stack is too small; then nothing
    has changed.
    """
    table, row = _as_host(table_id, user_id, may_be_replaced=True)
    if row.status != TableStatus.WAITING and not row.awaits_press:
        raise Refusal(MATCH_RUNNING)
    own = require_sitting(row, user_id)
    if get_stack(row, own) < row.min_buy_in:
        raise Refusal(BUY_IN_OUT_OF_RANGE)
    row.sittings.filter(pk=own.pk).update(plays_again=True)
    unready = list_unready(row)
    awaited = [one for one in unready if row.is_slow or not has_gone(table, one)]
    if awaited:
        raise NotAllReady([one.user.player_name for one in awaited])
    for one in sort_for_locking(row.sittings.filter(pk__in=[one.pk for one in unready])):
        cash_out_sitting(row, one)
    if not plays_on(row):
        raise Refusal(TOO_FEW_PLAYERS)
    start_on_request(table, row)
    return save_seating(table, row, [*map(build_left_event, unready), {"kind": "starting"}])


@transaction.atomic
def take_back_ready(*, table_id: int, user_id: int) -> TableChange:
    """Withdraw a player's agreement to the next match of a private table.

    Raises whatever `_as_player` raises, or MATCH_RUNNING if the match is running or about to begin; then nothing has
    changed.
    """
    table, row = _as_player(table_id, user_id)
    if row.status not in {TableStatus.WAITING, TableStatus.BETWEEN}:
        raise Refusal(MATCH_RUNNING)
    own = require_sitting(row, user_id)
    row.sittings.filter(pk=own.pk).update(plays_again=False)
    return save_seating(table, row, [])


@transaction.atomic
def change_rules(*, table_id: int, user_id: int, terms: HostTerms) -> TableChange:
    """Change the rules, seats and admission of a private table between two matches, as its host.

    Game and stake cannot change. All players but the host have to agree to the next match again. The previous match is
    no longer shown, because its rules are gone. Players whose seats the table loses move to free seats. Raises whatever
    `_as_host` or `open_hosted_table` raises, InvalidRules, MATCH_RUNNING, STAKE_STAYS or MORE_PLAYERS_THAN_SEATS; then
    nothing has changed.
    """
    table, row = _as_host(table_id, user_id)
    if row.status not in {TableStatus.WAITING, TableStatus.BETWEEN}:
        raise Refusal(MATCH_RUNNING)
    refuse_foreign_club(terms, user_id)
    chosen = build_table_terms(terms, row.opened_by_id)
    names = {code: {"name": texts["name"]} for code, texts in row.words.items() if "name" in texts}
    columns = build_columns(replace(chosen, name=row.name, words=names))
    kept = ("game", "currency", "point_value", "entry_fee")
    is_slow_now = rules_are_slow(build_rules(chosen))
    if any(columns[name] != getattr(row, name) for name in kept) or is_slow_now != row.is_slow:
        raise Refusal(STAKE_STAYS)
    moved = _move_to_first_chairs(row, terms.seats)
    nothing = {"match": None, "settlement": None, "next_order": None}
    table.state, table.match_id, table.bot_due = None, None, None
    row.matches.filter(own_format="").update(own_format=row.format)
    Table.objects.filter(pk=row.pk).update(**columns, **nothing)
    row.sittings.filter(left_at__isnull=True).exclude(user=user_id).update(plays_again=False)
    row.sittings.filter(left_at__isnull=True, user=user_id).update(plays_again=True)
    row = Table.objects.get(pk=row.pk)
    set_awaits_press(row, value=False)
    set_status(table, row, TableStatus.WAITING)
    table.set_deadline(None)
    own = {str(number): dict(get_game(row.game).view.nothing_private) for number in _chairs(row)}
    patch = {
        **view_of_table(table, row),
        "table": {**table_view(row), **NO_POT},
        "game": None,
        "rules": row.rules,
    }
    events = [{"kind": "rules_changed"}, *moved]
    return store_change(table, ChangeKind.SEATING, events=events, patch=patch, private=own)


def _move_to_first_chairs(row: Table, seats: int) -> list[dict[str, JSON]]:
    """Move players to free seats if the table loses their own seats. Return an event for each move."""
    sittings = list(row.sittings.filter(left_at__isnull=True).select_related("user"))
    if len(sittings) > seats:
        raise Refusal(MORE_PLAYERS_THAN_SEATS)
    taken = {sitting.number for sitting in sittings}
    free = iter(number for number in range(seats) if number not in taken)
    moved = [sitting for sitting in sittings if sitting.number >= seats]
    for sitting in moved:
        sitting.number = next(free)
        sitting.save(update_fields=["number"])
    return [build_seated_event(sitting) for sitting in moved]


def _chairs(row: Table) -> list[int]:
    return list(row.sittings.filter(left_at__isnull=True).values_list("number", flat=True))


@transaction.atomic
def rename_table(*, table_id: int, user_id: int, name: str) -> TableChange:
    """Rename a private table, as its host. Raises whatever `_as_host` raises, or TABLE_NAME_REFUSED."""
    table, row = _as_host(table_id, user_id)
    spelt = tidy_player_name(name)
    try:
        PlayerNameValidator()(spelt)
        refuse_reserved_name(spelt, site_name=site().name)
    except ValidationError as error:
        raise Refusal(TABLE_NAME_REFUSED) from error
    row.name = spelt
    row.words = {
        code: kept
        for code, texts in row.words.items()
        if (kept := {key: words for key, words in texts.items() if key != "name"})
    }
    Table.objects.filter(pk=row.pk).update(name=row.name, words=row.words)
    patch = {"table": {"name": row.name}}
    event = {"kind": "named", "name": row.name}
    return store_change(table, ChangeKind.SEATING, events=[event], patch=patch)


@transaction.atomic
def pass_on(*, table_id: int, user_id: int, to_user_id: int) -> TableChange:
    """Make another player of the table its host.

    When the new host leaves, the role returns to the player who opened the table. Raises whatever `_as_host` raises, or
    NOT_TO_YOU if the other player is a bot, is not there or is leaving.
    """
    table, row = _as_host(table_id, user_id)
    sitting = _find_sitting(row, to_user_id)
    if sitting is None or to_user_id == user_id or sitting.status == SeatStatus.LEAVING:
        raise Refusal(NOT_TO_YOU)
    row.host_id = to_user_id
    Table.objects.filter(pk=row.pk).update(host=to_user_id)
    return save_seating(table, row, [{"kind": "host", "seat": sitting.number}])


@transaction.atomic
def send_away(*, table_id: int, user_id: int, other_id: int) -> TableChange:
    """Stand up a player, or remove them from the waiting list, and bar them from this table.

    The stack is returned to the player. Raises whatever `_as_host` raises; NOT_TO_YOU for a bot, the host or a player
    who is not there; or MATCH_RUNNING for a player of the running match, from which players cannot be removed.
    """
    table, row = _as_host(table_id, user_id)
    sitting = _find_sitting(row, other_id)
    places = list(row.queue.filter(user_id=other_id))
    if other_id == user_id or (sitting is None and not places):
        raise Refusal(NOT_TO_YOU)
    if sitting is not None and sitting.status != SeatStatus.WAITING:
        raise Refusal(MATCH_RUNNING)
    for place in places:
        give_up(place)
    row.sent_away = sorted({*(row.sent_away or ()), other_id})
    Table.objects.filter(pk=row.pk).update(sent_away=row.sent_away)
    if sitting is None:
        return save_seating(table, row, [])
    cash_out_sitting(row, sitting)
    return save_seating(table, row, [build_left_event(sitting), *tidy_up(table, row)])


@transaction.atomic
def readmit(*, table_id: int, user_id: int, other_id: int) -> None:
    """Let a player whom the host has sent away return. It does nothing if this user is not the host."""
    if lock_table(table_id) is None:
        return
    row = Table.objects.get(pk=table_id)
    host = _host_at(row)
    if other_id in (row.sent_away or ()) and host is not None and host.user_id == user_id:
        sent_away = [user for user in row.sent_away or () if user != other_id]
        Table.objects.filter(pk=row.pk).update(sent_away=sent_away)


@transaction.atomic
def renew_link(*, table_id: int, user_id: int) -> str:
    """Replace the link of a private table; the old one stops working. Return the new code.

    Seated and waiting players stay. Raises whatever `_as_host` raises.
    """
    _table, row = _as_host(table_id, user_id)
    code = make_code()
    Table.objects.filter(pk=row.pk).update(invite_code=code)
    return code


@transaction.atomic
def close_own_table(*, table_id: int, user_id: int) -> TableChange:
    """Close a private table at which no match is running, as its host. Every player gets their stack back.

    Raises whatever `_as_host` raises, or MATCH_RUNNING.
    """
    table, row = _as_host(table_id, user_id)
    if row.status == TableStatus.PLAYING:
        raise Refusal(MATCH_RUNNING)
    for place in row.queue.order_by("user_id"):
        give_up(place)
    close_row(table, row)
    return save_seating(table, row, [{"kind": "closed"}])


def _as_host(
    table_id: int, user_id: int, *, may_be_replaced: bool = False
) -> tuple[LockedTable, Table]:
    """Lock a private table for its host.

    With `may_be_replaced` any player may act while the host is gone, and at a slow table at any time. Raises whatever
    `_as_player` raises, NOT_THE_HOST or HOST_STARTS.
    """
    table, row = _as_player(table_id, user_id)
    host = _host_at(row)
    is_replaced = may_be_replaced and (row.is_slow or host is None or has_gone(table, host))
    if not is_replaced and (host is None or host.user_id != user_id):
        raise Refusal(HOST_STARTS if may_be_replaced else NOT_THE_HOST)
    return table, row


def _as_player(table_id: int, user_id: int) -> tuple[LockedTable, Table]:
    """Lock a private table for one of its players, so that the second of two requests sees the first one's change.

    Raises TableNotFound, TABLE_CLOSED, TABLE_OUT_OF_ORDER or NotSeated.
    """
    table = lock_table(table_id, user_id=user_id)
    row = Table.objects.get(pk=table_id) if table is not None else None
    if table is None or row is None or not row.is_hosted:
        raise TableNotFound
    if row.status == TableStatus.CLOSED:
        raise Refusal(TABLE_CLOSED)
    if table.is_broken:
        raise Refusal(TABLE_OUT_OF_ORDER)
    if table.seat is None:
        raise NotSeated
    return table, row


def get_hosted_table(*, table_id: int, user_id: int | None) -> Table | None:
    """Return a private table that this user hosts now, or None."""
    row = Table.objects.defer("state", "next_seed").filter(pk=table_id).first()
    host = None if row is None else _host_at(row)
    return row if host is not None and host.user_id == user_id else None


def is_host(*, table_id: int, user_id: int | None) -> bool:
    """Return whether this user hosts a private table now."""
    return get_hosted_table(table_id=table_id, user_id=user_id) is not None


def _host_at(row: Table) -> Seat | None:
    """Return the sitting of a table's host, or None if there is no host."""
    return find_host(row, row.sittings.filter(left_at__isnull=True).select_related("user"))


def _find_sitting(row: Table, user_id: int) -> Seat | None:
    """Return a person's sitting at this table, or None. Practice bots are not people."""
    sittings = row.sittings.filter(user_id=user_id, left_at__isnull=True, user__is_bot=False)
    return sittings.select_related("user").first()
