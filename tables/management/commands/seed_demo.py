"""Demo data of a local run. Run again it adds only what is missing and prints the same accounts."""

from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from accounts.practice_bots import practice_bots
from tables.models import TableTemplate
from tables.services.supply import keep_supplied
from wallet import services as wallet
from wallet.cash import cash_is_on
from wallet.money import Currency

PASSWORD = "rummy-demo-1"  # noqa: S105 - printed on purpose, for local runs alone
ADMIN = ("admin@example.com", "Admin")
PLAYERS = (("meera@example.com", "Meera"), ("ravi@example.com", "Ravi"))

TEMPLATES = (
    TableTemplate(
        name="Mango Grove",
        max_seats=2,
        point_value=1,
        bots_wanted=1,
        bot_strength="easy",
        admits_programs=True,
    ),
    TableTemplate(name="Banyan Court", max_seats=4, point_value=2, bots_wanted=3),
    TableTemplate(
        name="Monsoon Hall", max_seats=6, point_value=5, bots_wanted=5, bot_strength="hard"
    ),
    TableTemplate(
        name="Jasmine Court", max_seats=3, preset="pool101", entry_fee=200, bots_wanted=2
    ),
    TableTemplate(name="Neem Court", max_seats=2, preset="deals2", entry_fee=100, bots_wanted=1),
    TableTemplate(name="Peacock Room", max_seats=2, point_value=1, is_rated=True),
    TableTemplate(name="Lotus Room", max_seats=4, point_value=5, is_rated=True),
    TableTemplate(name="Tiger Room", max_seats=6, point_value=10, is_rated=True),
    TableTemplate(name="Saffron Hall", max_seats=6, preset="pool201", entry_fee=500, is_rated=True),
    TableTemplate(name="Ivory Hall", max_seats=4, preset="pool61", entry_fee=100, is_rated=True),
    TableTemplate(name="Cedar Room", max_seats=2, preset="deals3", entry_fee=250, is_rated=True),
)
# Stakes in paise.
CASH_TEMPLATES = (
    TableTemplate(name="Rupee Room", currency=Currency.INR, max_seats=2, point_value=10),
    TableTemplate(
        name="Ganga Hall", currency=Currency.INR, max_seats=4, preset="pool101", entry_fee=2_000
    ),
)


class Command(BaseCommand):
    help = "Makes demo accounts, a fee schedule, practice bots and tables."

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEMO_DATA:
            raise CommandError(
                "Demo accounts have public passwords: they are for local runs alone."
            )
        self._accounts()
        practice_bots()
        wallet.set_starting_fees(valid_from=timezone.now())
        wallet.set_starting_rules(valid_from=timezone.now())
        if not TableTemplate.objects.exists():
            TableTemplate.objects.bulk_create(TEMPLATES)
        if cash_is_on():
            self._cash_tables()
        keep_supplied()
        self.stdout.write(f"  Administrator: {ADMIN[0]}, password {PASSWORD} (at /admin/)")
        for email, name in PLAYERS:
            self.stdout.write(f"  Player {name}: {email}, password {PASSWORD}")

    def _cash_tables(self) -> None:
        """Tables for the sandbox's money, so that a deposit has somewhere to go."""
        wallet.set_starting_fees(valid_from=timezone.now(), currency=Currency.INR)
        if not TableTemplate.objects.filter(currency=Currency.INR).exists():
            TableTemplate.objects.bulk_create(CASH_TEMPLATES)

    def _accounts(self) -> None:
        if not User.objects.filter(email=ADMIN[0]).exists():
            admin = User.objects.create_superuser(ADMIN[0], PASSWORD, player_name=ADMIN[1])
            _confirm(admin)
        for email, name in PLAYERS:
            if not User.objects.filter(email=email).exists():
                player = User.objects.create_user(email, PASSWORD, player_name=name)
                _confirm(player)
                wallet.grant_welcome_chips(user_id=player.pk)


def _confirm(user: User) -> None:
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
