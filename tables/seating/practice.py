"""Free tables against practice bots, opened by players' programs."""

from typing import Any, cast

from django.db import connection, transaction

from accounts.models.sessions import NOWHERE, Origin
from core.database.advisory_locks import AdvisoryLock
from games.engine.base import Strength
from games.registry import get_game
from tables.catalog import fit_bot_strength
from tables.models import Table, TableStatus
from tables.seating.hosting.private_tables import HostTerms, build_table_terms, open_hosted_table
from tables.seating.hosting.services import start_table
from tables.seating.opening import build_rules
from tables.seating.selectors import select_own_seats
from tables.seating.supply import close_if_empty


def build_practice_terms(*, game: str, preset: str, seats: int, strength: Strength) -> HostTerms:
    """Build the terms of a table against bots of this strength, or of the game's best one."""
    return HostTerms(
        game=game,
        preset=preset,
        seats=seats,
        fills_with_bots=True,
        bot_strength=cast("Strength", fit_bot_strength(game, strength)),
        allows_programs=True,
        allows_chat=False,
    )


@transaction.atomic
def open_practice(
    terms: HostTerms,
    *,
    user_id: int,
    another: bool = False,
    by_program: bool = False,
    origin: Origin = NOWHERE,
) -> tuple[int, bool]:
    """Seat the player at a free table against practice bots, where the first match begins at once.

    Return the table's id, and whether the player sat there already. A program that restarts thus finds its seat again,
    unless it asks for `another`. Raises InvalidRules or a Refusal; then there is no new table.
    """
    if not another:
        wait_for_own_seat(user_id)
    if not another and (found := _find_own(terms, user_id)) is not None:
        return found, True
    for table_id in _list_deserted(user_id):
        close_if_empty(table_id)
    table = open_hosted_table(terms, user_id=user_id, by_program=by_program, origin=origin)
    start_table(table_id=table.pk, user_id=user_id)
    return table.pk, False


def _list_deserted(user_id: int) -> list[int]:
    """Return the ids of the player's empty practice tables.

    The caller closes them, so that the limit of tables does not include them.
    """
    tables = Table.objects.filter(
        opened_by=user_id,
        status=TableStatus.WAITING,
        seats_taken=0,
        bots_wanted__gt=0,
        allows_api_players=True,
    )
    return list(tables.exclude(invite_code="").order_by("pk").values_list("pk", flat=True))


def _find_own(terms: HostTerms, user_id: int) -> int | None:
    """Return the id of the player's oldest practice table with these terms at which the player sits, or None."""
    tables = Table.objects.filter(
        opened_by=user_id,
        game=terms.game,
        rules=get_game(terms.game).rules.json(build_rules(build_table_terms(terms, user_id))),
        max_seats=terms.seats,
        bots_wanted=terms.seats - 1,
        bot_strength=terms.bot_strength,
        allows_api_players=True,
        broken_at=None,
        closing_at=None,
    ).exclude(status=TableStatus.CLOSED)
    own = select_own_seats(user_id).filter(table__in=tables)
    return own.order_by("joined_at", "pk").values_list("table_id", flat=True).first()


def find_own_seat(*, template_id: int, user_id: int) -> int | None:
    """Return the id of the table of this kind at which the player sits, or None.

    Of several, it is the one joined first.
    """
    own: Any = select_own_seats(user_id).filter(table__template=template_id)
    found: int | None = own.order_by("joined_at", "pk").values_list("table_id", flat=True).first()
    return found


def wait_for_own_seat(user_id: int) -> None:
    """Take a lock for this player's search for a seat, and hold it until the transaction ends.

    Without it, a program that is started twice at the same time would not find its own seat, and would take two.
    """
    with connection.cursor() as cursor:
        key = [AdvisoryLock.SEATING_PROGRAMS, user_id]
        cursor.execute("SELECT pg_advisory_xact_lock(%s, hashint8(%s))", key)
