"""REST: sitting down, topping up, leaving."""

from collections.abc import Callable
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.access import get_player, is_program, read_input
from accounts.api.base import ApiView, refuses
from accounts.api_tokens.services import KEY, run_once
from accounts.models import Scope
from accounts.origins import read_origin
from core.refusals import Refusal
from games.engine.base import STRENGTHS
from games.registry import GAMES, get_game
from tables.api.tables import build_socket_path, see_table
from tables.catalog import get_default_game
from tables.play.change import TableChange
from tables.refusals import (
    API_PLAYERS_NOT_ALLOWED,
    BOTS_ONLY,
    BUY_IN_OUT_OF_RANGE,
    MATCH_RUNNING,
    OF_PRIVATE_TABLES,
    OF_SEATS,
    OF_STAKED_SEATS,
    PLAYS_BY_TOKEN,
    SEATS_ARE_ARRANGED,
    TOO_OFTEN,
    NotSeated,
    SeatsOutOfRange,
    TableNotFound,
)
from tables.seating.bot_accounts import find_own_seat_among_bots, play_among_bots
from tables.seating.practice import (
    build_practice_terms,
    find_own_seat,
    open_practice,
    wait_for_own_seat,
)
from tables.seating.selectors import find_table
from tables.seating.sitting import leave_table, take_seat, top_up
from tables.seating.supply import play_now
from wallet.refusals import OF_PLAYERS, OF_STAKES, NoFeeSchedule


class SeatedSerializer(serializers.Serializer[object]):
    table = serializers.IntegerField()
    socket = serializers.CharField()
    seat = serializers.IntegerField(help_text="one's own")
    stack = serializers.IntegerField(help_text="what lies on it; 0 at a free table")
    resumed = serializers.BooleanField(
        help_text="whether the player sat there already, and nothing was done"
    )


class SitSerializer(serializers.Serializer[Any]):
    amount = serializers.IntegerField(min_value=0, max_value=10**15, help_text="0 at a free table")
    seat = serializers.IntegerField(min_value=0, max_value=7, required=False)
    invite = serializers.CharField(
        max_length=16, allow_blank=True, default="", help_text="the code of a private table"
    )


class AmountSerializer(serializers.Serializer[Any]):
    amount = serializers.IntegerField(min_value=1, max_value=10**15)


class AnotherSerializer(serializers.Serializer[Any]):
    another = serializers.BooleanField(
        default=False,
        help_text="true: take a further seat, also where the player has one of this kind; "
        "without it a program that starts again finds its seat",
    )


class PlayNowSerializer(AnotherSerializer):
    amount = serializers.IntegerField(
        min_value=1,
        max_value=10**15,
        required=False,
        help_text="the stack to bring; the least of the table without it",
    )


class PlayNowView(ApiView):
    """Sit down at the best table of a kind, with the smallest buy-in unless `amount` names another one."""

    scope = Scope.MONEY

    @extend_schema(
        operation_id="play_now",
        parameters=[KEY],
        request=PlayNowSerializer,
        responses=SeatedSerializer,
        extensions=refuses(*OF_STAKED_SEATS, *OF_STAKES, NoFeeSchedule),
    )
    def post(self, request: Request, kind_id: int) -> Response:
        chosen, user_id = read_input(PlayNowSerializer, request.data), get_player(request).pk

        def sit() -> TableChange:
            return play_now(
                template_id=kind_id,
                user_id=user_id,
                amount=chosen.get("amount", 0),
                by_program=is_program(request),
                origin=read_origin(request),
            )

        def find_own() -> int | None:
            return find_own_seat(template_id=kind_id, user_id=user_id)

        return _seat_once(request, sit, find_own=None if chosen["another"] else find_own)


