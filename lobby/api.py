"""REST: the lobby."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.access import read_input
from accounts.api.base import ApiView
from games.registry import FORMATS, GAMES
from lobby.selectors import (
    TABLES_SHOWN,
    LobbyFilter,
    TableKind,
    format_of_template,
    list_kinds,
    list_lobby_tables,
)
from tables.api.tables import CURRENCIES, TableSerializer, table_json
from tables.catalog import title_of_template
from wallet.api import cash_is_on
from wallet.money import Currency


class LobbyQuery(serializers.Serializer[Any]):
    game = serializers.ChoiceField(choices=sorted(GAMES), required=False)
    format = serializers.ChoiceField(choices=FORMATS, required=False)
    seats = serializers.ChoiceField(choices=[2, 6], required=False)
    currency = serializers.ChoiceField(choices=CURRENCIES, required=False)


class KindSerializer(serializers.Serializer[object]):
    id = serializers.IntegerField(help_text="for /tables/play/ and /tables/private/")
    game = serializers.ChoiceField(choices=sorted(GAMES))
    format = serializers.ChoiceField(choices=FORMATS)
    title = serializers.CharField()
    currency = serializers.ChoiceField(choices=CURRENCIES)
    point_value = serializers.IntegerField(help_text="0 where an entry fee is played for")
    entry_fee = serializers.IntegerField(help_text="0 where points are played for")
    max_seats = serializers.IntegerField()
    bots = serializers.IntegerField(help_text="practice bots that join")
    allows_api_players = serializers.BooleanField(help_text="whether a token may sit down")
    players = serializers.IntegerField()


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
            seats=str(chosen.get("seats", "")),
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


def _kind(kind: TableKind) -> dict[str, Any]:
    template = kind.template
    return {
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
