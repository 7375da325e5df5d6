from typing import Any

from django.core.management import CommandError, call_command
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = (
        "Checks a restored database, which DATABASE_URL names: it has the migrations of this code,"
        " and its ledger balances. deploy/backup.sh calls this."
    )

    def handle(self, *_args: Any, **_options: Any) -> None:
        try:
            call_command("migrate", check_unapplied=True, verbosity=0)
        except SystemExit:
            raise CommandError("Its migrations are not those of this code.") from None
        self.stdout.write("migrations: those of this code")
        call_command("check_ledger", stdout=self.stdout, stderr=self.stderr)
