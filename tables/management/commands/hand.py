import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from tables.games.indian.hand_tool import FIELDS, answer


class Command(BaseCommand):
    help = (
        "Answers questions about hands: JSON lines on standard input, one answer line for each. "
        "check: which kind each group is, and whether it is a valid declaration; "
        "score: what a loser's groups count; arrange: the least count of 13 or 14 cards."
    )
    requires_system_checks: tuple[str, ...] = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("question", choices=sorted(FIELDS))

    def handle(self, *args: Any, **options: Any) -> None:
        for line in sys.stdin.buffer:
            # What is no UTF-8 becomes a sign that no JSON of cards has.
            text = answer(options["question"], line.decode("utf-8", errors="replace"))
            sys.stdout.write(text + "\n")
            sys.stdout.flush()
