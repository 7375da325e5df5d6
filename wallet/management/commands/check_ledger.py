from typing import Any

from django.core.management.base import BaseCommand, CommandError

from wallet.reconciliation import reconcile


class Command(BaseCommand):
    help = "Checks that the ledger agrees with itself; exit status 1 when anything is off."

    def handle(self, *_args: Any, **_options: Any) -> None:
        result = reconcile()
        for total in result.totals:
            self.stdout.write(
                f"{total.currency}: {total.accounts} accounts, {total.circulating} in circulation"
            )
        for finding in result.findings:
            self.stderr.write(f"{finding.check}: {finding.subject}")
        if result.findings:
            raise CommandError(f"The ledger is off in {len(result.findings)} places.")
        self.stdout.write("The ledger balances.")
