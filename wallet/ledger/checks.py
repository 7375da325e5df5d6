"""Sealing what happened, and checking the whole ledger."""

import logging
import time
from dataclasses import asdict

from django.db import connection

from wallet.ledger.reconciliation import Reconciliation, reconcile
from wallet.models import LedgerCheck, LedgerSeal

log = logging.getLogger(__name__)

SEALED_AT_ONCE = 1_000
_BATCHES = 100
SEALED_A_RUN = SEALED_AT_ONCE * _BATCHES
_FINDINGS_KEPT = 50
# Transfers; some minutes, of the fifty that one statement is given. What is not reached within the run
# the next one goes on with.
CHECKED_AT_ONCE = 1_000_000
SECONDS_A_RUN = 3_000


def seal_ledger() -> int:
    """Seal what can be sealed now; returns how many transfers were.

    Several at one moment seal once. What is missing is sealed by the next call.
    """
    sealed = 0
    for _batch in range(_BATCHES):
        with connection.cursor() as cursor:
            cursor.execute("SELECT ledger_seal(%s)", [SEALED_AT_ONCE])
            (transfers,) = cursor.fetchone()
        if not transfers:
            break
        sealed += transfers
    return sealed


def check_ledger() -> Reconciliation:
    """Check everything and store the result: findings stop withdrawals and fail /ledgerz until a
    later check finds nothing. The end of the sealed chain is logged, to be kept elsewhere."""
    return _store(reconcile())


def check_recent() -> Reconciliation:
    """Check what has happened since the last check and store the result; the last one, where there is so
    much that it is checked in parts.

    Everything, if that check found anything or there is no seal to begin at: what was found
    before is not sound because it is not looked at. A part that is cut off is checked again.
    """
    stops = time.monotonic() + SECONDS_A_RUN
    while True:
        since = _sound_up_to()
        until = None if since is None else _end_of_part(since)
        result = _store(reconcile(since=since, until=until))
        if until is None or result.findings or time.monotonic() > stops:
            return result


def _end_of_part(since: LedgerSeal) -> LedgerSeal | None:
    """None: all that there is."""
    later = LedgerSeal.objects.filter(number__gt=since.number).order_by("-number")
    last = since.last_transfer_id + CHECKED_AT_ONCE
    if not later.filter(last_transfer_id__gt=last).exists():
        return None
    return later.filter(last_transfer_id__lte=last).first() or later.last()


def _sound_up_to() -> LedgerSeal | None:
    last = LedgerCheck.objects.order_by("-checked_at", "-pk").first()
    if last is None or last.found or not last.head:
        return None
    number, _colon, hash_ = last.head.partition(":")
    return LedgerSeal.objects.filter(number=int(number), hash=bytes.fromhex(hash_)).first()


def is_in_the_chain(number: int, head: str) -> bool:
    """Return whether seal `number` exists and prints as `head`, which may be any text."""
    seal = LedgerSeal.objects.filter(number=number).first()
    return seal is not None and str(seal) == head


def _store(result: Reconciliation) -> Reconciliation:
    LedgerCheck.objects.create(
        found=len(result.findings),
        findings=[asdict(finding) for finding in result.findings[:_FINDINGS_KEPT]],
        head=result.head,
    )
    for finding in result.findings:
        log.error("ledger: %s: %s", finding.check, finding.subject)
    log.info("ledger checked: %s findings, last seal %s", len(result.findings), result.head)
    return result
