"""The caller's account."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.access import player_of
from accounts.models import ApiToken, Scope


class AccountSerializer(serializers.Serializer[object]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    email = serializers.EmailField(allow_blank=True)
    language = serializers.CharField()
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=Scope.choices))


class AccountView(APIView):
    """The caller, and the scopes of the token."""

    @extend_schema(responses=AccountSerializer, operation_id="account")
    def get(self, request: Request) -> Response:
        user = player_of(request)
        scopes = request.auth.scopes if isinstance(request.auth, ApiToken) else Scope.values
        return Response(
            {
                "id": user.pk,
                "name": user.player_name,
                "email": user.own_email,
                "language": user.language,
                "scopes": list(scopes),
            }
        )
