"""The switch of play for cash in this installation."""

from django.conf import settings

from wallet.refusals import CashIsOff

MODES = ("off", "sandbox", "live")


def cash_is_on() -> bool:
    return bool(settings.CASH_PLAY != "off")


def require_cash() -> None:
    """Raises CashIsOff."""
    if not cash_is_on():
        raise CashIsOff
