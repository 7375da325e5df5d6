"""Token families of OAuth: codes and refresh tokens that can be used once (RFC 9700, 4.14).

A grant's row is locked while its code or refresh token is exchanged, so that only one of several concurrent
requests gets tokens. A second use means that somebody has stolen a copy, so the whole family is revoked.
"""

import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.contrib.auth.hashers import BasePasswordHasher
from django.db import transaction
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from accounts.models import (
    ApiToken,
    OAuthAccessToken,
    OAuthClient,
    OAuthGrant,
    OAuthRefreshToken,
    Scope,
)
from accounts.models.oauth import hash_secret
from accounts.sessions.ending import end_access_tokens, end_grants

# Lifetime of a refresh token after its last use; each use replaces it.
REFRESH_TOKEN_LASTS: Final = timedelta(days=90)


def take_unused(grants: QuerySet[OAuthGrant]) -> OAuthGrant | None:
    """Lock and return the grant in this query, or None if there is none or it is not valid.

    Revokes the whole family if its code was already exchanged.
    """
    grant = _lock(grants)
    if grant is None:
        return None
    if grant.exchanged_at is not None:
        end_grants(OAuthGrant.objects.filter(pk=grant.pk))
        return None
    return grant if _is_valid(grant) else None


def take_refresh_token(text: str, *, client_id: str) -> OAuthRefreshToken | None:
    """Lock the family and return its newest refresh token, or None if this text is not that token.

    Revokes the whole family if this refresh token was already exchanged.
    """
    grant = _lock(OAuthGrant.objects.filter(application=client_id, family=_get_family(text)))
    if grant is None:
        return None
    newest = grant.refresh_tokens.filter(token_checksum=hash_secret(text), revoked=None).first()
    if newest is None:
        end_grants(OAuthGrant.objects.filter(pk=grant.pk))
        return None
    newest.grant = grant
    return newest if _is_valid(grant) else None


def make_next_refresh_token(text: str = "") -> str:
    """Make a refresh token: the successor of `text` in its family or, without `text`, the first of a new family."""
    family = _get_family(text) or secrets.token_urlsafe(32)
    return f"{family}.{secrets.token_urlsafe(32)}"


def join_family(grant: OAuthGrant, *, access_token: str, refresh_token: str) -> None:
    """Record these tokens, which the toolkit has just stored, as the newest ones of a locked grant."""
    newest = hash_secret(refresh_token)
    grant.refresh_tokens.exclude(token_checksum=newest).delete()
    OAuthRefreshToken.objects.filter(token_checksum=newest).update(grant=grant)
    made = OAuthAccessToken.objects.filter(token_checksum=hash_secret(access_token))
    made.update(grant=grant)
    now = timezone.now()
    grant.exchanged_at, grant.expires = grant.exchanged_at or now, now + REFRESH_TOKEN_LASTS
    grant.family = _get_family(refresh_token)
    grant.save(update_fields=["exchanged_at", "expires", "family"])


def revoke_token(text: str, *, client_id: str) -> None:
    """Revoke a token at the program's request (RFC 7009). Revoking a refresh token revokes its whole family."""
    asked = {"application": client_id, "token_checksum": hash_secret(text)}
    end_access_tokens(OAuthAccessToken.objects.filter(**asked))
    with transaction.atomic():
        families = OAuthRefreshToken.objects.filter(**asked).values("grant")
        end_grants(OAuthGrant.objects.filter(pk__in=families))


def _lock(grants: QuerySet[OAuthGrant]) -> OAuthGrant | None:
    return grants.select_for_update(of=("self",)).select_related("user").first()


def _is_valid(grant: OAuthGrant) -> bool:
    return bool(grant.user.is_active) and not grant.is_expired()


def _get_family(refresh_token: str) -> str:
    return refresh_token.partition(".")[0]


@dataclass(frozen=True, slots=True)
class Admitted:
    """A third-party program that a player has authorized."""

    client_id: str
    name: str
    scopes: Collection[str]
    since: datetime


def api_token_of_grant(text: str) -> ApiToken | None:
    """Return the API token that stands for this OAuth access token.

    Return None if the token is invalid, has expired, or has only scopes of OpenID.
    """
    found = (
        OAuthAccessToken.objects.select_related("application", "user")
        .filter(token_checksum=hash_secret(text), expires__gt=timezone.now())
        .filter(user__is_active=True, grant__isnull=False)
        .exclude(application__owner__is_active=False)
        .first()
    )
    scopes = sorted(set(found.scope.split()) & set(Scope.values)) if found else []
    if found is None or not scopes:  # with only OpenID scopes it is no API token
        return None
    terms = {
        "user": found.user,
        "name": found.application.name[:60],
        "token_hash": found.token_checksum,
        "scopes": scopes,
        "expires_at": found.expires,
    }
    token, _is_new = ApiToken.objects.get_or_create(access_token=found, defaults=terms)
    return token


def find_program(client_id: str) -> OAuthClient:
    """Return the program with this id. Raises Http404 if staff have just deleted the program."""
    found: OAuthClient = get_object_or_404(OAuthClient, pk=client_id)
    return found


def list_programs(user_id: int) -> Sequence[Admitted]:
    """Return the programs that this player has authorized, sorted by name."""
    grants = OAuthGrant.objects.filter(
        user_id=user_id, exchanged_at__isnull=False, expires__gt=timezone.now()
    )
    found: dict[str, Admitted] = {}
    for grant in grants.select_related("application").order_by("created"):
        earlier = found.get(grant.application_id)
        found[grant.application_id] = Admitted(
            client_id=grant.application_id,
            name=grant.application.name,
            scopes=sorted({*(earlier.scopes if earlier else ()), *grant.scope.split()}),
            since=earlier.since if earlier else grant.created,
        )
    return sorted(found.values(), key=lambda one: one.name)


@transaction.atomic
def revoke_program(*, user_id: int, client_id: str) -> None:
    """Revoke all codes and tokens that this player has granted to the program."""
    end_grants(OAuthGrant.objects.filter(user_id=user_id, application=client_id))


class RandomSecretHasher(BasePasswordHasher):
    """SHA-256 without a salt, for secrets of 256 random bits only. Never use it for passwords.

    Slow hashes protect short secrets. Here a slow hash would only let strangers waste processor time.
    """

    algorithm = "random_secret"

    def encode(self, password: str, salt: str) -> str:
        return f"{self.algorithm}${hash_secret(password)}"

    def verify(self, password: str, encoded: str) -> bool:
        return constant_time_compare(encoded, self.encode(password, ""))
