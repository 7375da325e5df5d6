"""django-oauth-toolkit's server with token families: codes, devices and refresh tokens that can be used once."""

import json
import re
from typing import Any

from django.conf import settings
from django.urls import reverse
from oauth2_provider.oauth2_validators import OAuth2Validator
from oauthlib.common import Request
from oauthlib.oauth2 import WebApplicationServer
from oauthlib.oauth2.rfc6749.errors import (
    InvalidRequestError,
    UnauthorizedClientError,
    UnsupportedCodeChallengeMethodError,
)
from oauthlib.oauth2.rfc8628.endpoints import DeviceAuthorizationEndpoint
from oauthlib.oauth2.rfc8628.grant_types import DeviceCodeGrant
from oauthlib.openid.connect.core.endpoints.userinfo import UserInfoEndpoint
from oauthlib.openid.connect.core.grant_types import AuthorizationCodeGrant, RefreshTokenGrant

from accounts.api_tokens import oauth_devices, oauth_grants
from accounts.api_tokens.oauth_identity import IDENTITY, build_claims, list_offered_scopes
from accounts.models import IdentityScope, OAuthClient, OAuthGrant

_S256 = re.compile(r"[A-Za-z0-9_-]{43}")
_NONCE_LENGTH = 255  # as the toolkit stores it


class FamilyValidator(OAuth2Validator):  # type: ignore[misc] # the toolkit has no types
    """Answers oauthlib's questions as the toolkit does, but revokes a token family when a code or token is used again.

    The request's attribute `consent` is the grant that has been locked for it.
    """

    # The claims of `build_claims` are those of the granted scopes.
    oidc_claim_scope = None

    def is_pkce_required(self, client_id: str, request: Request) -> bool:
        return bool(request.client.client_type == OAuthClient.CLIENT_PUBLIC)

    def validate_scopes(self, client_id: str, scopes: list[str], *more: Any, **named: Any) -> bool:
        knows_player = not IDENTITY & {*scopes} or IdentityScope.OPENID in scopes
        return (
            bool(scopes)
            and knows_player
            and super().validate_scopes(client_id, scopes, *more, **named)
        )

    def validate_silent_login(self, request: Request) -> bool:
        return True  # the view has checked it

    def validate_silent_authorization(self, request: Request) -> bool:
        return False  # the player is always asked

    def save_authorization_code(
        self, client_id: str, code: Any, request: Request, *_more: Any
    ) -> None:
        request.resource = []  # resource indicators (RFC 8707) are not offered
        super().save_authorization_code(client_id, code, request)

    def validate_code(
        self, client_id: str, code: str, client: Any, request: Request, *_more: Any, **_named: Any
    ) -> bool:
        # Device codes have a grant type of their own, with a pause between polls.
        codes = OAuthGrant.objects.filter(device=None, application=client, code=code)
        grant = oauth_grants.take_unused(codes)
        if grant is not None and request.code_verifier and not grant.code_challenge:
            return False  # the challenge was taken out on the way (RFC 9700, 2.1.1)
        return _use(grant, request)

    def invalidate_authorization_code(self, *_more: Any, **_named: Any) -> None:
        """Keep the code, unlike the toolkit, so that a second attempt to exchange it is noticed and ends the family."""

    def validate_device_code(
        self, client_id: str, code: str, request: Request, *_more: Any, **_named: Any
    ) -> str | None:
        state, grant = oauth_devices.poll_device(code, client_id=request.client.pk)
        _use(grant, request)
        return state

    def validate_refresh_token(
        self, refresh_token: str, client: Any, request: Request, *_more: Any, **_named: Any
    ) -> bool:
        newest = oauth_grants.take_refresh_token(refresh_token, client_id=client.pk)
        is_used = _use(newest and newest.grant, request)
        request.refresh_token_instance = newest
        return is_used

    def get_original_scopes(self, refresh_token: str, request: Request, *_more: Any) -> list[str]:
        return _list_scopes(request.consent)

    def save_bearer_token(
        self, token: dict[str, Any], request: Request, *more: Any, **named: Any
    ) -> None:
        if request.grant_type == OAuthClient.GRANT_DEVICE_CODE:
            # oauthlib leaves it out.
            AuthorizationCodeGrant(self).add_id_token(token, None, request)
        super().save_bearer_token(token, request, *more, **named)
        oauth_grants.join_family(
            request.consent,
            access_token=token["access_token"],
            refresh_token=token["refresh_token"],
        )

    def revoke_token(
        self, token: str, token_type_hint: str, request: Request, *_more: Any, **_named: Any
    ) -> None:
        oauth_grants.revoke_token(token, client_id=request.client.pk)

    def validate_bearer_token(self, token: str, scopes: list[str], request: Request) -> bool:
        """Return whether the token is valid. It must be in the header, because addresses are logged."""
        return (
            "Authorization" in request.headers
            and super().validate_bearer_token(token, scopes, request)
            and request.user.is_active
        )

    def get_oidc_issuer_endpoint(self, request: Request) -> str:
        issuer: str = settings.SITE_URL
        return issuer

    def get_additional_claims(self, request: Request) -> dict[str, Any]:
        return build_claims(request.user, request.scopes)

    def get_id_token_dictionary(self, *more: Any) -> tuple[dict[str, Any], Any]:
        """Return the ID token's claims, but not when the player signed in: they have not consented to share that."""
        claims, expires_at = super().get_id_token_dictionary(*more)
        del claims["auth_time"]
        return claims, expires_at


