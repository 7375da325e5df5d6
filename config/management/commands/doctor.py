from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone
from django.utils.translation import override

from config.desk.setup.doctor import examine


class Command(BaseCommand):
    help = (
        "Checks this machine and the site: one line each, green or red, with what to do about a red one."
        " Exits with 1 if anything is red."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--machine", action="store_true", help="without the page “Set up your site”"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        red = 0
        with override("en"):
            for finding in examine(now=timezone.now(), with_site=not options["machine"]):
                style = self.style.SUCCESS if finding.is_good else self.style.ERROR
                self.stdout.write(style(finding.word) + f"  {finding.line}")
                if not finding.is_good:
                    red += 1
                    self.stdout.write(f"       {finding.to_do}" if finding.to_do else "")
        if red:
            self.stdout.write(f"{red} of the lines are red.")
            raise SystemExit(1)
        self.stdout.write("All is well.")
