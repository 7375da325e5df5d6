"""REST: tournaments that come, run or are over; entering and leaving them."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.idempotency import HEADER, once
from accounts.models import Scope
from tournaments import selectors
from tournaments.lifecycle import Phase
from tournaments.models import Tournament
from tournaments.services.registration import register, withdraw
from wallet.cash import cash_is_on

KEY = OpenApiParameter(
    HEADER, str, OpenApiParameter.HEADER, required=True, description="8 to 64 characters"
)


class TournamentSerializer(serializers.Serializer[object]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    status = serializers.CharField()
    starts_at = serializers.DateTimeField()
    currency = serializers.CharField()
    entry_fee = serializers.IntegerField(help_text="chips or paise; the service fee is in it")
    rake_bps = serializers.IntegerField(help_text="of the entry fee, for the house")
    seats = serializers.IntegerField(help_text="at a table")
    deals = serializers.IntegerField(help_text="a round")
    entered = serializers.IntegerField()
    max_entrants = serializers.IntegerField()
    mine = serializers.CharField(allow_null=True, help_text="the state of one's own entry")


class TournamentsSerializer(serializers.Serializer[object]):
    results = TournamentSerializer(many=True)


class TournamentsQuery(serializers.Serializer[Any]):
    phase = serializers.ChoiceField(choices=[p.value for p in Phase], default=Phase.UPCOMING.value)


class TournamentsView(APIView):
    """What comes or runs, soonest first; what is over, newest first."""

    @extend_schema(
        operation_id="tournaments", parameters=[TournamentsQuery], responses=TournamentsSerializer
    )
    def get(self, request: Request) -> Response:
        asked = TournamentsQuery(data=request.query_params)
        asked.is_valid(raise_exception=True)
        found = selectors.listed(phase=Phase(asked.validated_data["phase"]), with_cash=cash_is_on())
        mine = selectors.states_of(int(request.user.pk or 0), found)
        return Response({"results": [_tournament(one, mine) for one in found]})


class EntrySerializer(serializers.Serializer[object]):
    tournament = serializers.IntegerField()
    state = serializers.CharField()


class RegisterView(APIView):
    """Enter: the fee is taken at once; if all places are taken, the waiting list, unpaid."""

    scope = Scope.MONEY

    @extend_schema(
        operation_id="register", parameters=[KEY], request=None, responses=EntrySerializer
    )
    def post(self, request: Request, tournament_id: int) -> Response:
        _find(tournament_id)

        def act() -> tuple[int, dict[str, Any]]:
            entrant = register(
                tournament_id=tournament_id,
                user_id=int(request.user.pk or 0),
                now=timezone.now(),
            )
            return 200, {"tournament": tournament_id, "state": entrant.state}

        return once(request, act)


class WithdrawView(APIView):
    """Leave before registration closes; what was paid comes back whole."""

    scope = Scope.MONEY

    @extend_schema(
        operation_id="withdraw", parameters=[KEY], request=None, responses=EntrySerializer
    )
    def post(self, request: Request, tournament_id: int) -> Response:
        _find(tournament_id)

        def act() -> tuple[int, dict[str, Any]]:
            withdraw(
                tournament_id=tournament_id,
                user_id=int(request.user.pk or 0),
                now=timezone.now(),
            )
            return 200, {"tournament": tournament_id, "state": "WITHDRAWN"}

        return once(request, act)


def _find(tournament_id: int) -> None:
    if not Tournament.objects.filter(pk=tournament_id).exists():
        raise NotFound("There is no such tournament.")


def _tournament(tournament: Tournament, mine: dict[int, str]) -> dict[str, Any]:
    return {
        "id": tournament.pk,
        "name": tournament.name,
        "status": tournament.status,
        "starts_at": tournament.starts_at,
        "currency": tournament.currency,
        "entry_fee": tournament.entry_fee,
        "rake_bps": tournament.rake_bps,
        "seats": tournament.seats,
        "deals": tournament.deals,
        "entered": tournament.seats_taken,
        "max_entrants": tournament.max_entrants,
        "mine": mine.get(tournament.pk),
    }
