from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError

from wallet.ledger.database import NotTheOwnerError, partition_ledger, tidy

MANY = 20_000_000


class Command(BaseCommand):
    help = (
        "Sets the ledger entries written so far apart in a table of their own, if there are many; "
        "they are read as before. Postings wait for a moment meanwhile. Once a month is enough."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--above", type=int, default=MANY, help=f"how many are many ({MANY:,})")

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            part = partition_ledger(above=options["above"])
        except NotTheOwnerError:
            raise CommandError(
                "Only the owner of the tables can do this: set DATABASE_AS_OWNER=1."
            ) from None
        except OperationalError as error:
            raise CommandError(
                f"The entries were in use, nothing has changed; run it again later. ({error})"
            ) from error
        if part is None:
            self.stdout.write(f"There are fewer than {options['above']:,} entries to set apart.")
            return
        tidy(part)
        self.stdout.write(f"Set apart as {part}.")
