from typing import Any

from django.core.management.base import BaseCommand

from tables.seating.starting_tables import make_starting_tables


class Command(BaseCommand):
    help = (
        "Makes what a new site begins with: fees of 10 percent, rules of withdrawals and tax, "
        "practice bots, tables for chips. Adds only what there is none of; no accounts."
    )

    def handle(self, *_args: Any, **_options: Any) -> None:
        templates, tables = make_starting_tables()
        self.stdout.write(
            f"{templates} table templates, {tables} tables. "
            "Fees and templates are changed in the administration."
        )
