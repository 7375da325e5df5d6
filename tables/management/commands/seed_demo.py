"""Demo data of a local run. Run again it adds only what is missing and prints the same accounts."""

from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from tables.models import TableTemplate
from tables.services.starting_tables import make_starting_tables
from tables.services.supply import keep_supplied
from wallet import services as wallet
from wallet.cash import cash_is_on
from wallet.money import Currency

PASSWORD = "rummy-demo-1"  # noqa: S105 - printed on purpose, for local runs alone
ADMIN = ("admin@example.com", "Admin")
PLAYERS = (("meera@example.com", "Meera"), ("ravi@example.com", "Ravi"))

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
        make_starting_tables()
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
