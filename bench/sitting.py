"""People at tables for benchmarks on a database of their own: seated, signed in, a deal begun anew."""

import time
from datetime import timedelta

from django.db.models.functions import Now
from django.utils import timezone

from accounts.models import User
from games.registry import get_game
from tables.live.clock import act_on_table
from tables.models import Seat, Table
from tables.seating.opening import TableTerms, open_table
from tables.seating.sitting import take_seat
from wallet import api as wallet

STACK = 800


def open_tables(number: int, seats: int, name: str, game: str = "indian") -> list[Table]:
    """Open tables of points with new people in every seat, in their first turn."""
    wallet.set_starting_fees(valid_from=timezone.now())
    tables = []
    for index in range(number):
        terms = TableTerms(
            game=game, preset="points", name=f"{name} {index}", max_seats=seats, point_value=1
        )
        table = open_table(terms)
        seat_people(table, f"{name.lower()}{table.pk}-", seats)
        tables.append(table)
    return tables


def seat_people(table: Table, name: str, seats: int) -> list[User]:
    """Seat new people with welcome chips, named `name` and the seat, and deal the first deal."""
    people = [sit_down(table, f"{name}{seat}", seat) for seat in range(seats)]
    Table.objects.filter(pk=table.pk).update(deadline_at=Now())
    act_on_table(table.pk)
    return people


def sit_down(table: Table, name: str, seat: int) -> User:
    user = User.objects.create_user(f"{name}@example.com", None, player_name=name)
    wallet.grant_welcome_chips(user_id=user.pk)
    take_seat(table_id=table.pk, user_id=user.pk, amount=STACK, number=seat)
    return user


def people_at(table: Table) -> list[User]:
    """Return the people in their order."""
    seats = Seat.objects.filter(table=table, left_at=None).select_related("user")
    return [seat.user for seat in seats.order_by("number")]


def begin_anew(table_id: int, seats: int = 2) -> None:
    """Begin the same first deal again, with the first seat at turn."""
    game = get_game(Table.objects.values_list("game", flat=True).get(pk=table_id))
    rules = game.rules.preset("points")
    order = tuple(range(seats))
    begun = game.core.start(rules=rules, seats=order, toss=False, seed=bytes(32), now=0)
    state = game.core.postpone(begun.state, by_ms=int(time.time() * 1000))
    Table.objects.filter(pk=table_id).update(
        state=game.stored.dump(state), deadline_at=timezone.now() + timedelta(days=1)
    )
