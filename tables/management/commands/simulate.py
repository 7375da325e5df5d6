import time
from argparse import ArgumentParser, ArgumentTypeError
from typing import Any, cast

from django.core.management.base import BaseCommand, CommandError

from tables.games.base import Strength
from tables.games.indian.bots import SKILLS
from tables.games.indian.rulesets import PRESETS, SEATS
from tables.games.indian.simulation import ENTRY, Outcome, simulate


def _strengths(text: str) -> tuple[Strength, ...]:
    names = tuple(text.split(","))
    for name in names:
        if name not in SKILLS:
            raise ArgumentTypeError(f"{name!r} is none of {', '.join(SKILLS)}")
    return cast("tuple[Strength, ...]", names)


class Command(BaseCommand):
    help = "Lets bots play matches, without a database. The same seed plays the same matches."
    requires_system_checks: tuple[str, ...] = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--variant", choices=sorted(PRESETS), default="points")
        parser.add_argument("--seats", type=int, choices=SEATS, help="default: 2")
        parser.add_argument("--matches", type=int, default=100)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument(
            "--strengths",
            type=_strengths,
            default=("medium",),
            help="for each seat, for instance easy,hard; fewer than seats repeat",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        given: tuple[Strength, ...] = options["strengths"]
        seats = options["seats"] or max(2, len(given))
        if len(given) > seats or seats not in SEATS or options["matches"] < 1:
            raise CommandError("There are two to six seats, a strength for each, and one match.")
        strengths = tuple(given[seat % len(given)] for seat in range(seats))
        rules = PRESETS[options["variant"]]
        began = time.perf_counter()
        outcome = simulate(
            rules=rules, strengths=strengths, matches=options["matches"], seed=options["seed"]
        )
        seconds = time.perf_counter() - began
        self.stdout.write(f"{rules.name}, {seats} seats, seed {options['seed']}")
        self._report(outcome, strengths)
        self.stdout.write(f"{outcome.moves / seconds:,.0f} moves/s")

    def _report(self, outcome: Outcome, strengths: tuple[Strength, ...]) -> None:
        matches = outcome.matches
        head = f"{'seat':<5}{'strength':<10}{'wins':>9}{'share':>8}{'points':>9}{'chips':>9}"
        self.stdout.write(f"{head}{'entries':>9}{'prizes':>10}")
        for seat, (strength, tally) in enumerate(zip(strengths, outcome.players, strict=True)):
            self.stdout.write(
                f"{seat:<5}{strength:<10}{tally.wins:>9.1f}{tally.wins / matches:>8.1%}"
                f"{tally.points:>9}{tally.chips:>9}{tally.entries:>9}{tally.prizes / ENTRY:>10.2f}"
            )
        shared = sum(count for winners, count in outcome.winners.items() if winners > 1)
        self.stdout.write(
            f"{matches} matches ({shared} shared), {outcome.deals} deals "
            f"({outcome.deals / matches:.2f} a match), {outcome.moves} moves"
        )
