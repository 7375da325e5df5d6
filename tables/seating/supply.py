"""Keeps a joinable table for every open template, and seats players at the best one."""

import logging
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from accounts.models.sessions import NOWHERE, Origin
from core.database.each import act_on_each
from core.refusals import Refusal
from games.engine.base import JSON, InvalidRules
from games.registry import get_format, get_game
from tables.models import JOINABLE, Admission, Table, TableStatus, TableTemplate
from tables.play.change import TableChange
from tables.play.lock import lock_table
from tables.play.seats import save_seating
from tables.refusals import (
    ADDRESS_IS_SEATED,
    DEVICE_IS_SEATED,
    KEPT_APART,
    MATCH_RUNNING,
    REMOVED_FROM_TABLE,
    SEAT_KEPT,
    SEAT_TAKEN,
    TABLE_CLOSED,
    TABLE_CLOSING,
    PairIsDone,
    TableNotFound,
)
from tables.seating.opening import TableTerms, open_table
from tables.seating.selectors import compute_purse, get_waiting
from tables.seating.sitting import take_seat
from wallet.money import Currency
from wallet.refusals import NoFeeSchedule

logger = logging.getLogger(__name__)

# Default buy-in of "play now" at a points table, in multiples of the smallest, if the wallet has it.
USUAL_BUY_INS = 2
# After other players took the last seat at this many tables, a new one is opened.
TABLES_TRIED = 30
# Another player was faster, or the player may not sit at this table.
_TRY_THE_NEXT = {
    kind.code
    for kind in (
        SEAT_TAKEN,
        SEAT_KEPT,
        MATCH_RUNNING,
        TABLE_CLOSED,
        TABLE_CLOSING,
        REMOVED_FROM_TABLE,
        KEPT_APART,
        DEVICE_IS_SEATED,
        ADDRESS_IS_SEATED,
        PairIsDone,
    )
}
PRIVATE_TABLE_WAITS = timedelta(minutes=15)
# How long a club's table waits for players; members are notified when it opens.
CLUB_TABLE_WAITS = timedelta(hours=2)
# For slow games, before the first match: friends may open the link on another day.
SLOW_TABLE_WAITS = timedelta(days=7)


def keep_supplied() -> int:
    """Keep one joinable table for every open template, and close needless empty ones.

    Return the number of closed tables. It is safe to run at any time and repeatedly.
    """
    supplied = act_on_each(_list_badly_supplied(), _supply_or_report, doing="supplying a template")
    return supplied + _close_deserted()


def _list_badly_supplied() -> list[int]:
    """Return the ids of the table templates that lack a joinable table or have needless empty tables.

    It takes two queries in all.
    """
    counted = (
        _filter_joinable()
        .order_by()
        .values_list("template", "game", "rules")
        .annotate(
            empty=Count("pk", filter=Q(seats_taken=0)),
            others=Count("pk", filter=Q(seats_taken__gt=0)),
        )
    )
    counts: dict[int, list[tuple[str, Mapping[str, JSON], int, int]]] = {}
    for template_id, *counted_rules in counted:
        counts.setdefault(template_id, []).append(tuple(counted_rules))
    found = []
    for template in TableTemplate.objects.select_related("house_rules").order_by("pk"):
        empty = others = needless = 0
        for game, rules, free, taken in counts.get(template.pk, ()):
            if _has_same_rules(template, game, rules):
                empty, others = empty + free, others + taken
            else:
                needless += free
        if needless or empty != int(template.is_open and not others):
            found.append(template.pk)
    return found


def _has_same_rules(template: TableTemplate, game: str, rules: Mapping[str, JSON]) -> bool:
    """Return whether these are the rules of the tables that the template opens now."""
    if game != template.game:
        return False
    parsed: bool = get_game(game).rules.load(rules) == template.rule_set
    return parsed


def _supply_or_report(template_id: int) -> int:
    """Supply one template with tables. Return the number of tables that were closed.

    A missing fee schedule is reported, and so are invalid rules. Neither stops the supply of other templates.
    """
    try:
        return _supply(template_id)
    except (NoFeeSchedule, InvalidRules) as refusal:
        logger.warning("no table of template %s can be opened: %s", template_id, refusal)
        return 0


def _close_deserted() -> int:
    """Close empty private tables that were opened some time ago. Return the number of tables closed.

    Tables of slow games and of clubs wait longer for their first player.
    """
    deserted = Table.objects.filter(
        seats_taken=0,
        status=TableStatus.WAITING,
        created_at__lt=Now() - PRIVATE_TABLE_WAITS,
        event_url="",
    ).exclude(invite_code="")
    awaited = Q(is_slow=True, match=None, created_at__gte=Now() - SLOW_TABLE_WAITS)
    of_club = Q(admission=Admission.CLUB, match=None, created_at__gte=Now() - CLUB_TABLE_WAITS)
    deserted = deserted.exclude(awaited | of_club)
    ids = list(deserted.values_list("pk", flat=True).order_by("pk"))
    return act_on_each(ids, transaction.atomic(close_if_empty), doing="closing a deserted table")


