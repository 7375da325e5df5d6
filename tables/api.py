"""REST: kinds of tables, sitting down and leaving, what was played."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.access import is_program, player_of
from accounts.api.idempotency import HEADER, once
from accounts.models import Scope
from tables import history, selectors
from tables.broadcast import announce_from_thread
from tables.models import Match, Variant
from tables.records import deal_record
from tables.selectors import LobbyWish
from tables.services.seating import leave_table, take_seat, top_up
from tables.services.supply import play_now
from tables.titles import title_of, title_of_preset
from wallet.cash import cash_is_on
from wallet.money import Currency

MATCHES_ON_A_PAGE = 25
KEY = OpenApiParameter(
    HEADER,
    {"type": "string", "pattern": "^[!-~]{8,64}$"},
    OpenApiParameter.HEADER,
    required=True,
    description="8 to 64 visible characters; the same key again gets the same answer",
)


class LobbyQuery(serializers.Serializer[Any]):
    variant = serializers.ChoiceField(choices=Variant.values, required=False)
    seats = serializers.ChoiceField(choices=["2", "6"], required=False)
    currency = serializers.ChoiceField(choices=[c.value for c in Currency], required=False)


class KindSerializer(serializers.Serializer[object]):
    id = serializers.IntegerField(help_text="for /tables/play/")
    title = serializers.CharField()
    currency = serializers.CharField()
    point_value = serializers.IntegerField(help_text="0 where an entry fee is played for")
    entry_fee = serializers.IntegerField(help_text="0 where points are played for")
    max_seats = serializers.IntegerField()
    bots = serializers.IntegerField(help_text="practice bots that join")
    admits_programs = serializers.BooleanField(help_text="whether a token may sit down")
    players = serializers.IntegerField()


class TableSerializer(serializers.Serializer[object]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    title = serializers.CharField()
    status = serializers.CharField()
    currency = serializers.CharField()
    point_value = serializers.IntegerField()
    entry_fee = serializers.IntegerField()
    min_buy_in = serializers.IntegerField()
    max_buy_in = serializers.IntegerField()
    rake_bps = serializers.IntegerField()
    admits_programs = serializers.BooleanField(help_text="whether a token may sit and play")
    max_seats = serializers.IntegerField()
    seated = serializers.IntegerField()
    socket = serializers.CharField(help_text="see docs/protocol.md")


class LobbySerializer(serializers.Serializer[object]):
    kinds = KindSerializer(many=True)
    tables = TableSerializer(many=True)


class LobbyView(APIView):
    """What can be played now."""

    @extend_schema(operation_id="lobby", parameters=[LobbyQuery], responses=LobbySerializer)
    def get(self, request: Request) -> Response:
        asked = LobbyQuery(data=request.query_params)
        asked.is_valid(raise_exception=True)
        chosen = asked.validated_data
        wish = LobbyWish(
            variant=chosen.get("variant", ""),
            seats=chosen.get("seats", ""),
            currency=chosen.get("currency", "") if cash_is_on() else Currency.CHIPS,
        )
        return Response(
            {
                "kinds": [_kind(kind) for kind in selectors.kinds(wish)],
                "tables": [_table(entry) for entry in selectors.lobby_tables(wish)],
            }
        )


class SeatedSerializer(serializers.Serializer[object]):
    table = serializers.IntegerField()
    socket = serializers.CharField()


class SitSerializer(serializers.Serializer[Any]):
    amount = serializers.IntegerField(min_value=1, max_value=10**15)
    seat = serializers.IntegerField(min_value=0, max_value=5, required=False)
    invite = serializers.CharField(max_length=16, required=False, default="")


class AmountSerializer(serializers.Serializer[Any]):
    amount = serializers.IntegerField(min_value=1, max_value=10**15)


class PlayNowView(APIView):
    """Sit down at the best table of a kind."""

    scope = Scope.MONEY

    @extend_schema(
        operation_id="play_now", parameters=[KEY], request=None, responses=SeatedSerializer
    )
    def post(self, request: Request, kind_id: int) -> Response:
        user_id, by_program = int(request.user.pk or 0), is_program(request)
        return _seated(
            request,
            lambda: play_now(template_id=kind_id, user_id=user_id, by_program=by_program),
        )


class SitView(APIView):
    """Sit down at a table with a stack."""

    scope = Scope.MONEY

    @extend_schema(
        operation_id="sit", parameters=[KEY], request=SitSerializer, responses=SeatedSerializer
    )
    def post(self, request: Request, table_id: int) -> Response:
        asked = SitSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        chosen = asked.validated_data
        return _seated(
            request,
            lambda: take_seat(
                table_id=table_id,
                user_id=int(request.user.pk or 0),
                amount=chosen["amount"],
                number=chosen.get("seat"),
                invite=chosen["invite"],
                by_program=is_program(request),
            ),
        )


class TopUpView(APIView):
    """Bring more to the stack between two matches."""

    scope = Scope.MONEY

    @extend_schema(
        operation_id="top_up",
        parameters=[KEY],
        request=AmountSerializer,
        responses=SeatedSerializer,
    )
    def post(self, request: Request, table_id: int) -> Response:
        asked = AmountSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        amount = asked.validated_data["amount"]
        user_id = int(request.user.pk or 0)
        return _seated(request, lambda: top_up(table_id=table_id, user_id=user_id, amount=amount))


class LeaveView(APIView):
    """Leave a table; in a deal that is a drop, and the stack comes back after it."""

    scope = Scope.PLAY

    @extend_schema(operation_id="leave", request=None, responses={204: None})
    def post(self, request: Request, table_id: int) -> Response:
        step = leave_table(table_id=table_id, user_id=int(request.user.pk or 0))
        announce_from_thread([step])
        return Response(status=204)


class MatchesQuery(serializers.Serializer[Any]):
    before = serializers.IntegerField(min_value=1, max_value=2**53, required=False)


class MatchSerializer(serializers.Serializer[object]):
    id = serializers.IntegerField()
    table = serializers.CharField()
    title = serializers.CharField()
    currency = serializers.CharField()
    status = serializers.CharField()
    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    players = serializers.DictField(child=serializers.CharField(), help_text="names by seat")
    winners = serializers.ListField(child=serializers.IntegerField(), help_text="seats")
    amounts = serializers.DictField(
        child=serializers.IntegerField(), help_text="won or lost, by seat"
    )


class MatchesSerializer(serializers.Serializer[object]):
    results = MatchSerializer(many=True)
    next = serializers.IntegerField(allow_null=True, help_text="`before` of the next, older page")


class MatchesView(APIView):
    """One's own matches that are over, newest first."""

    @extend_schema(
        operation_id="matches",
        parameters=[OpenApiParameter("before", OpenApiTypes.INT64)],
        responses=MatchesSerializer,
    )
    def get(self, request: Request) -> Response:
        asked = MatchesQuery(data=request.query_params)
        asked.is_valid(raise_exception=True)
        found = history.matches_of(
            user_id=int(request.user.pk or 0),
            before=asked.validated_data.get("before"),
            length=MATCHES_ON_A_PAGE + 1,
        )
        page = found[:MATCHES_ON_A_PAGE]
        is_more = len(found) > MATCHES_ON_A_PAGE
        return Response(
            {
                "results": [_match(match) for match in page],
                "next": page[-1].pk if is_more else None,
            }
        )