def _use(grant: OAuthGrant | None, request: Request) -> bool:
    """Set the request's attributes from the grant that permits it. Return False if there is no grant.

    oauthlib's requests also show parameters as attributes. The attributes set here take precedence over them.
    """
    request.consent, request.refresh_token_instance = grant, None
    request.resource, request.nonce = [], None
    if grant is None:
        return False
    request.user, request.scopes = grant.user, _list_scopes(grant)
    return True


def _list_scopes(grant: OAuthGrant) -> list[str]:
    """Return those of the grant's scopes that the site still offers.

    If the site has lost its signing key since the player's consent, it offers no identity scopes any more.
    """
    offered = list_offered_scopes()
    return [scope for scope in grant.scope.split() if scope in offered]


class ProgramServer(WebApplicationServer, UserInfoEndpoint):  # type: ignore[misc] # oauthlib has no types
    """The endpoints for programs. A program gets tokens for a code, a device code or a refresh token."""

    def __init__(self, request_validator: OAuth2Validator, **named: Any) -> None:
        WebApplicationServer.__init__(self, request_validator, **named)
        UserInfoEndpoint.__init__(self, request_validator)
        codes = AuthorizationCodeGrant(request_validator)
        codes.custom_validators.pre_auth.append(_check_request)
        self.response_types["code"] = codes
        self.grant_types["authorization_code"] = codes
        self.grant_types["refresh_token"] = RefreshTokenGrant(request_validator)
        self.grant_types[OAuthClient.GRANT_DEVICE_CODE] = DeviceCodeGrant(request_validator)


class DeviceServer(DeviceAuthorizationEndpoint):  # type: ignore[misc] # oauthlib has no types
    """oauthlib's endpoint for device codes, restricted to programs that may use the device flow."""

    def __init__(self) -> None:
        page = settings.SITE_URL + reverse("device")
        super().__init__(
            FamilyValidator(),
            verification_uri=page,
            verification_uri_complete=f"{page}?user_code={{user_code}}",
            expires_in=oauth_devices.EXPIRES_IN_SECONDS,
            interval=oauth_devices.PAUSE_SECONDS,
            user_code_generator=oauth_devices.make_user_code,
        )

    def validate_device_authorization_request(self, request: Request) -> None:
        super().validate_device_authorization_request(request)
        if not request.client.by_device:
            raise UnauthorizedClientError(request=request)


def make_refresh_token(request: Request) -> str:
    is_renewed = request.consent.exchanged_at is not None
    return oauth_grants.make_next_refresh_token(request.refresh_token if is_renewed else "")


def _check_request(request: Request) -> dict[str, Any]:
    """Refuse the PKCE method `plain`, which shows the verifier to everybody who sees the address (RFC 9700, 2.1.1).

    Requests for single claims are not supported: check that they are JSON, then drop them before oauthlib reads
    them.
    """
    if request.code_challenge is not None:
        if request.code_challenge_method != "S256":
            raise UnsupportedCodeChallengeMethodError(request=request)
        if not _S256.fullmatch(request.code_challenge):
            raise InvalidRequestError("code_challenge is no S256.", request=request)
    nonce = request.nonce or ""
    if len(nonce) > _NONCE_LENGTH or not nonce.isprintable():
        raise InvalidRequestError("nonce is too long, or has control characters.", request=request)
    if request.claims:
        try:
            is_object = isinstance(json.loads(request.claims), dict)
        except (ValueError, RecursionError):
            is_object = False
        if not is_object:
            raise InvalidRequestError("claims is no JSON object.", request=request)
        request.claims = None
    return {}
