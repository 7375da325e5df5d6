"""Celery tasks that may run a second late. Each reads the database and does what is due."""

from celery import shared_task

from core.database.each import act_on_each
from tables.live.alerts import call_players, notify_absent
from tables.live.slow_games import maintain_slow_games
from tables.play.split_offers import open_split_offers
from tables.play.start import follow_fee, list_tables_with_old_fee
from tables.seating.barring import list_tables_of_barred, release_barred
from tables.seating.queue import list_due_queues, maintain_queue
from tables.seating.supply import keep_supplied


@shared_task(name="tables.keep_supplied")
def keep_tables_supplied() -> int:
    """Supply every open template with a table to join. Return the number of closed tables."""
    return keep_supplied()


@shared_task(name="tables.follow_fees")
def follow_fees() -> int:
    """Let tables adopt new fees. Return the number of changed tables."""
    return act_on_each(
        list_tables_with_old_fee(),
        lambda table_id: follow_fee(table_id) is not None,
        doing="adopting a new fee",
    )


@shared_task(name="tables.open_split_offers")
def open_due_split_offers() -> int:
    """Make the split offers that are due. Return the number of tables with a change."""
    return open_split_offers()


@shared_task(name="tables.maintain_queues")
def maintain_queues() -> int:
    """Reserve free seats for waiting players. Return the number of seats reserved."""
    return act_on_each(
        list_due_queues(),
        lambda table_id: len(maintain_queue(table_id)),
        doing="offering a free chair",
    )


@shared_task(name="tables.stand_up_barred")
def stand_up_barred() -> int:
    """Stand up players who may no longer play. Return the number of tables changed."""
    return act_on_each(
        list_tables_of_barred(),
        lambda table_id: release_barred(table_id) is not None,
        doing="standing up barred players",
    )


@shared_task(name="tables.call_players")
def call_absent_players() -> int:
    """Alert absent players who are to move. Return the number of alerts."""
    return call_players()


@shared_task(name="tables.notify_absent")
def notify_absent_players() -> int:
    """Notify players without an open page that they are still seated. Return their number."""
    return notify_absent()


@shared_task(name="tables.maintain_slow_games")
def maintain_all_slow_games() -> int:
    """Notify players of slow games. Return the number of messages."""
    return maintain_slow_games()
