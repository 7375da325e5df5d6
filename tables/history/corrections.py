"""The corrections of a match that its players read (`tables.desk.corrections` makes them)."""

from tables.models import Match, MatchCorrection
from wallet.money import Currency


def list_corrections(match: Match) -> list[MatchCorrection]:
    """Return the corrections of a match that were made, the oldest first."""
    if match.table.currency != Currency.INR:
        return []
    made = match.corrections.filter(state=MatchCorrection.State.APPROVED).select_related(
        "payer", "payee"
    )
    return list(made.order_by("pk"))
