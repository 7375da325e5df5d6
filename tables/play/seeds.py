"""The seed of the next deal: drawn and promised before it, written down when it is used."""

from django.db import transaction

from games.registry import get_game
from tables.models import Deal, Table
from tables.play.fairness import CLIENT_SEED, commitment, new_seed
from tables.play.locks import LockedTable, lock_table
from tables.refusals import NotSeated, SeedNotTaken, TableNotFound


def use_seed(table: LockedTable, *, number: int) -> None:
    """Record the seeds that this deal of the running match has used, and draw the next one."""
    assert table.match_id is not None  # noqa: S101 - a deal belongs to a match
    Deal.objects.create(
        match_id=table.match_id,
        number=number,
        seed=table.next_seed,
        client_seeds=table.client_seeds,
        commitment=commitment(table.next_seed),
    )
    table.next_seed, table.client_seeds = new_seed(), {}
    Table.objects.filter(pk=table.id).update(next_seed=table.next_seed, client_seeds={})


@transaction.atomic
def add_client_seed(*, table_id: int, user_id: int, promise: str, seed: str) -> None:
    """Take a player's part of the next deal's seed: 32 hex digits, once, for the promise they saw.

    Raises TableNotFound, NotSeated or SeedNotTaken; then nothing has changed.
    """
    table = lock_table(table_id, user_id=user_id)
    if table is None:
        raise TableNotFound
    if table.seat is None:
        raise NotSeated
    lesson = get_game(table.game).lesson
    if lesson is not None and table.next_seed == lesson.seed:
        raise SeedNotTaken  # a chosen deal stays the one that was chosen
    is_new = str(table.seat) not in table.client_seeds
    if not is_new or not CLIENT_SEED.fullmatch(seed) or promise != commitment(table.next_seed):
        raise SeedNotTaken
    seeds = {**table.client_seeds, str(table.seat): seed}
    Table.objects.filter(pk=table_id).update(client_seeds=seeds)
