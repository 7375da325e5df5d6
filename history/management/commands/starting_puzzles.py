from typing import Any

from django.core.management.base import BaseCommand

from history.puzzles.making import make_starting_puzzles


class Command(BaseCommand):
    help = "Makes the puzzles that a new site begins with, out of deals between bots; once."

    def handle(self, *_args: Any, **_options: Any) -> None:
        self.stdout.write(f"{make_starting_puzzles()} puzzles.")
