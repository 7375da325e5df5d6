"""allauth's OAuth server with codes and token families in PostgreSQL, for code and refresh token only."""

import re
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from allauth.idp.oidc import app_settings
from allauth.idp.oidc.internal.oauthlib.request_validator import OAuthLibRequestValidator
from allauth.idp.oidc.internal.oauthlib.server import generate_opaque_token
from django.utils import timezone
from oauthlib.common import Request
from oauthlib.oauth2 import WebApplicationServer
from oauthlib.oauth2.rfc6749.errors import InvalidRequestError, UnsupportedCodeChallengeMethodError

from accounts.api_tokens import oauth_grants
from accounts.models import OAuthGrant

_LOOPBACK = {"127.0.0.1", "::1"}
_S256 = re.compile(r"[A-Za-z0-9_-]{43}")


class GrantValidator(OAuthLibRequestValidator):  # type: ignore[misc] # allauth has no types
    """Answers oauthlib's questions during one request, of which `_grant` is the locked grant."""

    _grant: OAuthGrant | None = None

    def validate_redirect_uri(
        self, client_id: str, redirect_uri: str, request: Request, *_more: Any, **_named: Any
    ) -> bool:
        entered = request.client.get_redirect_uris()
        return any(is_same_address(redirect_uri, address) for address in entered)

    def save_authorization_code(
        self, client_id: str, code: Any, request: Request, *_more: Any, **_named: Any
    ) -> None:
        oauth_grants.store_code(
            code["code"],
            client_id=request.client.pk,
            user_id=request.user.pk,
            scopes=request.scopes,
            redirect_uri=request.redirect_uri,
            code_challenge=request.code_challenge or "",
        )

    def validate_code(
        self, client_id: str, code: str, client: Any, request: Request, *_more: Any, **_named: Any
    ) -> bool:
        grant = oauth_grants.take_code(code, client_id=client.pk)
        if grant is not None and request.code_verifier and not grant.code_challenge:
            return False  # the challenge was taken out on the way (RFC 9700, 2.1.1)
        return self._use(grant, request)

    def get_code_challenge(self, code: str, request: Request) -> str | None:
        return (self._grant and self._grant.code_challenge) or None

    def get_code_challenge_method(self, code: str, request: Request) -> str:
        return "S256"

    def confirm_redirect_uri(
        self,
        client_id: str,
        code: str,
        redirect_uri: str,
        client: Any,
        request: Request,
        *_more: Any,
        **_named: Any,
    ) -> bool:
        return self._grant is not None and redirect_uri == self._grant.redirect_uri

    def invalidate_authorization_code(self, *_more: Any, **_named: Any) -> None:
        """Do nothing: the grant says already that its code was exchanged."""

    def validate_refresh_token(
        self, refresh_token: str, client: Any, request: Request, *_more: Any, **_named: Any
    ) -> bool:
        grant = oauth_grants.take_refresh_token(refresh_token, client_id=client.pk)
        return self._use(grant, request)

    def get_original_scopes(
        self, refresh_token: str, request: Request, *_more: Any, **_named: Any
    ) -> list[str]:
        return self._grant.scopes if self._grant is not None else []

    def next_refresh_token(self, request: Request) -> str:
        is_renewed = self._grant is not None and self._grant.exchanged_at is not None
        return oauth_grants.next_refresh_token(request.refresh_token if is_renewed else "")

    def save_bearer_token(
        self, token: dict[str, Any], request: Request, *_more: Any, **_named: Any
    ) -> None:
        assert self._grant is not None  # noqa: S101 - both ways to a token have validated one
        oauth_grants.store_tokens(
            self._grant,
            access_token=token["access_token"],
            access_scopes=request.scopes,
            access_ends_at=timezone.now() + timedelta(seconds=token["expires_in"]),
            refresh_token=token["refresh_token"],
        )

    def revoke_token(
        self, token: str, token_type_hint: str, request: Request, *_more: Any, **_named: Any
    ) -> None:
        oauth_grants.revoke_token(token, client_id=request.client.pk)

    def _use(self, grant: OAuthGrant | None, request: Request) -> bool:
        self._grant = grant
        if grant is None:
            return False
        request.user, request.scopes = grant.user, grant.scopes
        return True


def make_server() -> WebApplicationServer:
    """Make the server of one request."""
    validator = GrantValidator()
    server = WebApplicationServer(
        validator,
        token_generator=generate_opaque_token,
        token_expires_in=app_settings.ACCESS_TOKEN_EXPIRES_IN,
        refresh_token_generator=validator.next_refresh_token,
    )
    server.auth_grant.custom_validators.pre_auth.append(_check_challenge_method)
    return server


def is_same_address(address: str, entered: str) -> bool:
    """Compare redirect addresses letter by letter, but for the port on the player's own machine.

    A program there takes the port that is free (RFC 8252, 7.3).
    """
    try:
        given, known = urlsplit(address), urlsplit(entered)
        port = given.port
    except ValueError:
        return False
    if known.scheme == "http" and known.hostname in _LOOPBACK:
        host = f"[{known.hostname}]" if ":" in known.hostname else known.hostname
        entered = known._replace(netloc=host if port is None else f"{host}:{port}").geturl()
    return address == entered


def _check_challenge_method(request: Request) -> dict[str, Any]:
    """Refuse `plain`, which shows the verifier to everybody who sees the address (RFC 9700, 2.1.1)."""
    if request.code_challenge is not None:
        if request.code_challenge_method != "S256":
            raise UnsupportedCodeChallengeMethodError(request=request)
        if not _S256.fullmatch(request.code_challenge):
            raise InvalidRequestError("code_challenge is no S256.", request=request)
    return {}
