from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from wallet.ledger.checks import LedgerFinding, check_ledger, is_in_the_chain, verify_seals


class Command(BaseCommand):
    help = (
        "Checks that the ledger agrees with itself and stores the result; exit status 1 when "
        "anything is off. Withdrawals stop then, until a later check finds nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--seals", action="store_true", help="check the sealed chain alone, store nothing"
        )
        parser.add_argument(
            "--head",
            default="",
            metavar="NUMBER:HASH",
            help="a seal as it was printed before: is it still in the chain?",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["head"]:
            self._find_seal(options["head"])
        if options["seals"]:
            chain = verify_seals()
            self._end(chain.head, chain.findings, "The seals are whole.")
            return
        result = check_ledger()
        for total in result.totals:
            self.stdout.write(
                f"{total.currency}: {total.accounts} accounts, {total.circulating} in circulation"
            )
        self._end(result.head, result.findings, "The ledger balances.")

    def _end(self, head: str, findings: tuple[LedgerFinding, ...], when_fine: str) -> None:
        if head:
            self.stdout.write(f"Last seal: {head}")
        for finding in findings:
            self.stderr.write(f"{finding.check}: {finding.subject}")
        if findings:
            raise CommandError(f"The ledger is off in {len(findings)} places.")
        self.stdout.write(when_fine)

    def _find_seal(self, head: str) -> None:
        number, _colon, _hash = head.partition(":")
        if not (number.isascii() and number.isdigit()):
            raise CommandError(f"A seal looks like 12:0f3a…, not like {head!r}.")
        if not is_in_the_chain(int(number), head):
            raise CommandError(f"The chain has no seal {head}: it was cut or made anew.")
        self.stdout.write(f"Seal {number} is in the chain.")
