"""Run by the Python of a machine's site: seats people at tables of two, and prints each table, user and session.

The site may run an older version, so this program uses as little of its code as possible.
"""

import json
import sys

import django

django.setup()

from django.test import Client  # noqa: E402 - the settings come first
from django.utils import timezone  # noqa: E402

from accounts.models import User  # noqa: E402
from tables.seating.opening import TableTerms, open_table  # noqa: E402
from tables.seating.sitting import take_seat  # noqa: E402
from wallet import api as wallet  # noqa: E402

STACK = 800


def seat(tables: int) -> list[tuple[int, int, str]]:
    wallet.set_starting_fees(valid_from=timezone.now())
    seated = []
    for number in range(tables):
        bots = number % 2
        terms = TableTerms(
            game="indian", preset="points", name=f"Rehearsal {number}", max_seats=2,
            point_value=1, bots_wanted=bots,
        )  # fmt: skip
        table = open_table(terms)
        for place in range(2 - bots):
            name = f"Player {table.pk} {place}"
            user = User.objects.create_user(
                f"{table.pk}-{place}@example.com", None, player_name=name
            )
            wallet.grant_welcome_chips(user_id=user.pk)
            take_seat(table_id=table.pk, user_id=user.pk, amount=STACK, number=place)
            client = Client()
            client.force_login(user)
            seated.append((table.pk, user.pk, client.cookies["sessionid"].value))
    return seated


print(json.dumps(seat(int(sys.argv[1]))))