class SitView(ApiView):
    """Sit down at a table with a stack."""

    scope = Scope.MONEY

    @extend_schema(
        operation_id="sit",
        parameters=[KEY],
        request=SitSerializer,
        responses=SeatedSerializer,
        extensions=refuses(*OF_STAKED_SEATS, *OF_PRIVATE_TABLES, *OF_STAKES),
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


class MatchSerializer(AnotherSerializer):
    """A match without stakes: the game, its rules and the number of players."""

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


class BotMatchSerializer(MatchSerializer):
    """A match of BOT accounts."""


class PracticeSerializer(MatchSerializer):
    """A match against practice bots."""

    strength = serializers.ChoiceField(
        choices=STRENGTHS,
        default="medium",
        help_text="In a game that offers no `expert`, the bots are `hard` in its place.",
    )


class PracticeView(ApiView):
    """Open a free table against practice bots of a chosen strength, where the first match begins at once.

    The socket's `start` begins each further match. Nothing is at stake, and nothing is rated.
    """

    scope = Scope.PLAY

    @extend_schema(
        operation_id="practise",
        parameters=[KEY],
        request=PracticeSerializer,
        responses=SeatedSerializer,
        extensions=refuses(*OF_SEATS, PLAYS_BY_TOKEN, SeatsOutOfRange, TOO_OFTEN, *OF_PLAYERS),
    )
    def post(self, request: Request) -> Response:
        wanted, user_id = read_input(PracticeSerializer, request.data), get_player(request).pk
        another = wanted.pop("another")

        def act() -> tuple[int, dict[str, Any] | None]:
            table_id, resumed = open_practice(
                build_practice_terms(**wanted),
                user_id=user_id,
                another=another,
                by_program=is_program(request),
                origin=read_origin(request),
            )
            return 200, _describe_seat(table_id, user_id, resumed=resumed)

        return run_once(request, act)


class PlayAmongBotsView(ApiView):
    """Join a table of BOT accounts that waits for a match of this kind, or open one and wait there.

    Nothing is at stake.
    """

    scope = Scope.PLAY

    @extend_schema(
        operation_id="play_among_bots",
        parameters=[KEY],
        request=BotMatchSerializer,
        responses=SeatedSerializer,
        extensions=refuses(
            *OF_SEATS, BOTS_ONLY, PLAYS_BY_TOKEN, SeatsOutOfRange, TOO_OFTEN, *OF_PLAYERS
        ),
    )
    def post(self, request: Request) -> Response:
        wanted, user_id = read_input(BotMatchSerializer, request.data), get_player(request).pk
        another = wanted.pop("another")
        if not is_program(request):
            raise Refusal(PLAYS_BY_TOKEN)

        def find_own() -> int | None:
            return find_own_seat_among_bots(user_id=user_id, **wanted)

        return _seat_once(
            request,
            lambda: play_among_bots(user_id=user_id, origin=read_origin(request), **wanted),
            find_own=None if another else find_own,
        )


class TopUpView(ApiView):
    """Add to the stack between two matches."""

    scope = Scope.MONEY

    @extend_schema(
        operation_id="top_up",
        parameters=[KEY],
        request=AmountSerializer,
        responses=SeatedSerializer,
        extensions=refuses(
            API_PLAYERS_NOT_ALLOWED,
            BUY_IN_OUT_OF_RANGE,
            MATCH_RUNNING,
            NotSeated,
            SEATS_ARE_ARRANGED,
            TableNotFound,
            *OF_STAKES,
        ),
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
    """Leave a table. In a deal this counts as a drop, and the stack is returned after the match."""

    scope = Scope.PLAY

    @extend_schema(
        operation_id="leave",
        parameters=[KEY],
        request=None,
        responses={204: None},
        extensions=refuses(NotSeated, SEATS_ARE_ARRANGED, TableNotFound),
    )
    def post(self, request: Request, table_id: int) -> Response:
        user_id = get_player(request).pk

        def act() -> tuple[int, dict[str, Any] | None]:
            leave_table(table_id=table_id, user_id=user_id)
            return 204, None

        return run_once(request, act)


def _seat_once(
    request: Request,
    sit: Callable[[], TableChange],
    *,
    find_own: Callable[[], int | None] | None = None,
) -> Response:
    """Seat the player once for each idempotency key. If `find_own` finds their seat, answer with its table instead."""
    user_id = get_player(request).pk

    def act() -> tuple[int, dict[str, Any] | None]:
        if find_own is not None:
            wait_for_own_seat(user_id)
        found = None if find_own is None else find_own()
        table_id = sit().table_id if found is None else found
        return 200, _describe_seat(table_id, user_id, resumed=found is not None)

    return run_once(request, act)


def _describe_seat(table_id: int, user_id: int, *, resumed: bool) -> dict[str, Any]:
    view = find_table(user_id, table_id=table_id)
    assert view is not None  # noqa: S101 - the player sits there
    own = next(chair for chair in view.chairs if chair.user_id == user_id)
    return {
        "table": table_id,
        "socket": build_socket_path(table_id),
        "seat": own.number,
        "stack": view.stacks[own.pk],
        "resumed": resumed,
    }
