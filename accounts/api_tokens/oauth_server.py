"""allauth's OAuth server with codes and token families in PostgreSQL: codes, devices, refresh tokens."""

import json
import re
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from allauth.core.internal.cryptokit import generate_user_code
from allauth.idp.oidc import app_settings
from allauth.idp.oidc.internal.oauthlib.request_validator import OAuthLibRequestValidator
from allauth.idp.oidc.internal.oauthlib.server import generate_opaque_token
from allauth.idp.oidc.models import Client
from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from oauthlib.common import Request
from oauthlib.oauth2 import WebApplicationServer
from oauthlib.oauth2.rfc6749.errors import (
    InvalidRequestError,
    OAuth2Error,
    UnauthorizedClientError,
    UnsupportedCodeChallengeMethodError,
)
from oauthlib.oauth2.rfc8628.endpoints import DeviceAuthorizationEndpoint
from oauthlib.oauth2.rfc8628.grant_types import DeviceCodeGrant
from oauthlib.openid.connect.core.endpoints.userinfo import UserInfoEndpoint
from oauthlib.openid.connect.core.grant_types import AuthorizationCodeGrant, RefreshTokenGrant

from accounts.api_tokens import oauth_devices, oauth_grants
from accounts.api_tokens.oauth_identity import list_offered_scopes
from accounts.models import NONCE_LENGTH, IdentityScope, OAuthGrant

_LOOPBACK = {"127.0.0.1", "::1"}
_S256 = re.compile(r"[A-Za-z0-9_-]{43}")


class GrantValidator(OAuthLibRequestValidator):  # type: ignore[misc] # allauth has no types
    """Answers oauthlib's questions during one request; `_grant` is the locked grant."""

    _grant: OAuthGrant | None = None

    def validate_redirect_uri(
        self, client_id: str, redirect_uri: str, request: Request, *_more: Any, **_named: Any
    ) -> bool:
        entered = request.client.get_redirect_uris()
        return any(is_same_address(redirect_uri, address) for address in entered)

    def validate_scopes(
        self, client_id: str, scopes: list[str], client: Any, request: Request, *_more: Any
    ) -> bool:
        wanted = set(scopes)
        knows_player = not wanted & set(IdentityScope.values) or IdentityScope.OPENID in wanted
        known = wanted <= set(request.client.get_scopes()) & set(list_offered_scopes())
        return bool(wanted) and knows_player and known

    def validate_user_match(
        self, id_token_hint: str, scopes: list[str], _claims: Any, request: Request
    ) -> bool:
        """Compare the hint only: single claims are not supported."""
        is_same: bool = super().validate_user_match(id_token_hint, scopes, {}, request)
        return is_same

    def validate_silent_authorization(self, request: Request) -> bool:
        return False  # the player is always asked

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
            nonce=request.nonce or "",
        )

    def validate_code(
        self, client_id: str, code: str, client: Any, request: Request, *_more: Any, **_named: Any
    ) -> bool:
        grant = oauth_grants.take_code(code, client_id=client.pk)
        if grant is not None and request.code_verifier and not grant.code_challenge:
            return False  # the challenge was taken out on the way (RFC 9700, 2.1.1)
        return self._use(grant, request)

    def validate_device_code(
        self, client_id: str, code: str, request: Request, *_more: Any, **_named: Any
    ) -> oauth_devices.Poll | None:
        state, grant = oauth_devices.poll_device(code, client_id=request.client.pk)
        self._use(grant, request)
        return state

    def get_authorization_code_nonce(self, *_more: Any) -> str | None:
        return (self._grant and self._grant.nonce) or None

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
        """Do nothing: the grant already records that its code was exchanged."""

    def validate_refresh_token(
        self, refresh_token: str, client: Any, request: Request, *_more: Any, **_named: Any
    ) -> bool:
        grant = oauth_grants.take_refresh_token(refresh_token, client_id=client.pk)
        return self._use(grant, request)

    def get_original_scopes(
        self, refresh_token: str, request: Request, *_more: Any, **_named: Any
    ) -> list[str]:
        return _scopes_of(self._grant) if self._grant is not None else []

    def next_refresh_token(self, request: Request) -> str:
        is_renewed = self._grant is not None and self._grant.exchanged_at is not None
        return oauth_grants.make_next_refresh_token(request.refresh_token if is_renewed else "")

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
        request.user, request.scopes = grant.user, _scopes_of(grant)
        return True


