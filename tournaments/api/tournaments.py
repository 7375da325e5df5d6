"""REST: upcoming, running and past tournaments; entering, withdrawing and rebuys."""

from collections.abc import Callable
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.access import get_player, is_program, read_input
from accounts.api.base import ApiView, PageQuery, PageSerializer, refuses
from accounts.api_tokens.services import KEY, run_once
from accounts.models import Scope
from core.refusals import SWITCHED_OFF
from tournaments.models import Entrant, EntrantState, Tournament
from tournaments.models.tournament import TournamentStatus
from tournaments.refusals import (
    ALREADY_REGISTERED,
    NO_REBUY,
    NO_TICKET,
    NOT_REGISTERED,
    REGISTRATION_CLOSED,
    TOO_LATE_TO_WITHDRAW,
    TOURNAMENT_BARS_API_PLAYERS,
    TOURNAMENT_BARS_BOT_ACCOUNTS,
    PrivatePairIsDone,
    TournamentNotFound,
)
from tournaments.registration.services import rebuy, register, withdraw
from tournaments.rules.formats import FORMATS
from tournaments.rules.lifecycle import TournamentPhase
from tournaments.store import reading
from tournaments.store.reading import Options, PrizeLine
from wallet.api import cash_is_on
from wallet.money import Currency
from wallet.refusals import OF_STAKES

TOURNAMENTS_ON_A_PAGE = 50


class TournamentSerializer(serializers.Serializer[object]):
    id = serializers.IntegerField()
    name = serializers.CharField(help_text="in the language that is asked for")
    description = serializers.CharField(help_text="may be empty")
    status = serializers.ChoiceField(choices=TournamentStatus.values)
    starts_at = serializers.DateTimeField()
    currency = serializers.ChoiceField(choices=[c.value for c in Currency])
    entry_fee = serializers.IntegerField(help_text="chips or paise; the service fee is in it")
    rake_bps = serializers.IntegerField(help_text="of the entry fee, for the house")
    allows_api_players = serializers.BooleanField(help_text="whether a token may enter and play")
    format = serializers.ChoiceField(choices=list(FORMATS))
    stakes = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="of a shoot-out: the chips that a point moves, by round; else empty",
    )
    seats = serializers.IntegerField(help_text="at a table")
    deals = serializers.IntegerField(
        allow_null=True, help_text="a round; null in a pool, which has as many as it takes"
    )
    out_at = serializers.IntegerField(
        allow_null=True, help_text="of a pool: the score at which a player is out; else null"
    )
    entered = serializers.IntegerField()
    max_entrants = serializers.IntegerField()
    mine = serializers.ChoiceField(
        choices=EntrantState.values, allow_null=True, help_text="the state of one's own entry"
    )


class TournamentsSerializer(PageSerializer):
    results = TournamentSerializer(many=True)


class PrizeSerializer(serializers.Serializer[object]):
    first = serializers.IntegerField(help_text="of the ranks that get it")
    last = serializers.IntegerField()
    amount = serializers.IntegerField(help_text="for each of them")
    is_ticket = serializers.BooleanField(help_text="worth so much in another tournament")


class OptionsSerializer(serializers.Serializer[object]):
    """The actions open to the caller now."""

    register = serializers.BooleanField()
    withdraw = serializers.BooleanField()
    rebuy = serializers.BooleanField()
    has_ticket = serializers.BooleanField(help_text="that pays for the entry")
    table = serializers.IntegerField(allow_null=True, help_text="where the player is wanted")


class OneTournamentSerializer(TournamentSerializer):
    round = serializers.IntegerField(help_text="that is played or was played last; 0: none yet")
    ended_at = serializers.DateTimeField(allow_null=True)
    paid_in = serializers.IntegerField(help_text="by everybody, so far")
    prize_pool = serializers.IntegerField(help_text="as it stands, a guarantee included")
    prizes = PrizeSerializer(many=True)
    options = OptionsSerializer()


class TournamentsQuery(PageQuery):
    phase = serializers.ChoiceField(
        choices=[p.value for p in TournamentPhase], default=TournamentPhase.UPCOMING.value
    )


class TournamentsView(ApiView):
    """Upcoming and running tournaments, soonest first, or past ones, newest first."""

    @extend_schema(
        operation_id="tournaments", parameters=[TournamentsQuery], responses=TournamentsSerializer
    )
    def get(self, request: Request) -> Response:
        chosen = read_input(TournamentsQuery, request.query_params)
        tournaments = reading.list_tournaments(
            phase=TournamentPhase(chosen["phase"]),
            with_cash=cash_is_on(),
            after=chosen.get("cursor"),
            length=TOURNAMENTS_ON_A_PAGE + 1,
        )
        page = tournaments[:TOURNAMENTS_ON_A_PAGE]
        mine = reading.find_states(get_player(request).pk, page)
        return Response(
            {
                "results": [
                    _tournament(tournament, mine.get(tournament.pk)) for tournament in page
                ],
                "next": page[-1].pk if len(tournaments) > len(page) else None,
            }
        )


