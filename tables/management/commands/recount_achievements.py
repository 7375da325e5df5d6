from typing import Any

from django.core.management.base import BaseCommand

from tables.history.archiving import changes_of
from tables.models import Match
from tables.ranking.achievements import DealFacts
from tables.ranking.awards import deals_in, recount


def _deals_of(match: Match) -> list[DealFacts]:
    changes = changes_of(match, only=["events"])
    return [deal for change in changes for deal in deals_in(change.events)]


class Command(BaseCommand):
    help = "Counts all finished matches towards achievements anew, from what was played."

    def handle(self, *_args: Any, **_options: Any) -> None:
        self.stdout.write(f"{recount(_deals_of)} matches.")
