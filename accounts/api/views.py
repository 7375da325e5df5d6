"""The caller's account."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.access import get_player, read_input
from accounts.api.base import ApiView
from accounts.faces import FACES
from accounts.models import ApiToken, Scope, User
from accounts.people.forms import set_face
from accounts.people.preferences import get_preferences


class AccountSerializer(serializers.Serializer[object]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    email = serializers.EmailField(allow_blank=True)
    bot = serializers.BooleanField(help_text="whether this is a BOT account")
    language = serializers.CharField()
    face = serializers.ChoiceField(choices=tuple(FACES))
    preferences = serializers.DictField(
        child=serializers.CharField(),
        help_text="Looks and sounds that the player has chosen, by name.",
    )
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=Scope.values))


class FaceSerializer(serializers.Serializer[object]):
    face = serializers.ChoiceField(choices=tuple(FACES))


class AccountView(ApiView):
    scopes = {"PATCH": Scope.PLAY}

    @extend_schema(responses=AccountSerializer, operation_id="account")
    def get(self, request: Request) -> Response:
        """The caller, and the scopes of the token."""
        return self._answer(request, get_player(request))

    @extend_schema(request=FaceSerializer, responses=AccountSerializer, operation_id="choose_face")
    def patch(self, request: Request) -> Response:
        """Choose the face that other players see."""
        wanted = read_input(FaceSerializer, request.data)
        user = get_player(request)
        user.face = wanted["face"]
        set_face(user_id=user.pk, face=user.face)
        return self._answer(request, user)

    def _answer(self, request: Request, user: User) -> Response:
        scopes = request.auth.scopes if isinstance(request.auth, ApiToken) else Scope.values
        return Response(
            {
                "id": user.pk,
                "name": user.player_name,
                "email": user.own_email,
                "bot": user.is_bot_account,
                "language": user.language,
                "face": user.shown_face,
                "preferences": get_preferences(user),
                "scopes": list(scopes),
            }
        )
