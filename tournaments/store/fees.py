"""Entry fees of entrants: charging the wallet or a ticket, and refunding."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from core.refusals import Refusal
from tables.catalog import list_offered_games, title_of_game
from tournaments.models import Entrant, Ticket, Tournament
from tournaments.refusals import NO_TICKET
from wallet import api as wallet
from wallet.api import ChargedFormat
from wallet.money import Currency


def charge(tournament: Tournament, entrant: Entrant, *, key: str) -> None:
    """Charge an entry fee. Raises a Refusal; then nothing has changed.

    The caller holds the tournament's lock and saves the entrant.
    """
    if tournament.entry_fee == 0:
        return
    wallet.pay_tournament_fee(
        tournament_id=tournament.pk,
        user_id=entrant.user_id,
        amount=tournament.entry_fee,
        currency=Currency(tournament.currency),
        key=key,
    )
    entrant.payments += 1


def charge_ticket(tournament: Tournament, entrant: Entrant, *, now: datetime) -> None:
    """Pay the entry fee with the player's oldest unused ticket for this template.

    A ticket is worth a seat even if the entry fee has changed since it was won. Raises NO_TICKET.
    """
    ticket = (
        Ticket.objects.select_for_update(no_key=True)
        .filter(user_id=entrant.user_id, template=tournament.template_id, used_at=None)
        .order_by("pk")
        .first()
    )
    if ticket is None or ticket.currency != tournament.currency:
        raise Refusal(NO_TICKET)
    wallet.pay_tournament_fee(
        tournament_id=tournament.pk,
        user_id=entrant.user_id,
        satellite_id=ticket.won_in_id,
        amount=ticket.price,
        currency=Currency(ticket.currency),
        key=entrant.entry_key,
    )
    ticket.used_at = now
    ticket.save(update_fields=["used_at"])
    entrant.ticket = ticket
    entrant.payments += 1


def give_back(tournament: Tournament, entrant: Entrant) -> None:
    """Refund the whole entry fee; a ticket becomes usable again."""
    if entrant.payments == 0:
        return
    wallet.refund_tournament_fee(tournament_id=tournament.pk, paid_key=entrant.entry_key)
    entrant.payments = 0
    if entrant.ticket_id is not None:
        Ticket.objects.filter(pk=entrant.ticket_id).update(used_at=None)
        entrant.ticket = None


def give_some_back(tournament: Tournament, *, at_most: int) -> int:
    """Refund at most this many fees, including rebuys. Return how many were refunded."""
    return wallet.refund_tournament_fees(
        tournament_id=tournament.pk, currency=Currency(tournament.currency), at_most=at_most
    )


def return_tickets(entrants: QuerySet[Entrant]) -> None:
    """Make the tickets of these entrants usable again, after their fees were refunded.

    The entrants then have no payments.
    """
    Ticket.objects.filter(uses__in=entrants).update(used_at=None)
    entrants.filter(payments__gt=0).update(payments=0, ticket=None)


FEE_FORMAT: Final = "TOURNAMENT"


def list_charged_formats() -> Iterator[ChargedFormat]:
    """Yield the fee format "tournament" of each game that has tournaments."""
    for code, game in list_offered_games().items():
        if any(format.is_for_events for format in game.formats):
            yield ChargedFormat(code, title_of_game(code), FEE_FORMAT, _("tournament"))
