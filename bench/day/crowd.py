"""So many players at so many tables, with what the jobs look through: made by SQL of one real table.

Everything refers to rows that are there, and states and rules are real ones; only names, addresses
and stakes repeat. Nobody of them has money or an open page.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import psycopg
from django.db import models

from accounts.models import PushSubscription, User
from bench.growth import move
from bench.sitting import seat_people
from games.registry import GAMES
from tables.models import DayTotal, Match, PlayerRating, Seat, Table, TableTemplate
from tables.seating.supply import open_from

SEATS = 4
TEMPLATES = 40
# One in twenty tables waits for players, with one person at it; one in ten players has asked for
# turn alerts on a device; a player has played on three days.
WAITING = 20
WANT_ALERTS = 10
DAYS = 3


def make_crowd(players: int) -> Table:
    """Returns the real table, in its first turn. Its clones stand like it, and have no deadline."""
    templates = [_template(number) for number in range(TEMPLATES)]
    table = open_from(templates[0])
    people = seat_people(table, "crowd", SEATS)
    move(table, people[_at_turn(table)], {"kind": "draw", "source": "closed"})
    with owner() as database:
        with database.transaction():
            _clone_all(database, table, people[0], templates, players)
        database.execute(b"VACUUM ANALYZE")
    return table


def _template(number: int) -> TableTemplate:
    return TableTemplate.objects.create(
        name=f"Crowd {number}", game="indian", preset="points", max_seats=SEATS, point_value=1
    )


def _at_turn(table: Table) -> int:
    table.refresh_from_db()
    game = GAMES[table.game]
    return int(game.core.status(game.stored.load(bytes(table.state or b""))).acting[0])


def _clone_all(
    database: psycopg.Connection,
    table: Table,
    user: User,
    templates: list[TableTemplate],
    players: int,
) -> None:
    tables = players // SEATS
    first_table, first_match, first_user = table.pk, Match.objects.get(table=table).pk, user.pk
    template = f"{templates[0].pk} + n % {len(templates)}"
    _clone(
        database,
        User,
        f"id = {first_user}",
        f"generate_series(1, {players + SEATS}) AS n",
        {
            "id": f"{first_user + SEATS - 1} + n",
            "email": "'crowd' || n || '@crowd.example'",
            "player_name": "'player ' || n",
        },
    )
    waits = f"n % {WAITING} = 0"
    _clone(
        database,
        Table,
        f"id = {first_table}",
        f"generate_series(1, {tables - 1}) AS n",
        {
            "id": f"{first_table} + n",
            "template_id": template,
            "status": f"CASE WHEN {waits} THEN 'WAITING' ELSE status END",
            "match_id": f"CASE WHEN {waits} THEN NULL ELSE {first_match} + n END",
            "deadline_at": "NULL",
            "bot_due_at": "NULL",
        },
    )
    _clone(
        database,
        Match,
        f"id = {first_match}",
        f"generate_series(1, {tables - 1}) AS n",
        {"id": f"{first_match} + n", "table_id": f"{first_table} + n"},
    )
    _clone(
        database,
        Seat,
        f"table_id = {first_table}",
        f"generate_series(1, {tables - 1}) AS n",
        {
            "id": None,
            "table_id": f"{first_table} + n",
            "user_id": f"{first_user} + {SEATS} * n + number",
            # Nobody has a page open here; they have been told.
            "away_since": "now()",
            "away_told_at": "now()",
        },
        also=f"AND (NOT {waits} OR number = 0)",
    )
    _fill_boards(database, first_user, players)
    database.execute(
        f"INSERT INTO {PushSubscription._meta.db_table}"  # noqa: S608, SLF001 - our own names
        " (user_id, endpoint, p256dh, auth, device, created_at)"
        " SELECT id, 'https://push.example/' || id, 'p', 'a', '', now() FROM accounts_user"
        f" WHERE id % {WANT_ALERTS} = 0".encode()
    )
    for model in (User, Table, Match, Seat):
        name = model._meta.db_table  # noqa: SLF001 - Django's own
        database.execute(
            f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), max(id)) FROM {name}".encode()  # noqa: S608
        )


def _fill_boards(database: psycopg.Connection, first_user: int, players: int) -> None:
    user = f"{first_user + SEATS - 1} + n"
    database.execute(
        f"INSERT INTO {DayTotal._meta.db_table}"  # noqa: S608, SLF001 - our own names
        " (user_id, game, format, day, chips, matches, rated_matches)"
        f" SELECT {user}, 'indian', 'POINTS', current_date - d, n % 1000 - 500, 8, 8"
        f" FROM generate_series(1, {players}) AS n, generate_series(0, {DAYS - 1}) AS d".encode()
    )
    database.execute(
        f"INSERT INTO {PlayerRating._meta.db_table}"  # noqa: S608, SLF001 - our own names
        " (user_id, game, format, value, deviation, volatility, matches, rated_at)"
        f" SELECT {user}, 'indian', 'POINTS', 1500 + n % 700, 60, 0.06, 24, now()"
        f" FROM generate_series(1, {players}) AS n".encode()
    )


@contextmanager
def owner() -> Iterator[psycopg.Connection]:
    """A connection that may write everything and take its time."""
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as database:
        database.execute(b"SET statement_timeout = 0")
        yield database


def _clone(
    database: psycopg.Connection,
    model: type[models.Model],
    which: str,
    times: str,
    values: Mapping[str, str | None],
    also: str = "",
) -> None:
    """The rows once for each `n`, with other `values`; a column whose value is None is left to the
    database."""
    meta = model._meta  # noqa: SLF001 - Django's own
    generated = {field.column for field in meta.concrete_fields if field.generated}
    names = [str(field.column) for field in meta.concrete_fields]
    names = [name for name in names if name not in generated]
    names = [name for name in names if values.get(name, "") is not None]
    columns = ", ".join(f'"{name}"' for name in names)
    selected = ", ".join(values.get(name) or f'"{name}"' for name in names)
    database.execute(
        f"INSERT INTO {meta.db_table} ({columns})"  # noqa: S608 - our own names
        f" SELECT {selected} FROM {meta.db_table}, {times} WHERE {which} {also}".encode()
    )
