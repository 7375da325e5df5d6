"""Practice bots that fill up a tournament if its terms allow them."""

from collections.abc import Sequence

from django.conf import settings

from accounts.models import User
from accounts.people.bots import get_first_bots
from accounts.sessions.services import is_anybody_here
from tournaments.models import Entrant, EntrantState, Tournament
from wallet import api as wallet
from wallet.api import Fee
from wallet.money import Currency

_BATCH = 2_000


def admit_bots(tournament: Tournament) -> int:
    """Let practice bots take places, up to the number in the terms. Return how many were admitted.

    The caller holds the tournament's lock and saves it. Bots only enter for chips, which come from the mint.
    """
    missing = min(tournament.bots_to, tournament.max_entrants) - tournament.seats_taken
    if missing <= 0 or tournament.currency != Currency.CHIPS or _bots_sleep(tournament):
        return 0
    enter_together(tournament, get_first_bots(missing))
    return missing


def _bots_sleep(tournament: Tournament) -> bool:
    """Return whether bots should stay away because no person is registered or online (BOTS_WAIT_FOR_PEOPLE)."""
    if not settings.BOTS_WAIT_FOR_PEOPLE:
        return False
    in_list = [EntrantState.REGISTERED, EntrantState.WAITING]
    people = tournament.entrants.filter(user__is_bot=False, state__in=in_list)
    return not people.exists() and not is_anybody_here()


def enter_together(tournament: Tournament, users: Sequence[User]) -> list[Entrant]:
    """Register players who have not entered before, all or none, and charge their fees in chips together.

    Raises InsufficientFunds. The caller holds the tournament's lock and saves it.
    """
    fee_paid = int(tournament.entry_fee > 0)
    entrants = Entrant.objects.bulk_create(
        [
            Entrant(
                tournament=tournament,
                user=user,
                state=EntrantState.REGISTERED,
                payments=fee_paid,
            )
            for user in users
        ],
        batch_size=_BATCH,
    )
    if fee_paid:
        wallet.pay_tournament_fees_in_chips(
            tournament_id=tournament.pk,
            fees=[
                Fee(entrant.entry_key, None if entrant.user.is_bot else entrant.user_id)
                for entrant in entrants
            ],
            amount=tournament.entry_fee,
        )
    tournament.seats_taken += len(entrants)
    return entrants
