"""Signals about people that the tables react to."""

from typing import Any

from accounts.people.closing import player_barred
from tables.seating.barring import let_barred_go, tables_of_barred


def stand_up(user_id: int, **_signal: Any) -> None:
    """Take a player off all tables when they may no longer play. The tick repeats what fails here."""
    for table_id in tables_of_barred(user_id=user_id):
        let_barred_go(table_id)


def connect() -> None:
    player_barred.connect(stand_up, dispatch_uid="tables.stand_up")
