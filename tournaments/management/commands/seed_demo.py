"""The command that creates demo data for a local run.

A repeated run adds only missing data and prints the same accounts.
"""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from accounts.people.bots import make_demo_admin, make_demo_player
from history.puzzles.making import make_starting_puzzles
from tables.seating.starting_tables import make_starting_cash_tables, make_starting_tables
from tournaments.running.starting_schedule import make_demo_templates
from tournaments.running.tick import tick
from wallet import api as wallet
from wallet.api import cash_is_on

PASSWORD = "rummy-demo-1"  # noqa: S105 - printed on purpose, for local runs alone
ADMIN = ("admin@example.com", "Admin")
PLAYERS = (("meera@example.com", "Meera"), ("ravi@example.com", "Ravi"))


class Command(BaseCommand):
    help = "Makes demo accounts, a fee schedule, practice bots, tables, puzzles and tournaments."

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEMO_DATA:
            raise CommandError(
                "Demo accounts have public passwords: they are for local runs alone."
            )
        with transaction.atomic():
            self._accounts()
            make_starting_tables()
            make_starting_puzzles()
            if cash_is_on():
                make_starting_cash_tables()
        make_demo_templates()
        tick()
        self.stdout.write(f"  Administrator: {ADMIN[0]}, password {PASSWORD} (at /admin/)")
        for email, name in PLAYERS:
            self.stdout.write(f"  Player {name}: {email}, password {PASSWORD}")

    def _accounts(self) -> None:
        make_demo_admin(*ADMIN, password=PASSWORD)
        for email, name in PLAYERS:
            player = make_demo_player(email, name, password=PASSWORD)
            if player is not None:
                wallet.grant_welcome_chips(user_id=player.pk)
