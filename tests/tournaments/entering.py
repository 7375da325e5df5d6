"""Entries into tournaments: refusals that change nothing, tickets and rebuys."""

from django.utils import timezone

from tests.refusals import refused
from tournaments.models import Entrant, EntrantState, Ticket
from tournaments.registration.services import rebuy, register
from wallet.models import Journal


def read_state(tournament):
    """Return all data that a refusal must leave unchanged."""
    tournament.refresh_from_db()
    return (
        tournament.seats_taken,
        list(Entrant.objects.order_by("pk").values_list("user_id", "state", "payments")),
        list(Ticket.objects.values_list("pk", "used_at")),
        Journal.objects.count(),
    )


def expect_refusal(tournament, refusal, call):
    before = read_state(tournament)
    with refused(refusal) as answer:
        call()
    assert str(answer.value)
    assert read_state(tournament) == before


def use_ticket(tournament, user):
    return register(
        tournament_id=tournament.pk, user_id=user.pk, now=timezone.now(), with_ticket=True
    )


def list_out(tournament):
    """Return the entrants who are out with fewer chips than the starting stack."""
    out = tournament.entrants.filter(state=EntrantState.OUT, chips__lt=tournament.starting_stack)
    return out.select_related("user").order_by("pk")


def come_back(tournament, entrant):
    return rebuy(tournament_id=tournament.pk, user_id=entrant.user_id, now=timezone.now())
