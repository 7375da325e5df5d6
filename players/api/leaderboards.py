"""REST: leaderboards, and the caller's achievements."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.access import get_player, read_input
from accounts.api.base import ApiView
from games.registry import FORMATS, GAMES
from players.models import Board, LeaderboardPlace, Period
from players.ranking.selectors import list_achievements, rank_bots, rank_players
from tables.catalog import get_default_game


class LeaderboardQuery(serializers.Serializer[Any]):
    board = serializers.ChoiceField(choices=Board.values, default=Board.RATING.value)
    game = serializers.ChoiceField(choices=sorted(GAMES), default=get_default_game().code)
    format = serializers.ChoiceField(choices=FORMATS, default=get_default_game().formats[0].code)
    period = serializers.ChoiceField(choices=Period.values, default=Period.WEEK.value)


class PlaceSerializer(serializers.Serializer[object]):
    place = serializers.IntegerField()
    player = serializers.IntegerField()
    name = serializers.CharField()
    value = serializers.IntegerField(help_text="the rating, or chips won less chips lost")
    matches = serializers.IntegerField()


class LeaderboardSerializer(serializers.Serializer[object]):
    results = PlaceSerializer(many=True, help_text="the best 50")
    own = PlaceSerializer(allow_null=True, help_text="one's own line if it is not among them")
    drawn_at = serializers.DateTimeField(allow_null=True, help_text="null: nobody is on it yet")


class LeaderboardView(ApiView):
    """A leaderboard as last computed."""

    @extend_schema(
        operation_id="leaderboard", parameters=[LeaderboardQuery], responses=LeaderboardSerializer
    )
    def get(self, request: Request) -> Response:
        chosen = read_input(LeaderboardQuery, request.query_params)
        board = rank_players(
            Board(chosen["board"]),
            (chosen["game"], chosen["format"]),
            Period(chosen["period"]),
            user_id=get_player(request).pk,
        )
        return Response(
            {
                "results": [_place(place) for place in board.places],
                "own": _place(board.own) if board.own else None,
                "drawn_at": board.drawn_at,
            }
        )


class BotLadderQuery(serializers.Serializer[Any]):
    game = serializers.ChoiceField(choices=sorted(GAMES), default=get_default_game().code)
    format = serializers.ChoiceField(choices=FORMATS, default=get_default_game().formats[0].code)


class LadderPlaceSerializer(PlaceSerializer):
    value = serializers.IntegerField(help_text="the rating")
    deviation = serializers.IntegerField(help_text="above 110 the rating is not sure yet")


class BotLadderSerializer(serializers.Serializer[object]):
    results = LadderPlaceSerializer(many=True, help_text="the best 50")


class BotLadderView(ApiView):
    """BOT accounts by their rating in matches among themselves."""

    @extend_schema(
        operation_id="bot_ladder", parameters=[BotLadderQuery], responses=BotLadderSerializer
    )
    def get(self, request: Request) -> Response:
        chosen = read_input(BotLadderQuery, request.query_params)
        lines = rank_bots((chosen["game"], chosen["format"]))
        return Response(
            {
                "results": [
                    {
                        "place": line.place,
                        "player": line.rating.user_id,
                        "name": line.rating.user.player_name,
                        "value": round(line.rating.value),
                        "deviation": round(line.rating.deviation),
                        "matches": line.rating.matches,
                    }
                    for line in lines
                ]
            }
        )


def _place(place: LeaderboardPlace) -> dict[str, Any]:
    return {
        "place": place.place,
        "player": place.user_id,
        "name": place.user.player_name,
        "value": place.value,
        "matches": place.matches,
    }


class AchievementSerializer(serializers.Serializer[object]):
    code = serializers.CharField(source="entry.code")
    title = serializers.CharField(
        source="entry.title", help_text="in the language that is asked for"
    )
    text = serializers.CharField(source="entry.text", help_text="what counts, in the same language")
    game = serializers.ChoiceField(
        choices=["", *sorted(GAMES)], source="entry.game", help_text="empty: every game"
    )
    count = serializers.IntegerField(help_text="finished matches that count towards it")
    tier = serializers.IntegerField(help_text="0: none is reached yet")
    tiers = serializers.ListField(
        child=serializers.IntegerField(), source="entry.tiers", help_text="matches for each tier"
    )
    reached_at = serializers.DateTimeField(allow_null=True, help_text="when the tier was reached")


class AchievementsSerializer(serializers.Serializer[object]):
    results = AchievementSerializer(many=True)


class AchievementsView(ApiView):
    """All achievements, with the caller's progress."""

    @extend_schema(operation_id="achievements", responses=AchievementsSerializer)
    def get(self, request: Request) -> Response:
        found = {"results": list_achievements(get_player(request).pk)}
        return Response(AchievementsSerializer(found).data)
