"""REST: the lobby."""

from typing import Any, Final

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.access import read_input
from accounts.api.base import ApiView
from core.sockets.old_names import with_both_names
from games.registry import FORMATS, GAMES
from tables.catalog import title_of, title_of_template
from tables.lobby.selectors import (
    TABLES_SHOWN,
    Kind,
    LobbyFilter,
    format_of_template,
    list_kinds,
    list_lobby_tables,
)
from tables.models import Table, TableStatus
from wallet.api import cash_is_on
from wallet.money import Currency

CURRENCIES: Final = [currency.value for currency in Currency]


class LobbyQuery(serializers.Serializer[Any]):
    game = serializers.ChoiceField(choices=sorted(GAMES), required=False)
    format = serializers.ChoiceField(choices=FORMATS, required=False)
    seats = serializers.ChoiceField(choices=["2", "6"], required=False)
    currency = serializers.ChoiceField(choices=CURRENCIES, required=False)


class KindSerializer(serializers.Serializer[object]):
    id = serializers.IntegerField(help_text="for /tables/play/ and /tables/private/")
    game = serializers.ChoiceField(choices=sorted(GAMES))
    format = serializers.ChoiceField(choices=FORMATS)
    variant = serializers.ChoiceField(choices=FORMATS, help_text="the old name of `format`")
    title = serializers.CharField()
    currency = serializers.ChoiceField(choices=CURRENCIES)
    point_value = serializers.IntegerField(help_text="0 where an entry fee is played for")
    entry_fee = serializers.IntegerField(help_text="0 where points are played for")
    max_seats = serializers.IntegerField()
    bots = serializers.IntegerField(help_text="practice bots that join")
    allows_api_players = serializers.BooleanField(help_text="whether a token may sit down")
    players = serializers.IntegerField()


class TableSerializer(serializers.Serializer[object]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    game = serializers.ChoiceField(choices=sorted(GAMES))
    format = serializers.ChoiceField(choices=FORMATS)
    variant = serializers.ChoiceField(choices=FORMATS, help_text="the old name of `format`")
    title = serializers.CharField()
    status = serializers.ChoiceField(choices=[status.value for status in TableStatus])
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


class LobbySerializer(serializers.Serializer[object]):
    kinds = KindSerializer(many=True)
    tables = TableSerializer(many=True)
    more_tables = serializers.BooleanField(
        help_text=f"not all are listed: of more than {TABLES_SHOWN}, those with a free seat"
    )


class LobbyView(ApiView):
    """The lobby: games, stakes and tables that are open now."""

    @extend_schema(operation_id="lobby", parameters=[LobbyQuery], responses=LobbySerializer)
    def get(self, request: Request) -> Response:
        chosen = read_input(LobbyQuery, request.query_params)
        wanted = LobbyFilter(
            game=chosen.get("game", ""),
            format=chosen.get("format", ""),
            seats=chosen.get("seats", ""),
            currency=chosen.get("currency", "") if cash_is_on() else Currency.CHIPS,
        )
        listed = list_lobby_tables(wanted)
        return Response(
            {
                "kinds": [_kind(kind) for kind in list_kinds(wanted)],
                "tables": [
                    table_json(entry.table, seated=entry.seated) for entry in listed.entries
                ],
                "more_tables": listed.has_more,
            }
        )


def _kind(kind: Kind) -> dict[str, Any]:
    template = kind.template
    told = {
        "id": template.pk,
        "game": template.game,
        "format": format_of_template(template),
        "title": title_of_template(template),
        "currency": template.currency,
        "point_value": template.point_value,
        "entry_fee": template.entry_fee,
        "max_seats": template.max_seats,
        "bots": template.bots_wanted,
        "allows_api_players": template.allows_api_players,
        "players": kind.people,
    }
    return with_both_names(told)


def table_json(table: Table, *, seated: int) -> dict[str, Any]:
    """Return the fields of TableSerializer."""
    told = {
        "id": table.pk,
        "name": table.shown_name,
        "game": table.game,
        "format": table.format,
        "title": title_of(table),
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
        "socket": socket_of(table.pk),
    }
    return with_both_names(told)


def socket_of(table_id: int) -> str:
    return f"/ws/tables/{table_id}/"
