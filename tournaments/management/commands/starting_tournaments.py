from typing import Any

from django.core.management.base import BaseCommand

from tournaments.running.starting_schedule import make_starting_schedule


class Command(BaseCommand):
    help = (
        "Makes the templates of the starting schedule of tournaments, closed: for chips and free, of the "
        "offered games. Adds only what is missing; the administration switches them on."
    )

    def handle(self, *_args: Any, **_options: Any) -> None:
        made = make_starting_schedule()
        self.stdout.write(
            f"{len(made)} tournament templates made, closed. "
            "“Switch on the starting schedule” in their list opens them."
        )
