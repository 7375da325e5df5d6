"""Authentication, scopes and rate limits of the API."""

from typing import Any

from django.http import HttpRequest
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied, Throttled
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.serializers import Serializer
from rest_framework.throttling import AnonRateThrottle, SimpleRateThrottle, UserRateThrottle

from accounts.api_tokens.services import find_token
from accounts.models import ApiToken, Scope, User
from core import throttling
from core.throttling import Rate, Taken


class TokenAuthentication(BaseAuthentication):
    """Authentication by the header `Authorization: Bearer ort_…`."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        words = get_authorization_header(request).split()
        if not words or words[0].lower() != b"bearer":
            return None
        token = find_token(words[-1].decode("ascii", "replace")) if len(words) == 2 else None  # noqa: PLR2004
        if token is None:
            count_wrong_token(request)
            raise AuthenticationFailed("The token is unknown, revoked or expired.")
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        """Build the `WWW-Authenticate` header, which says that the token is wrong if one was sent (RFC 6750, 3)."""
        was_shown = bool(get_authorization_header(request))
        return 'Bearer error="invalid_token"' if was_shown else "Bearer"


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A token made in the settings, or an access token of OAuth 2.0 "
            "(/docs/oauth/). An operation names the right that the token needs: "
            + "; ".join(f"`{scope.value}`" for scope in Scope)
            + ".",
        }

    def get_security_requirement(self, auto_schema: Any) -> dict[str, list[str]]:
        return {self.name: [get_scope(auto_schema.view, auto_schema.method).value]}


def get_player(request: Request) -> User:
    """Return the calling player, whom HasScope has admitted."""
    assert isinstance(request.user, User)  # noqa: S101 - see above
    return request.user


def is_program(request: Request) -> bool:
    """Return whether the request came with a token, not with a browser's session."""
    return isinstance(request.auth, ApiToken)


class ScopeMissing(PermissionDenied):
    """The token does not have the scope that the operation needs."""

    def __init__(self, scope: Scope) -> None:
        super().__init__(f"This token needs the right “{scope.value}”; make one that has it.")
        self.scope = scope


class HasScope(BasePermission):
    """Require the scope that the view's `scopes` name for the request's method, or else the view's `scope`.

    A player who is signed in on the site has all scopes. Raises ScopeMissing.
    """

    def has_permission(self, request: Request, view: Any) -> bool:
        if not request.user.is_authenticated:
            return False
        if not isinstance(request.auth, ApiToken):
            return True
        wanted = get_scope(view, str(request.method))
        if wanted not in request.auth.scopes:
            raise ScopeMissing(wanted)
        return True


def get_scope(view: Any, method: str) -> Scope:
    """Return the scope that a token needs to call this method of the view."""
    scopes: dict[str, Scope] = getattr(view, "scopes", {})
    wanted: Scope = scopes.get(method, getattr(view, "scope", Scope.READ))
    return wanted


def read_input(kind: type[Serializer[Any]], data: Any) -> dict[str, Any]:
    """Return the validated values of a body or a query string. Raises ValidationError."""
    serializer = kind(data=data)
    serializer.is_valid(raise_exception=True)
    values: dict[str, Any] = serializer.validated_data
    return values


class Counted(SimpleRateThrottle):
    num_requests: int | None
    duration: int | None
    taken: Taken | None = None  # None: this limit does not apply

    def allow_request(self, request: Request, view: Any) -> bool:
        key = self.get_cache_key(request, view)
        if key is not None:
            self.taken = self.count(key)
        return self.taken is None or self.taken.is_allowed

    def count(self, key: str) -> Taken | None:
        """Count one more request under this key and return the outcome, or None if the rate is not limited."""
        if self.num_requests is None or self.duration is None:
            return None
        return throttling.take(Rate(f"api:{key}", self.num_requests, self.duration))

    def wait(self) -> float:
        return self.taken.pause_seconds if self.taken else 0.0

    def get_ident(self, request: Request | HttpRequest) -> str:
        return throttling.identify_household(request)


class OfAddress(Counted, AnonRateThrottle):
    """Limits how many requests without a token or session an address may make."""


class OfPlayer(Counted, UserRateThrottle):
    """Limits how many requests an account may make, whatever address they come from."""


class _OfWrongTokens(Counted):
    scope = "wrong_tokens"


def count_wrong_token(request: Request) -> None:
    """Count a wrong token against the caller's address. Raises Throttled if there were too many.

    Only wrong tokens are counted, so other people's mistakes never block a correct token.
    """
    pause = pause_of_wrong_token(throttling.identify_household(request))
    if pause:
        raise Throttled(pause)


def pause_of_wrong_token(address: str) -> float:
    """Count a wrong token, sent over the API or a socket from this address.

    Return the seconds to wait if there were too many, else 0.
    """
    taken = _OfWrongTokens().count(f"wrong-token:{address}")
    return taken.pause_seconds if taken else 0.0
