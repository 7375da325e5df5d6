"""OpenID: claims about the player who signs in to a site, and the keys that sign them."""

from collections.abc import Iterable
from functools import cache
from typing import Any

from allauth.account.models import EmailAddress
from allauth.core.internal import jwkkit
from allauth.idp.oidc import app_settings
from allauth.idp.oidc.adapter import DefaultOIDCAdapter
from allauth.idp.oidc.models import Client
from django.conf import settings
from django.urls import reverse

from accounts.models import IdentityScope, OAuthSubject, Scope, User

IDENTITY: frozenset[str] = frozenset(IdentityScope.values)


def openid_is_on() -> bool:
    return bool(app_settings.PRIVATE_KEYS)


def list_offered_scopes() -> list[str]:
    """Return this site's scopes; without a signing key none for identity, which nobody could verify."""
    return [*Scope.values, *(IdentityScope.values if openid_is_on() else ())]


def list_public_keys() -> list[dict[str, Any]]:
    """Return the keys that verify ID tokens, as JSON Web Keys."""
    return [_build_public_key(key.pem) for key in app_settings.PRIVATE_KEYS]


@cache
def _build_public_key(pem: str) -> dict[str, Any]:
    key: dict[str, Any] = jwkkit.load_jwk_from_pem(pem)[0]
    return key


class OAuthAdapter(DefaultOIDCAdapter):  # type: ignore[misc] # allauth has no types
    """allauth's adapter with the claims of this site's players."""

    def get_issuer(self) -> str:
        issuer: str = settings.SITE_URL
        return issuer

    def get_user_sub(self, client: Client, user: Any) -> str:
        named, _is_new = OAuthSubject.objects.get_or_create(user=user)
        return str(named.subject)

    def get_claims(
        self,
        purpose: str,
        user: Any,
        client: Client,
        scopes: Iterable[str],
        email: str | None = None,
        **_more: Any,
    ) -> dict[str, Any]:
        """Return the claims for the site; the ID token and the userinfo endpoint have the same ones."""
        claims = {"sub": self.get_user_sub(client, user)}
        if IdentityScope.PROFILE in scopes:
            claims |= _build_profile(user)
        if IdentityScope.EMAIL in scopes and user.own_email:
            claims |= _build_email(user)
        return claims


def _build_profile(user: User) -> dict[str, Any]:
    return {
        "name": user.player_name,
        "preferred_username": user.player_name,
        "profile": settings.SITE_URL + reverse("players:player", args=[user.pk]),
        "picture": settings.SITE_URL + reverse("face_picture", args=[user.shown_face]),
    }


def _build_email(user: User) -> dict[str, Any]:
    known = EmailAddress.objects.filter(user=user, email=user.own_email, verified=True)
    return {"email": user.own_email, "email_verified": known.exists()}
