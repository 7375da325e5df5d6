"""The seed of the next deal: drawn and promised before it, written down when it is used."""

from tables.fairness import commitment, new_seed
from tables.locks import LockedTable
from tables.models import Deal, Table


def use_seed(table: LockedTable, *, number: int) -> None:
    """Record the seed that this deal of the running match has used, and draw the next one."""
    assert table.match_id is not None  # noqa: S101 - deals belong to matches
    Deal.objects.create(
        match_id=table.match_id,
        number=number,
        seed=table.next_seed,
        commitment=commitment(table.next_seed),
    )
    table.next_seed = new_seed()
    Table.objects.filter(pk=table.id).update(next_seed=table.next_seed)
