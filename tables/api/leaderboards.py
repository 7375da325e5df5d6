"""REST: who plays best, and who has won most chips."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.access import asked, player_of
from games.registry import FORMATS, GAMES
from tables.catalog import usual_game
from tables.models import Board, LeaderboardPlace, Period
from tables.ranking.selectors import leaderboard


class LeaderboardQuery(serializers.Serializer[Any]):
    board = serializers.ChoiceField(choices=Board.values, default=Board.RATING.value)
    game = serializers.ChoiceField(choices=sorted(GAMES), default=usual_game().code)
    variant = serializers.ChoiceField(choices=FORMATS, default=usual_game().formats[0].code)
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


class LeaderboardView(APIView):
    """A leaderboard as it was drawn last."""

    @extend_schema(
        operation_id="leaderboard", parameters=[LeaderboardQuery], responses=LeaderboardSerializer
    )
    def get(self, request: Request) -> Response:
        chosen = asked(LeaderboardQuery, request.query_params)
        board = leaderboard(
            Board(chosen["board"]),
            (chosen["game"], chosen["variant"]),
            Period(chosen["period"]),
            user_id=player_of(request).pk,
        )
        return Response(
            {
                "results": [_place(place) for place in board.places],
                "own": _place(board.own) if board.own else None,
                "drawn_at": board.drawn_at,
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
