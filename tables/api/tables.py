"""REST: one table, its waiting list, and private tables."""

from typing import Any, Final

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.access import get_player, is_program, read_input
from accounts.api.base import ApiView, refuses
from accounts.api_tokens.services import KEY, run_once
from accounts.models import Scope
from accounts.origins import read_origin
from core.refusals import SWITCHED_OFF
from games.registry import FORMATS, GAMES
from tables.catalog import format_title
from tables.models import SeatStatus, Table, TableStatus
from tables.refusals import (
    ADDRESS_IS_SEATED,
    ALREADY_SEATED,
    API_PLAYERS_NOT_ALLOWED,
    CHIPS_ONLY,
    DEVICE_IS_SEATED,
    KEPT_APART,
    NOT_FOR_BOT_ACCOUNTS,
    OF_PRIVATE_TABLES,
    PLAY_RESTS,
    REMOVED_FROM_TABLE,
    SEAT_IS_FREE,
    SEATS_ARE_ARRANGED,
    TABLE_CLOSED,
    TABLE_CLOSING,
    TOO_OFTEN,
    PairIsDone,
    TableNotFound,
    TooManyTables,
)
from tables.seating.hosting.private_tables import open_private
from tables.seating.queue import join_queue, leave_queue, list_kept_chairs
from tables.seating.selectors import (
    TableSeen,
    TurnState,
    find_table,
    get_waiting,
    invite_code,
    list_own_tables,
)
from wallet.money import Currency
from wallet.refusals import OF_PLAYERS, NoFeeSchedule

CURRENCIES: Final = [currency.value for currency in Currency]
# As the sockets write them.
TABLE_STATES: Final = [status.lower() for status in TableStatus]
SEAT_STATES: Final = [status.lower() for status in SeatStatus]


