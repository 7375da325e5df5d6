import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.registry import GAMES, get_game
from tables.play.offered import usual_game


def _asked() -> str:
    """Return the questions of each game as sentences: "Gin rummy: score (who scores how much)."."""
    return " ".join(
        f"{game.title.message}: {', '.join(f'{name} ({told})' for name, told in tool.items())}."
        for game in GAMES.values()
        if game.hand_tool is not None and (tool := game.hand_tool.questions)
    )


class Command(BaseCommand):
    help = (
        "Answers questions about hands: JSON lines on standard input, one answer line for each. "
        + _asked()
    )
    requires_system_checks: tuple[str, ...] = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        questions = {
            asked for game in GAMES.values() if game.hand_tool for asked in game.hand_tool.questions
        }
        parser.add_argument("question", choices=sorted(questions))
        parser.add_argument("--game", choices=sorted(GAMES), default=usual_game().code)

    def handle(self, *args: Any, **options: Any) -> None:
        game, question = get_game(options["game"]), options["question"]
        tool = game.hand_tool
        if tool is None or question not in tool.questions:
            asked = ", ".join(sorted(tool.questions)) if tool else "nothing"
            raise CommandError(f"{game.code} is asked {asked}.")
        for line in sys.stdin.buffer:
            # What is no UTF-8 becomes a sign that no JSON of cards has.
            text = tool.answer(question, line.decode("utf-8", errors="replace"))
            sys.stdout.write(text + "\n")
            sys.stdout.flush()
