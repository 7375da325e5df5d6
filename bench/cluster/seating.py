"""The people of a run: two at each table, and some with a match that is over."""

import random
from collections.abc import Iterator

from django.db import connection

from bench.chaos.players import Player
from bench.cluster.readers import Reader
from bench.processes import unverified_tls
from bench.sockets import prepare
from tables.models import Match, Seat
from tables.play.move import MoveRequest, play_move

# Browsers ping as often.
PING_SECONDS = 2.5


def seat_players(address: str, tables: int, pace: tuple[float, float]) -> list[Player]:
    """Each comes from an address of its own, as people do."""
    chance = random.Random(1)  # noqa: S311 - no secret
    addresses, tls = _addresses(), unverified_tls()
    players = []
    for one in prepare(tables, 2):
        users = Seat.objects.filter(table_id=one.table_id).order_by("number")
        for seat, session in zip(users, one.sessions, strict=True):
            own = random.Random(chance.random())  # noqa: S311 - no secret
            player = Player(address, one.table_id, seat.user_id, session, own)
            player.pace, player.ping_seconds = pace, PING_SECONDS
            player.tls, player.comes_from = tls, next(addresses)
            players.append(player)
    connection.close()
    return players


def seat_readers(address: str, number: int) -> list[Reader]:
    """Each has played a match, which the other has left."""
    readers = []
    for one in prepare(number, 2):
        seats = Seat.objects.filter(table_id=one.table_id).order_by("number")
        leaving = seats[0].user_id
        play_move(MoveRequest(table_id=one.table_id, user_id=leaving, move={"kind": "leave"}))
        match = Match.objects.get(table_id=one.table_id)
        readers.append(Reader(address, match.pk, one.sessions[1]))
    connection.close()
    return readers


def _addresses() -> Iterator[str]:
    return (f"127.1.{number // 250}.{number % 250 + 1}" for number in range(60_000))
