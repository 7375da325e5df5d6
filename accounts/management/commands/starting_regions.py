from typing import Any

from django.core.management.base import BaseCommand

from accounts.identity.regions import add_regions_of_india


class Command(BaseCommand):
    help = "Adds the states and territories of India as regions, each with cash allowed."

    def handle(self, *_args: Any, **_options: Any) -> None:
        count = add_regions_of_india()
        self.stdout.write(
            f"{count} regions were added; say in the administration where cash is not."
        )
