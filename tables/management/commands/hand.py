import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.registry import GAMES, get_game
from tables.catalog import get_default_game


class Command(BaseCommand):
    help = (
        "Answers questions about hands: JSON lines on standard input, one answer line for each. "
        "Indian rummy: check (which kind each group is, and whether it is a valid declaration), "
        "score (what a loser's groups count), arrange (the least count of 13 or 14 cards). "
        "Gin: arrange (the least deadwood of 10 or 11 cards), defend (the best answer to a knock), "
        "score (who scores how much). "
        "Basic rummy: check (which kind each group is), arrange (the least count after laying). "
        "Contract Rummy: check (whether melds are the contract), missing (cards that it lacks). "
        "Rummikub: check (whether a table may be laid), lay (the best lay), count (a rack)."
    )
    requires_system_checks: tuple[str, ...] = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        questions = {
            asked for game in GAMES.values() if game.hand_tool for asked in game.hand_tool.questions
        }
        parser.add_argument("question", choices=sorted(questions))
        parser.add_argument("--game", choices=sorted(GAMES), default=get_default_game().code)

    def handle(self, *args: Any, **options: Any) -> None:
        game, question = get_game(options["game"]), options["question"]
        tool = game.hand_tool
        if tool is None or question not in tool.questions:
            asked = ", ".join(sorted(tool.questions)) if tool else "nothing"
            raise CommandError(f"{game.code} is asked {asked}.")
        for line in sys.stdin.buffer:
            # Invalid UTF-8 becomes a character that no JSON of cards contains.
            text = tool.answer(question, line.decode("utf-8", errors="replace"))
            sys.stdout.write(text + "\n")
            sys.stdout.flush()
