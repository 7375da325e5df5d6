"""Reading a table: a person's standing and snapshot, changes since a version, and answers about a player's hand."""

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from django.db import connection

from accounts.models import PageShownTo
from core.database.prepared import Prepared, read_flag
from core.refusals import Refusal
from core.values.numbers import LARGEST_ID
from games.engine.base import JSON, Help, IllegalMove, Instant
from games.engine.game import GameFault
from games.registry import get_game
from tables.catalog import format_title
from tables.house_rules.facts import own_facts
from tables.models import (
    Change as StoredChange,
)
from tables.models import (
    ChangeKind,
    Seat,
    Table,
    TableStatus,
)
from tables.play.change import TableChange
from tables.play.seat_view import View, own_view, seats_view, table_view, with_ratings
from tables.play.stakes import NO_POT, pot_view
from tables.refusals import (
    HELP_FAILED,
    HELP_NOT_OFFERED,
    NO_MATCH,
    TABLE_OUT_OF_ORDER,
    NotSeated,
    TableNotFound,
)
from wallet.api import get_seat_balances
from wallet.money import Currency

logger = logging.getLogger(__name__)

# A client that missed more changes than this gets a snapshot instead: it is shorter.
LONGEST_CATCH_UP = 50


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A table as one person may see it, at one version."""

    epoch: str
    version: int
    now: Instant
    seat: int | None
    state: View


@dataclass(frozen=True, slots=True)
class Standing:
    """The epoch and version of a table, what it allows, and this person's seat."""

    epoch: str
    version: int
    allows_api_players: bool
    is_private: bool
    allows_watchers: bool
    is_sent_away: bool  # by the host
    seat: int | None
    seen_until: Instant  # they sat here until then, and saw everything; 0: never

    @property
    def may_watch(self) -> bool:
        """Return whether this person may see the game without a seat."""
        return self.allows_watchers and not self.is_sent_away


_standing = Prepared(
    "standing",
    """
SELECT t.epoch, t.version, t.allows_api_players, t.invite_code <> '',
       t.allows_watchers, t.sent_away @> ARRAY[$2::bigint] IS TRUE,
       CASE WHEN mine.left_at IS NULL THEN mine.number END,
       coalesce(round(extract(epoch FROM mine.left_at) * 1000)::bigint, 0)
  FROM tables_table t
  LEFT JOIN LATERAL (
         SELECT s.number, s.left_at FROM tables_seat s
          WHERE s.table_id = t.id AND s.user_id = $2::bigint
          ORDER BY s.left_at DESC NULLS FIRST  -- the sitting that has not ended
          LIMIT 1) mine ON true
 WHERE t.id = $1::bigint""",
    (bytes.decode, int, read_flag, read_flag, read_flag, read_flag, int, int),
)


def read_standing(*, table_id: int, user_id: int | None) -> Standing | None:
    """Return this person's standing, or None if there is no such table. Any integer is accepted as `table_id`."""
    if table_id > LARGEST_ID:
        return None
    found = _standing.first(table_id, user_id)
    return None if found is None else Standing(*found)


def read_database_time() -> Instant:
    """Return the database's time in milliseconds, read by a query. Deadlines are compared with that clock only."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
        return int(cursor.fetchone()[0])


def words_of_table(table_id: int) -> dict[str, Any]:
    """Return `shown_name`, `title` and `own_rules` (differences from the default rules), in the reader's language.

    These are not part of snapshots, because spectators of all languages share one. For a lesson `own_rules` is empty:
    its page explains that it gives more time.
    """
    table = Table.objects.defer("state").get(pk=table_id)
    rules = get_game(table.game).rules.load(table.rules)
    return {
        "shown_name": table.shown_name,
        "title": format_title(table),
        "own_rules": [] if table.is_lesson else own_facts(table.game, rules, is_free=table.is_free),
    }


def snapshot(*, table_id: int, user_id: int | None) -> Snapshot | None:
    """Return the whole state of a table as this user may see it, or None if there is no such table.

    For a user without a seat, the game is left out if the host allows no spectators. The game and the version are read
    in one query, so that they belong together.
    """
    table = Table.objects.select_related("match").filter(pk=table_id).first()
    if table is None:
        return None
    seated = Seat.objects.filter(table=table, left_at__isnull=True).select_related("user")
    sittings = list(with_ratings(seated, table))
    stacks = get_seat_balances(
        [sitting.pk for sitting in sittings], currency=Currency(table.currency)
    )
    seat = next((s.number for s in sittings if s.user_id == user_id), None)
    public, private, pot = _game_views(table, seat)
    if seat is None and not table.allows_watchers:
        public = None
    you: View = {"seat": seat, **get_game(table.game).view.nothing_private}
    if seat is not None:
        mine = next(s for s in sittings if s.number == seat)
        deferred = table.deferred_moves.get(str(seat))
        you |= {"deferred": deferred, "last_deal": mine.is_last_deal}
    you |= private
    return Snapshot(
        epoch=table.epoch,
        version=table.version,
        now=read_database_time(),
        seat=seat,
        state={
            "table": {**table_view(table), **pot},
            "seats": seats_view(table, sittings, stacks),
            "game": public,
            "rules": table.rules,
            "you": you,
        },
    )


def _game_views(table: Table, seat: int | None) -> tuple[View | None, View, View]:
    """Return the public view, the seat's private view and the pot.

    Without a match, or if the game fails, the public view is None, the private view is empty, and there is no pot.
    """
    if table.state is None:
        return None, {}, NO_POT
    game = get_game(table.game)
    try:
        state = game.stored.load(bytes(table.state))
        status = game.core.status(state)
        own = {} if seat is None or seat not in status.seats else own_view(game, state, seat)
        return game.view.public(state), own, pot_view(table, status)
    except GameFault:
        logger.exception("table %s cannot be shown", table.pk)
        return None, {}, NO_POT


def list_changes_since(*, table_id: int, version: int) -> list[TableChange] | None:
    """Return every change after `version`, oldest first.

    Return None if they are too many, or if some of them are no longer stored. A snapshot is needed then.
    """
    rows = StoredChange.objects.filter(table_id=table_id, version__gt=version).order_by("version")
    missed = list(
        rows.values("version", "kind", "at_ms", "events", "patch", "private")[
            : LONGEST_CATCH_UP + 1
        ]
    )
    if len(missed) > LONGEST_CATCH_UP:
        return None
    # Old changes are dropped with their day (history/days.py), so some may be missing anywhere.
    table = Table.objects.filter(pk=table_id)
    newest = missed[-1]["version"] if missed else table.values_list("version", flat=True).get()
    if newest != version + len(missed):
        return None
    return [
        TableChange(
            table_id=table_id,
            version=row["version"],
            kind=ChangeKind(row["kind"]),
            at=row["at_ms"],
            events=row["events"],
            patch=row["patch"],
            private=row["private"],
        )
        for row in missed
    ]


_secrets = Prepared(
    "secrets_since",
    """
