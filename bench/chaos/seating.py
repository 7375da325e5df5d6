"""The people of a run, seated at tables of two: half of them against a practice bot."""

import random
from collections.abc import Sequence
from contextlib import suppress

from django.db import connection

from bench.chaos.players import Player
from bench.sitting import STACK, sit_down
from tables.refusals import Refusal
from tables.seating.opening import TableTerms, open_table
from tables.seating.sitting import top_up
from tests.tables.socket_client import session_of


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
            user = sit_down(table, f"chaos{number}-{seat}", seat)
            chance = random.Random(rng.random())  # noqa: S311 - no secret
            players.append(Player(address, table.pk, user.pk, session_of(user), chance))
    connection.close()
    return players


def bring_more(players: Sequence[Player]) -> None:
    """Top up players who have lost nearly everything, between two matches."""
    for player in players:
        stack = player.stack
        if stack is not None and stack < STACK // 4:
            with suppress(Refusal):
                top_up(table_id=player.table_id, user_id=player.user_id, amount=STACK - stack)
