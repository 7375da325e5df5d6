"""People who sit down at a table and begin to play, for benchmarks on a database of their own."""

from django.db.models.functions import Now

from accounts.models import User
from tables.live.clock import act_on_table
from tables.models import Table
from tables.seating.sitting import take_seat
from wallet import api as wallet

STACK = 800


def seat_people(table: Table, name: str, seats: int) -> list[User]:
    """New ones with welcome chips, called by `name` and the seat; in their order. The first deal is dealt."""
    people = []
    for seat in range(seats):
        own = f"{name}{seat}"
        user = User.objects.create_user(f"{own}@example.com", None, player_name=own)
        wallet.grant_welcome_chips(user_id=user.pk)
        take_seat(table_id=table.pk, user_id=user.pk, amount=STACK, number=seat)
        people.append(user)
    Table.objects.filter(pk=table.pk).update(deadline_at=Now())
    act_on_table(table.pk)
    return people