SELECT count(*) FROM tables_change
 WHERE table_id = $1::bigint AND version IS NULL AND private ? $2::text
   AND id > (SELECT id FROM tables_change WHERE table_id = $1::bigint AND version = $3::bigint)""",
    (int,),
)


def has_secrets_since(*, table_id: int, seat: int, version: int) -> bool:
    """Return whether this seat has received a change without a version (an answer or an arrangement) since `version`.

    For an unknown version the result is False.
    """
    found = _secrets.first(table_id, str(seat), version)
    return bool(found and found[0])


_VERSIONS: Final = """
SELECT id, version, seats_taken - coalesce(cardinality(bot_seats), 0)
  FROM tables_table WHERE id = ANY(%s::bigint[])"""


def read_versions(table_ids: Iterable[int]) -> tuple[dict[int, tuple[int, int]], Instant]:
    """Return a mapping from table to its newest version and the number of people seated, and the database's time."""
    with connection.cursor() as cursor:
        cursor.execute(_VERSIONS, [list(table_ids)])
        return {pk: (version, people) for pk, version, people in cursor}, read_database_time()


def list_people_missing(here: Mapping[int, Collection[int]]) -> dict[int, dict[int, int]]:
    """Return a mapping from table to the seats that are not listed in `here`, each with the id of its player.

    Players who hide that they are online are left out, and so are slow games, in which players are seldom connected.
    """
    seats = Seat.objects.filter(
        table__in=list(here), left_at=None, bot_since=None, user__is_bot=False, table__is_slow=False
    ).exclude(user__online_shown_to=PageShownTo.NOBODY)
    missing: dict[int, dict[int, int]] = {}
    for table_id, seat, user in seats.values_list("table", "number", "user"):
        if seat not in here[table_id]:
            missing.setdefault(table_id, {})[seat] = user
    return missing


def answer_question(
    *, table_id: int, user_id: int | None, question: Mapping[str, JSON]
) -> dict[str, JSON]:
    """Answer a player's question about their own hand: `{"kind": ..., ...}`.

    Raises TableNotFound, NotSeated, NO_MATCH, HELP_NOT_OFFERED, or a Refusal with the game's code.
    """
    table, seat = _require_seat(table_id, user_id)
    help_offered = get_game(table.game).hand_help
    if help_offered is None:
        raise Refusal(HELP_NOT_OFFERED)
    needed = help_offered.questions.get(str(question.get("kind")))
    if needed is None or not _gives_help(table, needed):
        raise Refusal(HELP_NOT_OFFERED)
    with _as_refusals(table):
        return help_offered.answer(_load_running_state(table), seat, question)


def _gives_help(table: Table, needed: Help) -> bool:
    return table.helps_to_arrange if needed == "arrangement" else table.helps_to_declare


@contextmanager
def _as_refusals(table: Table) -> Iterator[None]:
    """Turn failures of the game into refusals. A question changes nothing, so the table stays in service."""
    try:
        yield
    except IllegalMove as illegal:
        raise Refusal(code=illegal.code, message=illegal.message) from illegal
    except GameFault as fault:
        logger.exception("table %s: a question of a player failed", table.pk)
        raise Refusal(HELP_FAILED) from fault


def _require_seat(table_id: int, user_id: int | None) -> tuple[Table, int]:
    table = Table.objects.filter(pk=table_id).first()
    if table is None:
        raise TableNotFound
    sittings = Seat.objects.filter(table=table, left_at__isnull=True)
    seat = None if user_id is None else sittings.filter(user_id=user_id).first()
    if seat is None:
        raise NotSeated
    return table, seat.number


def _load_running_state(table: Table) -> Any:
    if table.state is None or table.status != TableStatus.PLAYING:
        raise Refusal(NO_MATCH)
    if table.broken_at is not None:
        raise Refusal(TABLE_OUT_OF_ORDER)
    return get_game(table.game).stored.load(bytes(table.state))
