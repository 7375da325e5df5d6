"""OpenID: claims about a player who signs in to another site with an account of this one."""

from typing import Any

import jwt
from allauth.account.models import EmailAddress
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from django.conf import settings
from django.urls import reverse
from oauth2_provider.scopes import BaseScopes
from oauth2_provider.settings import oauth2_settings

from accounts.models import IdentityScope, OAuthClient, OAuthSubject, Scope, User

IDENTITY: frozenset[str] = frozenset(IdentityScope.values)


def openid_is_on() -> bool:
    return bool(oauth2_settings.OIDC_RSA_PRIVATE_KEY)


def list_offered_scopes() -> list[str]:
    """Return the scopes that this site offers.

    Without a signing key it offers no identity scopes, because no other site could verify the claims.
    """
    return [*Scope.values, *(IdentityScope.values if openid_is_on() else ())]


class OfferedScopes(BaseScopes):  # type: ignore[misc] # the toolkit has no types
    """The scopes that the site offers, and those of them that a program may ask for."""

    def get_all_scopes(self) -> dict[str, Any]:
        labels = dict([*Scope.choices, *IdentityScope.choices])
        return {scope: labels[scope] for scope in list_offered_scopes()}

    def get_available_scopes(
        self, application: OAuthClient, *_more: Any, **_named: Any
    ) -> list[str]:
        return [scope for scope in list_offered_scopes() if scope in application.scopes]

    def get_default_scopes(self, *_more: Any, **_named: Any) -> list[str]:
        return []


def build_claims(user: User, scopes: list[str]) -> dict[str, Any]:
    """Return a player's claims for another site. The ID token and the userinfo endpoint contain the same claims."""
    named, _is_new = OAuthSubject.objects.get_or_create(user=user)
    claims = {"sub": str(named.subject)}
    if IdentityScope.PROFILE in scopes:
        claims |= _build_profile(user)
    if IdentityScope.EMAIL in scopes and user.own_email:
        claims |= _build_email(user)
    return claims


def names_player(hint: str, *, user: Any, client_id: str) -> bool:
    """Return whether `hint` is an ID token that this site issued to this program and that names this player."""
    key: Any = load_pem_private_key(oauth2_settings.OIDC_RSA_PRIVATE_KEY.encode(), None)
    terms: Any = {"audience": client_id, "issuer": settings.SITE_URL}
    try:
        told = jwt.decode(hint, key.public_key(), algorithms=["RS256"], **terms)
    except (jwt.PyJWTError, RecursionError):
        return False
    return OAuthSubject.objects.filter(user=user, subject=told["sub"]).exists()


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
