from wallet.models import (
    LedgerCheck,
)
from wallet.refusals import WithdrawalsFrozen


def last_ledger_check() -> LedgerCheck | None:
    return LedgerCheck.objects.order_by("-checked_at", "-pk").first()


def ledger_is_sound() -> bool:
    """Return whether the last check of the ledger found nothing. A ledger never checked is sound."""
    last = last_ledger_check()
    return last is None or not last.found


def refuse_while_frozen() -> None:
    """Raises WithdrawalsFrozen while the ledger is off: nothing leaves before it is mended."""
    if not ledger_is_sound():
        raise WithdrawalsFrozen
