"""The people of a run, seated at tables of two: half of them against a practice bot."""

import random
from collections.abc import Sequence
from contextlib import suppress

from django.db import connection
from django.test import Client

from accounts.models import User
from bench.chaos.players import Player
from tables.refusals import Refusal
from tables.seating.opening import TableTerms, open_table
from tables.seating.sitting import take_seat, top_up
from wallet import api as wallet

BUY_IN = 800


def seat_players(address: str, tables: int, rng: random.Random) -> list[Player]:
    players = []
    for number in range(tables):
        bots = number % 2
        table = open_table(
            TableTerms(
                game="indian",
                preset="points",
                name=f"Chaos {number}",
                max_seats=2,
                point_value=1,
                bots_wanted=bots,
            )
        )
        for seat in range(2 - bots):
            name = f"chaos{number}-{seat}"
            user = User.objects.create_user(f"{name}@example.com", None, player_name=name)
            wallet.grant_welcome_chips(user_id=user.pk)
            take_seat(table_id=table.pk, user_id=user.pk, amount=BUY_IN, number=seat)
            client = Client()
            client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
            session = client.cookies["sessionid"].value
            chance = random.Random(rng.random())  # noqa: S311 - no secret
            players.append(Player(address, table.pk, user.pk, session, chance))
    connection.close()
    return players


def bring_more(players: Sequence[Player]) -> None:
    """Top up players who have lost nearly everything, between two matches."""
    for player in players:
        stack = player.stack
        if stack is not None and stack < BUY_IN // 4:
            with suppress(Refusal):
                top_up(table_id=player.table_id, user_id=player.user_id, amount=BUY_IN - stack)