@transaction.atomic
def _supply(template_id: int) -> int:
    # Another run that has locked the template does the same work.
    rows = TableTemplate.objects.select_for_update(skip_locked=True, no_key=True)
    template = rows.filter(pk=template_id).first()
    if template is None:
        return 0
    joinable = list(_filter_joinable().filter(template=template))
    current = [table for table in joinable if _has_same_rules(template, table.game, table.rules)]
    others = any(table.seats_taken for table in current)
    empty = [table.pk for table in current if not table.seats_taken]
    if template.is_open and not empty and not others:
        open_from(template)
    kept = empty[:1] if template.is_open and not others else []
    needless = [table.pk for table in joinable if not table.seats_taken and table.pk not in kept]
    return sum(close_if_empty(pk) for pk in needless)


def _filter_joinable() -> QuerySet[Table]:
    """Return the tables that a player can join, the fullest first.

    A table with an entry fee is left out during its match.
    """
    tables = Table.objects.filter(JOINABLE).exclude(status=TableStatus.PLAYING, entry_fee__gt=0)
    return tables.defer("state", "next_seed").order_by("-seats_taken", "pk")


def open_from(template: TableTemplate) -> Table:
    return open_table(build_terms(template))


def build_terms(template: TableTemplate) -> TableTerms:
    stakes = template.stakes() | {"currency": Currency(template.currency)}
    return TableTerms(
        template_id=template.pk,
        preset=template.preset,
        house_rules=template.house_rules,
        **stakes,
    )


def close_if_empty(table_id: int) -> bool:
    """Lock a table, and close it if it is still empty. Return whether it was closed.

    A player may have sat down since the table was found empty.
    """
    table = lock_table(table_id, skip_locked=True)
    if table is None or table.status is not TableStatus.WAITING:
        return False
    row = Table.objects.get(pk=table_id)
    if row.seats_taken:
        return False
    row.status = TableStatus.CLOSED
    Table.objects.filter(pk=table_id).update(status=TableStatus.CLOSED, closed_at=Now())
    table.set_deadline(None)
    table.bot_due = None
    save_seating(table, row, [{"kind": "closed"}])
    return True


def play_now(
    *,
    template_id: int,
    user_id: int,
    amount: int | None = None,
    by_program: bool = False,
    origin: Origin = NOWHERE,
) -> TableChange:
    """Sit down at the fullest table of this kind, or at a new one.

    The stack is the default buy-in, or `amount` if it is given; 0 stands for the smallest buy-in. Raises a Refusal, or
    the wallet's InsufficientFunds; then nothing has changed.
    """
    template = TableTemplate.objects.filter(pk=template_id, is_open=True).first()
    if template is None:
        raise TableNotFound
    for table in _filter_joinable().filter(template=template)[:TABLES_TRIED]:
        if not _has_same_rules(template, table.game, table.rules):
            continue  # it was opened before the rules changed
        if table.sittings.filter(user_id=user_id, left_at__isnull=True).exists():
            continue
        try:
            return _sit(table, user_id, amount, by_program=by_program, origin=origin)
        except Refusal as refusal:
            if refusal.code not in _TRY_THE_NEXT:
                raise
    # Nobody sees the new table before this player has sat down; without enough chips it is not opened.
    with transaction.atomic():
        return _sit(open_from(template), user_id, amount, by_program=by_program, origin=origin)


def _sit(
    table: Table, user_id: int, amount: int | None, *, origin: Origin, by_program: bool = False
) -> TableChange:
    return take_seat(
        table_id=table.pk,
        user_id=user_id,
        amount=compute_usual_amount(table, user_id)
        if amount is None
        else amount or table.min_buy_in,
        invite=table.invite_code,
        by_program=by_program,
        origin=origin,
    )


def compute_usual_amount(table: Table, user_id: int) -> int:
    """Return the default buy-in for this player: twice the smallest one, if the wallet has that much."""
    waiting = get_waiting(table_id=table.pk, user_id=user_id)
    has = compute_purse(user_id, Currency(table.currency), waiting)
    return compute_usual_stack(table.min_buy_in, table.max_buy_in, has)


def compute_usual_stack(least: int, most: int, has: int) -> int:
    """Return twice the smallest buy-in, limited by the largest one and the wallet, but at least the smallest."""
    return max(least, min(least * USUAL_BUY_INS, most, has))


def check_stakes(*, game: str, rules: Any, seats: int, point_value: int) -> None:
    """Raise InvalidRules if the rule set does not support this number of players or this kind of stake."""
    format = get_format(game, get_game(game).money.get_format_code(rules))
    if seats not in format.seats:
        least, most = format.seats[0], format.seats[-1]
        raise InvalidRules(
            _("This game is for %(least)s to %(most)s players.") % {"least": least, "most": most}
        )
    if (format.stake == "per_point") != (point_value > 0):
        raise InvalidRules(_("Points tables need a point value, all other tables an entry fee."))