class DealView(APIView):
    """The record of a finished deal of one's own (docs/deal-record.md)."""

    @extend_schema(operation_id="deal", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, match_id: int, number: int) -> Response:
        viewing = history.viewed_by(player_of(request), match_id=match_id)
        record = deal_record(match_id=match_id, number=number) if viewing else None
        if record is None:
            raise NotFound("There is no such deal of yours, or it is being played.")
        return Response(record)


def _seated(request: Request, sit: Any) -> Response:
    steps: list[Any] = []

    def act() -> tuple[int, dict[str, Any]]:
        steps.append(sit())
        table_id = steps[0].table_id
        return 200, {"table": table_id, "socket": _socket(table_id)}

    answer = once(request, act)
    announce_from_thread(steps)
    return answer


def _socket(table_id: int) -> str:
    return f"/ws/tables/{table_id}/"


def _kind(kind: selectors.Kind) -> dict[str, Any]:
    template = kind.template
    return {
        "id": template.pk,
        "title": title_of_preset(template.preset),
        "currency": template.currency,
        "point_value": template.point_value,
        "entry_fee": template.entry_fee,
        "max_seats": template.max_seats,
        "bots": template.bots_wanted,
        "admits_programs": template.admits_programs,
        "players": kind.people,
    }


def _table(entry: selectors.LobbyTable) -> dict[str, Any]:
    table = entry.table
    return {
        "id": table.pk,
        "name": table.name,
        "title": title_of(table),
        "status": table.status,
        "currency": table.currency,
        "point_value": table.point_value,
        "entry_fee": table.entry_fee,
        "min_buy_in": table.min_buy_in,
        "max_buy_in": table.max_buy_in,
        "rake_bps": table.rake_bps,
        "admits_programs": table.admits_programs,
        "max_seats": table.max_seats,
        "seated": entry.seated,
        "socket": _socket(table.pk),
    }


def _match(match: Match) -> dict[str, Any]:
    settled = match.settlement or {}
    return {
        "id": match.pk,
        "table": match.table.name,
        "title": title_of(match.table),
        "currency": match.table.currency,
        "status": match.status,
        "started_at": match.started_at,
        "ended_at": match.ended_at,
        "players": {seat: player["name"] for seat, player in match.players.items()},
        "winners": (match.result or {}).get("winners", []),
        "amounts": settled.get("amounts", {}),
    }
