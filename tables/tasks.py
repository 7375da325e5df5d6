"""Jobs that may run a second late; each looks at the database and does what is due."""

from celery import shared_task

from tables.broadcast import announce_from_thread
from tables.services.supply import keep_supplied


@shared_task(name="tables.keep_supplied")
def keep_tables_supplied() -> int:
    """The number of tables that were closed because nobody sat at them."""
    steps = keep_supplied()
    announce_from_thread(steps)
    return len(steps)
