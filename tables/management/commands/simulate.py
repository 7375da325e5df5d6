import math
import time
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, cast

from django.core.management.base import BaseCommand, CommandError

from games.engine.base import STRENGTHS, Format, InvalidRules, Strength
from games.engine.game import Game
from games.registry import GAMES, get_format, get_game
from games.simulation import (
    ENTRY,
    Compared,
    Tallies,
    simulate,
    simulate_duplicates,
)
from tables.catalog import get_default_game


def _strengths(text: str) -> tuple[Strength, ...]:
    names = tuple(text.split(","))
    for name in names:
        if name not in STRENGTHS:
            raise ArgumentTypeError(f"{name!r} is none of {', '.join(STRENGTHS)}")
    return cast("tuple[Strength, ...]", names)


class Command(BaseCommand):
    help = "Lets bots play matches, without a database. The same seed plays the same matches."
    requires_system_checks: tuple[str, ...] = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--game", choices=sorted(GAMES), default=get_default_game().code)
        parser.add_argument("--format", help="a rule set of the game; default: its usual one")
        parser.add_argument("--seats", type=int, help="default: 2")
        parser.add_argument("--matches", type=int, default=100)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument(
            "--strengths",
            type=_strengths,
            help="for each seat (default: medium), for instance easy,hard; fewer than seats repeat",
        )
        parser.add_argument(
            "--ladder",
            action="store_true",
            help="each strength against the next lower one, two players a match, one after another",
        )

        parser.add_argument(
            "--duplicate",
            action="store_true",
            help="each deal once with every rotation of the strengths over the seats",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        game, seed, matches = get_game(options["game"]), options["seed"], options["matches"]
        name, rules, format = self._rules(game, options["format"])
        if matches < 1:
            raise CommandError("There is one match or more.")
        pairings = (
            self._ladder(options) if options["ladder"] else [self._strengths(options, format)]
        )
        for strengths in pairings:
            self.stdout.write(f"{name}, {len(strengths)} seats, seed {seed}")
            if options["duplicate"]:
                self._report_duplicates(
                    simulate_duplicates(
                        game, rules=rules, strengths=strengths, matches=matches, seed=seed
                    ),
                    "points" if format.stake == "per_point" else "entries",
                )
                continue
            began = time.perf_counter()
            outcome = simulate(game, rules=rules, strengths=strengths, matches=matches, seed=seed)
            seconds = time.perf_counter() - began
            self._report(outcome, strengths)
            self.stdout.write(f"{outcome.moves / seconds:,.0f} moves/s")
            if options["ladder"]:
                self._report_winner(outcome, strengths)

    def _rules(self, game: Game, preset: str | None) -> tuple[str, Any, Format]:
        name = preset or game.formats[0].presets[0]
        try:
            rules = game.rules.preset(name)
        except InvalidRules as invalid:
            raise CommandError(
                f"{invalid} There are {', '.join(sorted(game.rules.presets))}."
            ) from None
        return name, rules, get_format(game.code, game.money.get_format_code(rules))

    def _strengths(self, options: dict[str, Any], format: Format) -> tuple[Strength, ...]:
        given: tuple[Strength, ...] = options["strengths"] or ("medium",)
        seats = options["seats"] or max(2, len(given))
        if len(given) > seats or seats not in format.seats:
            fewest, most = format.seats[0], format.seats[-1]
            raise CommandError(f"There are {fewest} to {most} seats, and a strength for each.")
        return tuple(given[seat % len(given)] for seat in range(seats))

    def _ladder(self, options: dict[str, Any]) -> list[tuple[Strength, ...]]:
        if options["strengths"] or options["seats"] not in {None, 2}:
            raise CommandError("A ladder has two seats, and strengths of its own.")
        return list(pairwise(get_game(options["game"]).strengths[::-1]))

    def _report_duplicates(self, compared: Mapping[Strength, Compared], unit: str) -> None:
        """Print, for each strength, its mean net result with the 95 % confidence interval, and its share of wins."""
        for strength, outcome in compared.items():
            self.stdout.write(
                f"{strength:<10}{outcome.net:>+8.2f} ± {outcome.margin:.2f} {unit} a match, "
                f"{outcome.wins / outcome.played:.1%} won of {outcome.played}"
            )

    def _report_winner(self, outcome: Tallies, strengths: tuple[Strength, ...]) -> None:
        """Print the first strength's share of won matches, with its 95 % margin by the normal approximation."""
        share = outcome.players[0].wins / outcome.matches
        margin = 1.96 * math.sqrt(share * (1 - share) / outcome.matches)
        self.stdout.write(
            f"{strengths[0]} against {strengths[1]}: {share:.1%} of {outcome.matches} matches won "
            f"(95 % of such runs are within {margin:.1%} of the truth)\n\n"
        )

    def _report(self, outcome: Tallies, strengths: tuple[Strength, ...]) -> None:
        matches = outcome.matches
        head = f"{'seat':<5}{'strength':<10}{'wins':>9}{'share':>8}{'points':>9}{'score':>9}"
        self.stdout.write(f"{head}{'entries':>9}{'prizes':>10}")
        for seat, (strength, tally) in enumerate(zip(strengths, outcome.players, strict=True)):
            self.stdout.write(
                f"{seat:<5}{strength:<10}{tally.wins:>9.1f}{tally.wins / matches:>8.1%}"
                f"{tally.points:>9}{tally.score:>9}{tally.entries:>9}{tally.prizes / ENTRY:>10.2f}"
            )
        shared = sum(count for winners, count in outcome.winners.items() if winners > 1)
        self.stdout.write(
            f"{matches} matches ({shared} shared), {outcome.deals} deals "
            f"({outcome.deals / matches:.2f} a match), {outcome.moves} moves"
        )
