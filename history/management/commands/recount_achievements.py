from typing import Any

from django.core.management.base import BaseCommand

from history.archiving import read_changes
from players.ranking.achievements import DealFacts
from players.ranking.awards import deals_in, recount
from tables.models import Match


def _read_deals(match: Match) -> list[DealFacts]:
    changes = read_changes(match, only=["events"])
    return [deal for change in changes for deal in deals_in(change.events)]


class Command(BaseCommand):
    help = "Counts all finished matches towards achievements anew, from what was played."

    def handle(self, *_args: Any, **_options: Any) -> None:
        self.stdout.write(f"{recount(_read_deals)} matches.")
