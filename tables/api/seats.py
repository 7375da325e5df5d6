"""REST: sitting down, topping up, leaving."""

from collections.abc import Callable
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.access import get_player, is_program, read_input
from accounts.api.base import ApiView
from accounts.api_tokens.services import KEY, run_once
from accounts.models import Scope
from accounts.origins import read_origin
from games.registry import GAMES, get_game
from tables.api.tables import build_socket_path, see_table
from tables.catalog import get_default_game
from tables.play.change import TableChange
from tables.refusals import PlaysByToken
from tables.seating.bot_accounts import play_among_bots
from tables.seating.sitting import leave_table, take_seat, top_up
from tables.seating.supply import play_now


class SeatedSerializer(serializers.Serializer[object]):
    table = serializers.IntegerField()
    socket = serializers.CharField()


class SitSerializer(serializers.Serializer[Any]):
    amount = serializers.IntegerField(min_value=0, max_value=10**15, help_text="0 at a free table")
    seat = serializers.IntegerField(min_value=0, max_value=7, required=False)
    invite = serializers.CharField(
        max_length=16, allow_blank=True, default="", help_text="the code of a private table"
    )


class AmountSerializer(serializers.Serializer[Any]):
    amount = serializers.IntegerField(min_value=1, max_value=10**15)


class PlayNowView(ApiView):
    """Sit down at the best table of a kind."""

    scope = Scope.MONEY

    @extend_schema(
        operation_id="play_now", parameters=[KEY], request=None, responses=SeatedSerializer
    )
    def post(self, request: Request, kind_id: int) -> Response:
        user_id, by_program = get_player(request).pk, is_program(request)
        return _seat_once(
            request,
            lambda: play_now(
                template_id=kind_id,
                user_id=user_id,
                by_program=by_program,
                origin=read_origin(request),
            ),
        )


class SitView(ApiView):
    """Sit down at a table with a stack."""

    scope = Scope.MONEY

    @extend_schema(
        operation_id="sit", parameters=[KEY], request=SitSerializer, responses=SeatedSerializer
    )
    def post(self, request: Request, table_id: int) -> Response:
        chosen = read_input(SitSerializer, request.data)
        see_table(request, table_id, chosen["invite"])
        return _seat_once(
            request,
            lambda: take_seat(
                table_id=table_id,
                user_id=get_player(request).pk,
                amount=chosen["amount"],
                number=chosen.get("seat"),
                invite=chosen["invite"],
                by_program=is_program(request),
                origin=read_origin(request),
            ),
        )


class BotMatchSerializer(serializers.Serializer[Any]):
    game = serializers.ChoiceField(choices=sorted(GAMES), default=get_default_game().code)
    preset = serializers.CharField(
        max_length=40, required=False, help_text="rules of the game; its first ones without it"
    )
    seats = serializers.IntegerField(min_value=2, max_value=8, default=2)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        presets = list(get_game(attrs["game"]).rules.presets)
        attrs.setdefault("preset", presets[0])
        if attrs["preset"] not in presets:
            raise serializers.ValidationError({"preset": f"One of: {', '.join(presets)}."})
        return attrs


class PlayAmongBotsView(ApiView):
    """Sit down where BOT accounts wait for a match of this kind, or wait for another one. Without stakes."""

    scope = Scope.PLAY

    @extend_schema(
        operation_id="play_among_bots",
        parameters=[KEY],
        request=BotMatchSerializer,
        responses=SeatedSerializer,
    )
    def post(self, request: Request) -> Response:
        wanted = read_input(BotMatchSerializer, request.data)
        if not is_program(request):
            raise PlaysByToken
        return _seat_once(
            request,
            lambda: play_among_bots(
                user_id=get_player(request).pk, origin=read_origin(request), **wanted
            ),
        )


class TopUpView(ApiView):
    """Add to the stack between two matches."""

    scope = Scope.MONEY

    @extend_schema(
        operation_id="top_up",
        parameters=[KEY],
        request=AmountSerializer,
        responses=SeatedSerializer,
    )
    def post(self, request: Request, table_id: int) -> Response:
        amount = read_input(AmountSerializer, request.data)["amount"]
        return _seat_once(
            request,
            lambda: top_up(
                table_id=table_id,
                user_id=get_player(request).pk,
                amount=amount,
                by_program=is_program(request),
            ),
        )


class LeaveView(ApiView):
    """Leave a table. In a deal this counts as a drop, and the stack is returned after it."""

    scope = Scope.PLAY

    @extend_schema(operation_id="leave", parameters=[KEY], request=None, responses={204: None})
    def post(self, request: Request, table_id: int) -> Response:
        user_id = get_player(request).pk

        def act() -> tuple[int, dict[str, Any] | None]:
            leave_table(table_id=table_id, user_id=user_id)
            return 204, None

        return run_once(request, act)


def _seat_once(request: Request, sit: Callable[[], TableChange]) -> Response:
    """Seat the player at most once."""

    def act() -> tuple[int, dict[str, Any] | None]:
        table_id = sit().table_id
        return 200, {"table": table_id, "socket": build_socket_path(table_id)}

    return run_once(request, act)
