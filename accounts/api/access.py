"""Who calls the API and what they may do there."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from accounts.api.throttles import count_wrong_token
from accounts.api_tokens.services import token_of
from accounts.models import ApiToken, Scope, User


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer ort_…`."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        words = get_authorization_header(request).split()
        if not words or words[0].lower() != b"bearer":
            return None
        token = token_of(words[-1].decode("ascii", "replace")) if len(words) == 2 else None  # noqa: PLR2004
        if token is None:
            count_wrong_token(request)
            raise AuthenticationFailed("The token is unknown, revoked or expired.")
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A token made in the profile, or an access token of OAuth 2.0 "
            "(/docs/oauth/). An operation names the right that the token needs: "
            + "; ".join(f"`{scope.value}`" for scope in Scope)
            + ".",
        }

    def get_security_requirement(self, auto_schema: Any) -> dict[str, list[str]]:
        return {self.name: [scope_of(auto_schema.view, auto_schema.method).value]}


def player_of(request: Request) -> User:
    """Who calls, where HasScope has let them through."""
    assert isinstance(request.user, User)  # noqa: S101 - see above
    return request.user


def is_program(request: Request) -> bool:
    """Whether a token was shown, and not the session of somebody in a browser."""
    return isinstance(request.auth, ApiToken)


class HasScope(BasePermission):
    """A token needs the view's scope, or that of the method in its `scopes`; a player who has
    signed in on the site has all of them."""

    message = "This token may not do that; make one with the right for it."

    def has_permission(self, request: Request, view: Any) -> bool:
        if not request.user.is_authenticated:
            return False
        if not isinstance(request.auth, ApiToken):
            return True
        return scope_of(view, str(request.method)) in request.auth.scopes


def scope_of(view: Any, method: str) -> Scope:
    """The right that a token needs for this."""
    scopes: dict[str, Scope] = getattr(view, "scopes", {})
    wanted: Scope = scopes.get(method, getattr(view, "scope", Scope.READ))
    return wanted