def _scopes_of(grant: OAuthGrant) -> list[str]:
    """Return the grant's scopes that the site still offers: its signing key may have been removed."""
    offered = list_offered_scopes()
    return [scope for scope in grant.scopes if scope in offered]


class _DeviceCodeGrant(DeviceCodeGrant):  # type: ignore[misc] # oauthlib has no types
    """oauthlib's grant for device codes, with the ID token that oauthlib leaves out."""

    def create_token_response(
        self, request: Request, token_handler: Any
    ) -> tuple[dict[str, str], str, int]:
        headers = self._get_default_headers()
        try:
            self.validate_token_request(request)
        except OAuth2Error as error:
            return {**headers, **error.headers}, error.json, error.status_code
        token = token_handler.create_token(request, refresh_token=True)
        for modifier in self._token_modifiers:
            token = modifier(token, token_handler, request)
        self.request_validator.save_token(token, request)
        return headers, json.dumps(token), 200


def make_server() -> WebApplicationServer:
    """Return a server for one request."""
    validator = GrantValidator()
    server = WebApplicationServer(
        validator,
        token_generator=generate_opaque_token,
        token_expires_in=app_settings.ACCESS_TOKEN_EXPIRES_IN,
        refresh_token_generator=validator.next_refresh_token,
    )
    codes, devices = AuthorizationCodeGrant(validator), _DeviceCodeGrant(validator)
    codes.custom_validators.pre_auth.append(_check_request)
    devices.register_token_modifier(codes.add_id_token)
    server.response_types["code"] = codes
    server.grant_types.update(
        {
            Client.GrantType.AUTHORIZATION_CODE.value: codes,
            Client.GrantType.DEVICE_CODE.value: devices,
            Client.GrantType.REFRESH_TOKEN.value: RefreshTokenGrant(validator),
        }
    )
    return server


def make_userinfo_server() -> UserInfoEndpoint:
    return UserInfoEndpoint(GrantValidator())


class DeviceServer(DeviceAuthorizationEndpoint):  # type: ignore[misc] # oauthlib has no types
    """oauthlib's endpoint for device codes, restricted to programs that may use it."""

    def __init__(self) -> None:
        page = settings.SITE_URL + reverse("device")
        super().__init__(
            GrantValidator(),
            verification_uri=page,
            verification_uri_complete=f"{page}?user_code={{user_code}}",
            expires_in=oauth_devices.EXPIRES_IN_SECONDS,
            interval=oauth_devices.PAUSE_SECONDS,
            user_code_generator=generate_user_code,
        )

    def validate_device_authorization_request(self, request: Request) -> None:
        super().validate_device_authorization_request(request)
        if Client.GrantType.DEVICE_CODE not in request.client.get_grant_types():
            raise UnauthorizedClientError(request=request)
        self._client_id = request.client.pk

    def answer(
        self, uri: str, method: str, body: str, headers: dict[str, str]
    ) -> tuple[dict[str, str], Any, int]:
        """Return headers, body and status. The codes are stored."""
        try:
            more, codes, status = self.create_device_authorization_response(
                uri, method, body, headers
            )
        except OAuth2Error as error:
            return {"Content-Type": "application/json"}, error.json, error.status_code
        oauth_devices.store_device(
            codes["device_code"],
            codes["user_code"],
            client_id=self._client_id,
            scopes=codes["scope"].split(),
        )
        return more, codes, status


def is_same_address(address: str, entered: str) -> bool:
    """Compare redirect addresses exactly, except for the port on the player's own machine.

    A program there uses any free port (RFC 8252, 7.3).
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


def _check_request(request: Request) -> dict[str, Any]:
    """Refuse `plain`, which shows the verifier to everybody who sees the address (RFC 9700, 2.1.1).

    Single claims are not supported: check that they are JSON, then drop them before oauthlib reads them.
    """
    if request.code_challenge is not None:
        if request.code_challenge_method != "S256":
            raise UnsupportedCodeChallengeMethodError(request=request)
        if not _S256.fullmatch(request.code_challenge):
            raise InvalidRequestError("code_challenge is no S256.", request=request)
    if len(request.nonce or "") > NONCE_LENGTH:
        raise InvalidRequestError("nonce is too long.", request=request)
    if request.claims:
        try:
            is_object = isinstance(json.loads(request.claims), dict)
        except (ValueError, RecursionError):
            is_object = False
        if not is_object:
            raise InvalidRequestError("claims is no JSON object.", request=request)
        request.claims = None
    return {}