class TournamentView(ApiView):
    """One tournament: its current prizes, and the caller's options."""

    @extend_schema(operation_id="tournament", responses=OneTournamentSerializer)
    def get(self, request: Request, tournament_id: int) -> Response:
        tournament = _find(tournament_id, request)
        standing = reading.get_standing_pool(tournament, field=tournament.seats_taken)
        options = reading.get_options(
            tournament, user_id=get_player(request).pk, now=timezone.now()
        )
        return Response(
            {
                **_tournament(tournament, options.entrant.state if options.entrant else None),
                "round": tournament.round_number,
                "ended_at": tournament.ended_at,
                "paid_in": standing.paid_in,
                "prize_pool": standing.pool.prizes,
                "prizes": [_prize(line) for line in reading.list_prize_lines(tournament, standing)],
                "options": _options(options),
            }
        )


class EntrySerializer(serializers.Serializer[object]):
    tournament = serializers.IntegerField()
    state = serializers.ChoiceField(choices=EntrantState.values)


class RegisterSerializer(serializers.Serializer[Any]):
    with_ticket = serializers.BooleanField(default=False, help_text="pay with a ticket")


class RegisterView(ApiView):
    """Enter. The fee is charged at once. If all places are taken, the player joins the waiting list without paying. API
    tokens can be used only if the tournament allows API players.
    """

    scope = Scope.MONEY

    @extend_schema(
        operation_id="register",
        parameters=[KEY],
        request=RegisterSerializer,
        responses=EntrySerializer,
        extensions=refuses(
            ALREADY_REGISTERED,
            NO_TICKET,
            PrivatePairIsDone,
            REGISTRATION_CLOSED,
            SWITCHED_OFF,
            TOURNAMENT_BARS_API_PLAYERS,
            TOURNAMENT_BARS_BOT_ACCOUNTS,
            TournamentNotFound,
            *OF_STAKES,
        ),
    )
    def post(self, request: Request, tournament_id: int) -> Response:
        with_ticket = read_input(RegisterSerializer, request.data)["with_ticket"]
        return _change_entry(
            request,
            tournament_id,
            lambda: register(
                tournament_id=tournament_id,
                user_id=get_player(request).pk,
                now=timezone.now(),
                with_ticket=with_ticket,
                by_program=is_program(request),
            ),
        )


class WithdrawView(ApiView):
    """Withdraw before registration closes; the payment is refunded completely."""

    scope = Scope.MONEY

    @extend_schema(
        operation_id="withdraw",
        parameters=[KEY],
        request=None,
        responses=EntrySerializer,
        extensions=refuses(NOT_REGISTERED, TOO_LATE_TO_WITHDRAW, TournamentNotFound),
    )
    def post(self, request: Request, tournament_id: int) -> Response:
        return _change_entry(
            request,
            tournament_id,
            lambda: withdraw(
                tournament_id=tournament_id, user_id=get_player(request).pk, now=timezone.now()
            ),
        )


class RebuyView(ApiView):
    """Pay again to take part in the next round. The conditions for entering apply."""

    scope = Scope.MONEY

    @extend_schema(
        operation_id="rebuy",
        parameters=[KEY],
        request=None,
        responses=EntrySerializer,
        extensions=refuses(
            NO_REBUY, NOT_REGISTERED, TOURNAMENT_BARS_API_PLAYERS, TournamentNotFound, *OF_STAKES
        ),
    )
    def post(self, request: Request, tournament_id: int) -> Response:
        return _change_entry(
            request,
            tournament_id,
            lambda: rebuy(
                tournament_id=tournament_id,
                user_id=get_player(request).pk,
                now=timezone.now(),
                by_program=is_program(request),
            ),
        )


def _change_entry(request: Request, tournament_id: int, change: Callable[[], Entrant]) -> Response:
    _find(tournament_id, request)

    def act() -> tuple[int, dict[str, Any]]:
        return 200, {"tournament": tournament_id, "state": change().state}

    return run_once(request, act)


def _find(tournament_id: int, request: Request) -> Tournament:
    tournament = reading.find_tournament(tournament_id)
    if tournament is None or (tournament.currency != Currency.CHIPS and not cash_is_on()):
        raise NotFound("There is no such tournament.")
    if not reading.may_see(tournament, get_player(request).pk):
        raise NotFound("There is no such tournament.")
    return tournament


def _tournament(tournament: Tournament, state: str | None) -> dict[str, Any]:
    out_at = tournament.out_at
    return {
        "id": tournament.pk,
        "name": tournament.shown_name,
        "description": tournament.shown_description,
        "status": tournament.status,
        "starts_at": tournament.starts_at,
        "currency": tournament.currency,
        "entry_fee": tournament.entry_fee,
        "rake_bps": tournament.rake_bps,
        "allows_api_players": tournament.allows_api_players,
        "format": tournament.format,
        "stakes": list(tournament.stake_of_rounds),
        "seats": tournament.seats,
        "deals": tournament.deals if out_at is None else None,
        "out_at": out_at,
        "entered": tournament.seats_taken,
        "max_entrants": tournament.max_entrants,
        "mine": state,
    }


def _prize(line: PrizeLine) -> dict[str, Any]:
    return {
        "first": line.first,
        "last": line.last,
        "amount": line.amount,
        "is_ticket": line.is_ticket,
    }


def _options(options: Options) -> dict[str, Any]:
    return {
        "register": options.may_register,
        "withdraw": options.may_withdraw,
        "rebuy": options.may_rebuy,
        "has_ticket": options.has_ticket,
        "table": options.table_id,
    }
