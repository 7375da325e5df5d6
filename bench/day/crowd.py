"""A crowd of players at their tables, with what the jobs look through: made by SQL of one real table.

Everything refers to rows that are there, and states and rules are real ones; only names, addresses
and stakes repeat. Nobody of them has money or an open page.
"""

import psycopg

from accounts.models import PushSubscription, User
from bench.clones import clone, owner
from bench.sitting import seat_people
from tables.models import DayTotal, Match, PlayerRating, Seat, Table, TableTemplate
from tables.seating.supply import open_from
from tests.tables.driving import act, game_view

SEATS = 4
TEMPLATES = 40
# One in twenty tables waits for players, with one person at it; one in ten players has asked for
# turn alerts on a device; a player has played on three days.
WAITING = 20
WANT_ALERTS = 10
DAYS = 3


def make_crowd(players: int) -> Table:
    """Return the real table, in its first turn. Its clones stand like it, without a deadline."""
    templates = [_template(number) for number in range(TEMPLATES)]
    table = open_from(templates[0])
    people = seat_people(table, "crowd", SEATS)
    act(table, game_view(table)["turn"], kind="draw", source="closed")
    with owner() as database:
        with database.transaction():
            _clone_all(database, table, people[0], templates, players)
        database.execute(b"VACUUM ANALYZE")
    return table


def _template(number: int) -> TableTemplate:
    return TableTemplate.objects.create(
        name=f"Crowd {number}", game="indian", preset="points", max_seats=SEATS, point_value=1
    )


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
    clone(
        database,
        User,
        f"id = {first_user}",
        f"1, {players + SEATS}",
        {
            "id": f"{first_user + SEATS - 1} + n",
            "email": "'crowd' || n || '@crowd.example'",
            "player_name": "'player ' || n",
        },
    )
    waits = f"n % {WAITING} = 0"
    clone(
        database,
        Table,
        f"id = {first_table}",
        f"1, {tables - 1}",
        {
            "id": f"{first_table} + n",
            "template_id": template,
            "status": f"CASE WHEN {waits} THEN 'WAITING' ELSE status END",
            "match_id": f"CASE WHEN {waits} THEN NULL ELSE {first_match} + n END",
            "deadline_at": "NULL",
            "bot_due_at": "NULL",
        },
    )
    clone(
        database,
        Match,
        f"id = {first_match}",
        f"1, {tables - 1}",
        {"id": f"{first_match} + n", "table_id": f"{first_table} + n"},
    )
    clone(
        database,
        Seat,
        f"table_id = {first_table} AND (NOT {waits} OR number = 0)",
        f"1, {tables - 1}",
        {
            "id": None,
            "table_id": f"{first_table} + n",
            "user_id": f"{first_user} + {SEATS} * n + number",
            # Nobody has a page open here; they have been told.
            "away_since": "now()",
            "away_told_at": "now()",
        },
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
