"""Seated and signed-in players for benchmarks on a database of their own, and restarting a deal."""

import time
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta

from django.db import connection
from django.db.models.functions import Now
from django.utils import timezone

from accounts.models import User
from bench.chaos.players import Player
from bench.play import make_random
from core.refusals import Refusal
from games.indian.game import GAME
from tables.live.clock import act_on_table
from tables.models import Seat, Table
from tables.seating.opening import TableTerms, open_table
from tables.seating.sitting import take_seat, top_up
from tests.tables.socket_client import session_of
from wallet import api as wallet

STACK = 800


def open_tables(number: int, seats: int, name: str) -> list[Table]:
    """Open tables of points rummy with new players in every seat, at the first turn of a deal."""
    wallet.set_starting_fees(valid_from=timezone.now())
    tables = []
    for index in range(number):
        table = _open(f"{name} {index}", seats)
        for seat in range(seats):
            sit_down(table, f"{name.lower()}{table.pk}-{seat}", seat)
        Table.objects.filter(pk=table.pk).update(deadline_at=Now())
        act_on_table(table.pk)
        tables.append(table)
    return tables


def _open(name: str, seats: int, *, bots: int = 0) -> Table:
    return open_table(
        TableTerms(
            game=GAME.code,
            preset="points",
            name=name,
            max_seats=seats,
            point_value=1,
            bots_wanted=bots,
        )
    )


def sit_down(table: Table, name: str, seat: int) -> User:
    user = User.objects.create_user(f"{name}@example.com", None, player_name=name)
    wallet.grant_welcome_chips(user_id=user.pk)
    take_seat(table_id=table.pk, user_id=user.pk, amount=STACK, number=seat)
    return user


def people_at(table: Table) -> list[User]:
    """Return the players at a table in the order of their seats."""
    seats = Seat.objects.filter(table=table, left_at=None).select_related("user")
    return [seat.user for seat in seats.order_by("number")]


def begin_anew(table_id: int, seats: int) -> None:
    """Restart the same first deal, with the first seat to move."""
    rules = GAME.rules.preset("points")
    order = tuple(range(seats))
    begun = GAME.core.start(rules=rules, seats=order, toss=False, seed=bytes(32), now=0)
    state = GAME.core.postpone(begun.state, by_ms=int(time.time() * 1000))
    Table.objects.filter(pk=table_id).update(
        state=GAME.stored.dump(state), deadline_at=timezone.now() + timedelta(days=1)
    )


def seat_players(address: str, tables: int, seed: int) -> list[Player]:
    """Seat players at tables for two. At every second table the opponent is a practice bot."""
    wallet.set_starting_fees(valid_from=timezone.now())
    chance = make_random(seed)
    players = []
    for number in range(tables):
        bots = number % 2
        table = _open(f"Table {number}", 2, bots=bots)
        for seat in range(2 - bots):
            user = sit_down(table, f"player{number}-{seat}", seat)
            own = make_random(chance.random())
            players.append(Player(address, table.pk, user.pk, session_of(user), own))
    connection.close()
    return players


def bring_more(players: Sequence[Player]) -> None:
    """Top up players who have lost nearly all their chips. Refused top-ups, such as during a match, are skipped."""
    for player in players:
        stack = player.stack
        if stack is not None and stack < STACK // 4:
            with suppress(Refusal):
                top_up(table_id=player.table_id, user_id=player.user_id, amount=STACK - stack)
