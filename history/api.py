"""REST: the match history."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.access import get_player, read_input
from accounts.api.base import ApiView, PageQuery, PageSerializer
from games.registry import FORMATS, GAMES
from history import selectors as history
from history.analysing import find_analysis
from history.models import AnalysisState
from history.records import deal_record
from history.selectors import FinishedDeal
from tables.catalog import format_match_title
from tables.models import Match, MatchStatus
from wallet.money import Currency

MATCHES_ON_A_PAGE = 25


class MatchesQuery(PageQuery):
    game = serializers.ChoiceField(choices=sorted(GAMES), required=False)
    format = serializers.ChoiceField(choices=FORMATS, required=False)
    currency = serializers.ChoiceField(choices=[c.value for c in Currency], required=False)


class MatchSerializer(serializers.Serializer[object]):
    id = serializers.IntegerField()
    table = serializers.CharField()
    game = serializers.ChoiceField(choices=sorted(GAMES))
    title = serializers.CharField()
    currency = serializers.ChoiceField(choices=[c.value for c in Currency])
    status = serializers.ChoiceField(choices=MatchStatus.values)
    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    players = serializers.DictField(child=serializers.CharField(), help_text="names by seat")
    winners = serializers.ListField(child=serializers.IntegerField(), help_text="seats")
    amounts = serializers.DictField(
        child=serializers.IntegerField(), help_text="won or lost, by seat"
    )


class MatchesSerializer(PageSerializer):
    results = MatchSerializer(many=True)


class FinishedDealSerializer(serializers.Serializer[object]):
    number = serializers.IntegerField(help_text="for the record of the deal")
    commitment = serializers.CharField(help_text="the hash of the seed, shown before the deal")
    points = serializers.DictField(child=serializers.IntegerField(), help_text="by seat")
    winners = serializers.ListField(child=serializers.IntegerField(), help_text="seats")


class OneMatchSerializer(MatchSerializer):
    table_id = serializers.IntegerField()
    ranks = serializers.DictField(child=serializers.IntegerField(), help_text="by seat")
    points = serializers.DictField(child=serializers.IntegerField(), help_text="by seat")
    deals = FinishedDealSerializer(many=True, help_text="those that are over")


class AnalysisSerializer(serializers.Serializer[object]):
    state = serializers.ChoiceField(choices=AnalysisState.values)
    progress = serializers.IntegerField(help_text="in per cent")
    asked_at = serializers.DateTimeField()
    decisions = serializers.IntegerField(help_text="how many")
    lost = serializers.FloatField(help_text="net points given away")
    by_kind = serializers.DictField(child=serializers.FloatField(), help_text="points given away")
    report = serializers.DictField(allow_null=True, help_text="null until it is done")


class MatchesView(ApiView):
    """The caller's finished matches, newest first."""

    @extend_schema(operation_id="matches", parameters=[MatchesQuery], responses=MatchesSerializer)
    def get(self, request: Request) -> Response:
        chosen = read_input(MatchesQuery, request.query_params)
        matches = history.list_matches(
            user_id=get_player(request).pk,
            before=chosen.get("cursor"),
            length=MATCHES_ON_A_PAGE + 1,
            game=chosen.get("game", ""),
            format=chosen.get("format", ""),
            currency=chosen.get("currency", ""),
        )
        page = matches[:MATCHES_ON_A_PAGE]
        is_more = len(matches) > MATCHES_ON_A_PAGE
        return Response(
            {
                "results": [_match(match) for match in page],
                "next": page[-1].pk if is_more else None,
            }
        )


class MatchView(ApiView):
    """A match of the caller, or of a tournament, with its finished deals."""

    @extend_schema(operation_id="match", responses=OneMatchSerializer)
    def get(self, request: Request, match_id: int) -> Response:
        viewing = history.find_viewing(get_player(request), match_id=match_id)
        if viewing is None:
            raise NotFound("There is no such match of yours.")
        match = viewing.match
        result = match.result or {}
        return Response(
            {
                **_match(match),
                "table_id": match.table_id,
                "ranks": result.get("ranks", {}),
                "points": result.get("points", {}),
                "deals": [_deal(deal) for deal in history.list_finished_deals(match)],
            }
        )


class DealView(ApiView):
    """The record of a finished deal: cards, moves, seed (/docs/deal-record/)."""

    @extend_schema(
        operation_id="deal", responses={200: {"$ref": "#/components/schemas/DealRecord"}}
    )
    def get(self, request: Request, match_id: int, number: int) -> Response:
        viewing = history.find_viewing(get_player(request), match_id=match_id)
        record = deal_record(match_id=match_id, number=number) if viewing else None
        if record is None:
            raise NotFound("There is no such deal of yours, or it is being played.")
        return Response(record)


class AnalysisView(ApiView):
    """The analysis of the caller's decisions in a deal, after they have requested it on the deal's replay page."""

    @extend_schema(operation_id="analysis", responses=AnalysisSerializer)
    def get(self, request: Request, match_id: int, number: int) -> Response:
        player = get_player(request)
        viewing = history.find_viewing(player, match_id=match_id)
        found = find_analysis(viewing.match, number, player.pk) if viewing else None
        if found is None:
            raise NotFound("No analysis of this deal was asked for by you.")
        return Response(AnalysisSerializer(found).data)


def _match(match: Match) -> dict[str, Any]:
    settled = match.settlement or {}
    return {
        "id": match.pk,
        "table": match.table.shown_name,
        "game": match.table.game,
        "title": format_match_title(match),
        "currency": match.table.currency,
        "status": match.status,
        "started_at": match.started_at,
        "ended_at": match.ended_at,
        "players": {seat: player["name"] for seat, player in match.players.items()},
        "winners": (match.result or {}).get("winners", []),
        "amounts": settled.get("amounts", {}),
    }


def _deal(deal: FinishedDeal) -> dict[str, Any]:
    return {
        "number": deal.number,
        "commitment": deal.commitment,
        "points": deal.points,
        "winners": deal.winners,
    }
