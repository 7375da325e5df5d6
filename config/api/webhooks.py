"""Webhooks in the API's description: the messages that are posted to the addresses of the operator and of players."""

from typing import Any

from drf_spectacular.utils import OpenApiResponse, OpenApiWebhook, extend_schema
from rest_framework import serializers

from core.models import WebhookEvent
from games.registry import FORMATS, GAMES
from tournaments.rules.formats import FORMATS as TOURNAMENT_FORMATS


class NamedTableSerializer(serializers.Serializer[object]):
    id = serializers.IntegerField()
    name = serializers.CharField()


class MatchPlayerSerializer(serializers.Serializer[object]):
    seat = serializers.IntegerField()
    id = serializers.IntegerField()
    name = serializers.CharField()
    bot = serializers.BooleanField()
    rank = serializers.IntegerField(allow_null=True, help_text="1 for winners")


class MatchResultSerializer(serializers.Serializer[object]):
    match = serializers.IntegerField()
    table = NamedTableSerializer()
    game = serializers.ChoiceField(choices=sorted(GAMES))
    format = serializers.ChoiceField(choices=FORMATS)
    started_at = serializers.DateTimeField()
    players = MatchPlayerSerializer(many=True)
    winners = serializers.ListField(child=serializers.IntegerField(), help_text="seats")


class TournamentPlaceSerializer(serializers.Serializer[object]):
    place = serializers.IntegerField()
    id = serializers.IntegerField(help_text="of the player")
    name = serializers.CharField()
    bot = serializers.BooleanField()


class TournamentResultSerializer(serializers.Serializer[object]):
    tournament = serializers.IntegerField()
    name = serializers.CharField()
    game = serializers.ChoiceField(choices=sorted(GAMES))
    format = serializers.ChoiceField(choices=list(TOURNAMENT_FORMATS))
    started_at = serializers.DateTimeField(allow_null=True)
    entrants = serializers.IntegerField()
    places = TournamentPlaceSerializer(many=True, help_text="the best 100")


class MatchEndedSerializer(serializers.Serializer[object]):
    type = serializers.ChoiceField(choices=[WebhookEvent.MATCH_ENDED.value])
    timestamp = serializers.DateTimeField()
    data = MatchResultSerializer()  # type: ignore[assignment]  # a field, which the metaclass takes


class TournamentEndedSerializer(serializers.Serializer[object]):
    type = serializers.ChoiceField(choices=[WebhookEvent.TOURNAMENT_ENDED.value])
    timestamp = serializers.DateTimeField()
    data = TournamentResultSerializer()  # type: ignore[assignment]  # a field, which the metaclass takes


def _describe(event: WebhookEvent, payload: Any, description: str) -> OpenApiWebhook:
    accepted = OpenApiResponse(
        description="Accepted. Any other answer is sent again, for two days."
    )
    return OpenApiWebhook(
        event.value,
        extend_schema(
            operation_id=event.value.replace(".", "_"),
            description=f"{description} Signed by Standard Webhooks (/docs/oauth/#webhooks).",
            request=payload,
            responses={200: accepted},
        ),
    )


MATCH_ENDED = _describe(
    WebhookEvent.MATCH_ENDED, MatchEndedSerializer, "A match of the player has ended."
)
TOURNAMENT_ENDED = _describe(
    WebhookEvent.TOURNAMENT_ENDED,
    TournamentEndedSerializer,
    "A tournament of the player has ended.",
)