class TableSerializer(serializers.Serializer[object]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    game = serializers.ChoiceField(choices=sorted(GAMES))
    format = serializers.ChoiceField(choices=FORMATS)
    title = serializers.CharField()
    state = serializers.ChoiceField(choices=TABLE_STATES, help_text="`table.status` of the socket")
    status = serializers.ChoiceField(choices=TableStatus.values)
    currency = serializers.ChoiceField(choices=CURRENCIES)
    point_value = serializers.IntegerField(help_text="0 where an entry fee is played for")
    entry_fee = serializers.IntegerField(
        help_text="0 where points are played for; where both are 0 nothing is at stake"
    )
    min_buy_in = serializers.IntegerField()
    max_buy_in = serializers.IntegerField()
    rake_bps = serializers.IntegerField()
    allows_api_players = serializers.BooleanField(help_text="whether a token may sit and play")
    max_seats = serializers.IntegerField()
    seated = serializers.IntegerField()
    socket = serializers.CharField(help_text="see docs/protocol.md")


class InviteQuery(serializers.Serializer[Any]):
    invite = serializers.CharField(
        max_length=16,
        allow_blank=True,
        default="",
        help_text="the code of a private table",
    )


class WaitingSerializer(serializers.Serializer[object]):
    length = serializers.IntegerField(help_text="how many wait")
    place = serializers.IntegerField(allow_null=True, help_text="one's own, from 1")
    kept_until_ms = serializers.IntegerField(
        allow_null=True, help_text="a chair is free for this player alone until then"
    )


class ChairSerializer(serializers.Serializer[object]):
    seat = serializers.IntegerField()
    player = serializers.IntegerField()
    name = serializers.CharField()
    bot = serializers.BooleanField()
    stack = serializers.IntegerField()
    state = serializers.ChoiceField(choices=SEAT_STATES, help_text="as in the socket")
    status = serializers.ChoiceField(choices=SeatStatus.values)


class OneTableSerializer(TableSerializer):
    private = serializers.BooleanField()
    event = serializers.CharField(help_text="the tournament it belongs to; empty: none")
    seat = serializers.IntegerField(allow_null=True, help_text="one's own")
    chairs = ChairSerializer(many=True, help_text="those that are taken")
    invite = serializers.CharField(help_text="of a private table, for who sits there or opened it")
    waiting = WaitingSerializer()


class TableView(ApiView):
    """One table with its players and waiting list. A private table needs its code."""

    @extend_schema(
        operation_id="table",
        parameters=[InviteQuery],
        responses=OneTableSerializer,
        extensions=refuses(TableNotFound),
    )
    def get(self, request: Request, table_id: int) -> Response:
        invite = read_input(InviteQuery, request.query_params)["invite"]
        view = see_table(request, table_id, invite)
        table, user_id = view.table, get_player(request).pk
        own = next((chair.number for chair in view.chairs if chair.user_id == user_id), None)
        return Response(
            {
                **table_json(table, seated=len(view.chairs)),
                "private": table.is_private,
                "event": table.event_url,
                "seat": own,
                "chairs": [
                    {
                        "seat": chair.number,
                        "player": chair.user_id,
                        "name": chair.user.player_name,
                        "bot": chair.user.is_bot,
                        "stack": view.stacks[chair.pk],
                        "state": chair.status.lower(),
                        "status": chair.status,
                    }
                    for chair in view.chairs
                ],
                "invite": invite_code(table_id=table_id, user_id=user_id),
                "waiting": _describe_waiting(table_id, user_id),
            }
        )


class OwnTableSerializer(serializers.Serializer[object]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    title = serializers.CharField()
    state = serializers.ChoiceField(
        choices=[state.value for state in TurnState],
        help_text="`own_turn`, `other_turn`, `pause` between deals, `waiting` for players, "
        "`opened`: a private table of one's own at which one does not sit",
    )
    player = serializers.CharField(help_text="whose turn it is, if not one's own; else empty")
    due_at_ms = serializers.IntegerField(
        allow_null=True, help_text="the end of the running turn, milliseconds since 1970"
    )
    deadline_ms = serializers.IntegerField(allow_null=True, help_text="the end of its extra time")
    due_at = serializers.IntegerField(allow_null=True)
    deadline = serializers.IntegerField(allow_null=True)
    length_ms = serializers.IntegerField(help_text="how long a turn is")
    url = serializers.CharField()
    socket = serializers.CharField(help_text="see docs/protocol.md")


class OwnTablesSerializer(serializers.Serializer[object]):
    tables = OwnTableSerializer(many=True)


class OwnTablesView(ApiView):
    """The player's tables with their state, the longest sitting first, then private tables that they have opened.

    `/ws/me/` sends changes.
    """

    @extend_schema(operation_id="tables_mine", responses=OwnTablesSerializer)
    def get(self, request: Request) -> Response:
        tables = list_own_tables(get_player(request).pk)
        return Response(
            {
                "tables": [
                    {
                        **table.json(),
                        "title": table.title,
                        "socket": build_socket_path(table.id),
                        "due_at_ms": table.due_at,
                        "deadline_ms": table.deadline,
                    }
                    for table in tables
                ]
            }
        )


class QueueView(ApiView):
    """The waiting list of a full table. When a seat is reserved for the player, the wallet holds the buy-in."""

    scope = Scope.MONEY
    scopes = {"GET": Scope.READ, "HEAD": Scope.READ}

    @extend_schema(
        operation_id="waiting_list",
        parameters=[InviteQuery],
        responses=WaitingSerializer,
        extensions=refuses(TableNotFound),
    )
    def get(self, request: Request, table_id: int) -> Response:
        see_table(request, table_id, read_input(InviteQuery, request.query_params)["invite"])
        return Response(_describe_waiting(table_id, get_player(request).pk))

    @extend_schema(
        operation_id="wait",
        request=InviteQuery,
        responses=WaitingSerializer,
        extensions=refuses(
            ADDRESS_IS_SEATED,
            ALREADY_SEATED,
            API_PLAYERS_NOT_ALLOWED,
            DEVICE_IS_SEATED,
            KEPT_APART,
            NOT_FOR_BOT_ACCOUNTS,
            PairIsDone,
            PLAY_RESTS,
            REMOVED_FROM_TABLE,
            SEAT_IS_FREE,
            SEATS_ARE_ARRANGED,
            SWITCHED_OFF,
            TABLE_CLOSED,
            TABLE_CLOSING,
            TableNotFound,
            *OF_PRIVATE_TABLES,
            *OF_PLAYERS,
        ),
    )
    def post(self, request: Request, table_id: int) -> Response:
        """Join the waiting list. Repeated requests keep the player's place in it."""
        invite = read_input(InviteQuery, request.data)["invite"]
        see_table(request, table_id, invite)
        user_id, by_program = get_player(request).pk, is_program(request)
        join_queue(
            table_id=table_id,
            user_id=user_id,
            invite=invite,
            by_program=by_program,
            origin=read_origin(request),
        )
        return Response(_describe_waiting(table_id, user_id))

    @extend_schema(operation_id="wait_no_longer", request=None, responses={204: None})
    def delete(self, request: Request, table_id: int) -> Response:
        """Leave the waiting list. A seat reserved for the player is given up, and the held buy-in is released."""
        leave_queue(table_id=table_id, user_id=get_player(request).pk)
        return Response(status=204)


class OpenedSerializer(serializers.Serializer[object]):
    table = serializers.IntegerField()
    socket = serializers.CharField()
    invite = serializers.CharField(help_text="what friends sit down with; the page takes it too")


class OpenPrivateView(ApiView):
    """Open a table for friends: for chips, without bots and API players.

    Only people who are signed in on the site can open one.
    """

    scope = Scope.PLAY

    @extend_schema(
        operation_id="open_private",
        parameters=[KEY],
        request=None,
        responses=OpenedSerializer,
        extensions=refuses(
            API_PLAYERS_NOT_ALLOWED,
            CHIPS_ONLY,
            SWITCHED_OFF,
            TableNotFound,
            TooManyTables,
            TOO_OFTEN,
            NoFeeSchedule,
            *OF_PLAYERS,
        ),
    )
    def post(self, request: Request, kind_id: int) -> Response:
        def act() -> tuple[int, dict[str, Any]]:
            table = open_private(
                template_id=kind_id,
                user_id=get_player(request).pk,
                by_program=is_program(request),
            )
            body = {
                "table": table.pk,
                "socket": build_socket_path(table.pk),
                "invite": table.invite_code,
            }
            return 200, body

        return run_once(request, act)


def see_table(request: Request, table_id: int, invite: str) -> TableSeen:
    """Return the table as the player may see it.

    Raises TableNotFound if there is no such table, or if they may not see it.
    """
    view = find_table(get_player(request).pk, table_id=table_id, invite=invite)
    if view is None:
        raise TableNotFound
    return view


def _describe_waiting(table_id: int, user_id: int) -> dict[str, Any]:
    waiting = get_waiting(table_id=table_id, user_id=user_id)
    kept = [chair for chair in list_kept_chairs(user_id) if chair.table_id == table_id]
    return {
        "length": waiting.length,
        "place": waiting.place,
        "kept_until_ms": kept[0].until_ms if kept else None,
    }


def table_json(table: Table, *, seated: int) -> dict[str, Any]:
    """Return the fields of TableSerializer."""
    return {
        "id": table.pk,
        "name": table.shown_name,
        "game": table.game,
        "format": table.format,
        "title": format_title(table),
        "state": table.status.lower(),
        "status": table.status,
        "currency": table.currency,
        "point_value": table.point_value,
        "entry_fee": table.entry_fee,
        "min_buy_in": table.min_buy_in,
        "max_buy_in": table.max_buy_in,
        "rake_bps": table.rake_bps,
        "allows_api_players": table.allows_api_players,
        "max_seats": table.max_seats,
        "seated": seated,
        "socket": build_socket_path(table.pk),
    }


def build_socket_path(table_id: int) -> str:
    return f"/ws/tables/{table_id}/"
