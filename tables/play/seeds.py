"""The seed of a deal: the server's commitment, the players' parts, and the record of its use.

docs/fairness.md explains it; tools/verify_deal.py recomputes it from a record.
"""

import hashlib
import re
import secrets
from collections.abc import Mapping
from typing import Final

from django.db import transaction

from core.refusals import Refusal
from games.registry import get_game
from tables.models import Deal, Table
from tables.play.lock import LockedTable, lock_table
from tables.refusals import SEED_NOT_TAKEN, NotSeated, TableNotFound

SEED_BYTES = 32
CLIENT_SEED: Final = re.compile(r"[0-9a-f]{32}")


def new_seed() -> bytes:
    return secrets.token_bytes(SEED_BYTES)


def compute_commitment(seed: bytes) -> str:
    """Return the hex SHA-256 of the server's seed: shown before the deal, checked against the seed after it."""
    return hashlib.sha256(seed).hexdigest()


def deal_seed(server_seed: bytes, client_seeds: Mapping[str, str]) -> bytes:
    """Return the seed of a deal. `client_seeds` maps seats to their parts of 32 hex digits.

    The server committed to its part before it knew the players' parts, and the players chose theirs without knowing the
    server's. If no player has added a part, the server's part is the seed of the deal.
    """
    if not client_seeds:
        return server_seed
    added = ",".join(f"{seat}:{client_seeds[seat]}" for seat in sorted(client_seeds))
    return hashlib.sha256(server_seed + b"|" + added.encode("ascii")).digest()


def seed_of_next_deal(table: LockedTable) -> bytes:
    """Return the seed that the next deal would have if it were dealt now."""
    return deal_seed(table.next_seed, table.client_seeds)


def use_seed(table: LockedTable, *, number: int) -> None:
    """Record the seeds that this deal of the running match uses, and draw the server's seed for the next one."""
    assert table.match_id is not None  # noqa: S101 - a deal belongs to a match
    Deal.objects.create(
        table_id=table.id,
        match_id=table.match_id,
        number=number,
        seed=table.next_seed,
        client_seeds=table.client_seeds,
        commitment=compute_commitment(table.next_seed),
    )
    table.next_seed, table.client_seeds = new_seed(), {}
    Table.objects.filter(pk=table.id).update(next_seed=table.next_seed, client_seeds={})


@transaction.atomic
def add_client_seed(*, table_id: int, user_id: int, promise: str, seed: str) -> None:
    """Add a player's part of the next deal's seed: 32 hex digits, once, for the commitment that they saw.

    Raises TableNotFound, NotSeated or SEED_NOT_TAKEN; then nothing has changed.
    """
    table = lock_table(table_id, user_id=user_id)
    if table is None:
        raise TableNotFound
    if table.seat is None:
        raise NotSeated
    lesson = get_game(table.game).lesson
    if lesson is not None and table.next_seed == lesson.seed:
        raise Refusal(SEED_NOT_TAKEN)  # a prepared deal keeps its seed
    is_new = str(table.seat) not in table.client_seeds
    if (
        not is_new
        or not CLIENT_SEED.fullmatch(seed)
        or promise != compute_commitment(table.next_seed)
    ):
        raise Refusal(SEED_NOT_TAKEN)
    seeds = {**table.client_seeds, str(table.seat): seed}
    Table.objects.filter(pk=table_id).update(client_seeds=seeds)
