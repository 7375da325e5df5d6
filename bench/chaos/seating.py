"""The people of a run, seated at tables of two: half of them against a practice bot."""

import random

from django.db import connection
from django.test import Client

from accounts.models import User
from bench.chaos.players import Player
from tables.services.opening import TableWish, open_table
from tables.services.seating import take_seat
from wallet import services as wallet

BUY_IN = 800


def seat_players(address: str, tables: int, rng: random.Random) -> list[Player]:
    players = []
    for number in range(tables):
        bots = number % 2
        table = open_table(
            TableWish(name=f"Chaos {number}", max_seats=2, point_value=1, bots_wanted=bots)
        )
        for seat in range(2 - bots):
            name = f"chaos{number}-{seat}"
            user = User.objects.create_user(f"{name}@example.com", None, player_name=name)
            wallet.grant_welcome_chips(user_id=user.pk)
            take_seat(table_id=table.pk, user_id=user.pk, amount=BUY_IN, number=seat)
            client = Client()
            client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
            session = client.cookies["sessionid"].value
            players.append(Player(address, table.pk, session, random.Random(rng.random())))  # noqa: S311 - no secret
    connection.close()
    return players
