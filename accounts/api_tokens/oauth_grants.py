"""Token families of OAuth: codes and refresh tokens that can be used once (RFC 9700, 4.14).

A grant's row is locked while its code or refresh token is exchanged, so that only one of several concurrent
requests gets tokens. A second use means that somebody has a copy: the whole family ends.
"""

import secrets
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from allauth.idp.oidc import app_settings
from allauth.idp.oidc.adapter import get_adapter
from allauth.idp.oidc.models import Token
from django.contrib.auth.hashers import BasePasswordHasher, mask_hash
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext_noop

from accounts.models import ApiToken, OAuthGrant, Scope
from accounts.sessions.ending import end_grants, end_tokens, tokens_of


def store_code(
    code: str, *, client_id: str, user_id: int, scopes: Iterable[str], **asked: str
) -> None:
    """Begin a family with the code that the program receives.

    `asked` holds the request's redirect address, challenge and nonce.
    """
    OAuthGrant.objects.create(
        client_id=client_id,
        user_id=user_id,
        code_hash=hash_secret(code),
        scopes=list(scopes),
        expires_at=timezone.now() + timedelta(seconds=app_settings.AUTHORIZATION_CODE_EXPIRES_IN),
        **asked,
    )


def take_code(code: str, *, client_id: str) -> OAuthGrant | None:
    """Lock and return the grant of an unused code, or None if the code is not valid.

    Ends the family of a code that was already exchanged.
    """
    # Device codes have a grant type of their own, with a pause between polls.
    codes = OAuthGrant.objects.filter(device=None)
    return take_unused(codes.filter(client_id=client_id, code_hash=hash_secret(code)))


def take_unused(grants: QuerySet[OAuthGrant]) -> OAuthGrant | None:
    """Lock and return the only grant among these, or None if it is not valid.

    Ends the family of a grant whose code was already exchanged.
    """
    grant = _lock(grants)
    if grant is None:
        return None
    if grant.exchanged_at is not None:
        end_grants(OAuthGrant.objects.filter(pk=grant.pk))
        return None
    return grant if _is_valid(grant) else None


def take_refresh_token(text: str, *, client_id: str) -> OAuthGrant | None:
    """Lock and return the grant of its newest refresh token, or None if the token is not valid.

    Ends the family of a refresh token that was already exchanged.
    """
    family = hash_secret(_family_of(text))
    grant = _lock(OAuthGrant.objects.filter(client_id=client_id, family_hash=family))
    if grant is None:
        return None
    refresh_tokens = tokens_of(grant).filter(type=Token.Type.REFRESH_TOKEN)
    if not refresh_tokens.filter(hash=hash_secret(text)).exists():
        end_grants(OAuthGrant.objects.filter(pk=grant.pk))
        return None
    return grant if _is_valid(grant) else None


def make_next_refresh_token(text: str = "") -> str:
    """Make the refresh token that follows this one, or the first of a new family."""
    family = _family_of(text) or secrets.token_urlsafe(32)
    return f"{family}.{secrets.token_urlsafe(32)}"


def store_tokens(
    grant: OAuthGrant,
    *,
    access_token: str,
    access_scopes: list[str],
    access_ends_at: datetime,
    refresh_token: str,
) -> None:
    """Replace the grant's refresh token and add an access token. The caller has locked the grant."""
    now = timezone.now()
    ends_at = now + timedelta(seconds=app_settings.REFRESH_TOKEN_EXPIRES_IN)
    tokens_of(grant).filter(type=Token.Type.REFRESH_TOKEN).delete()
    for kind, text, scopes, expires_at in (
        (Token.Type.REFRESH_TOKEN, refresh_token, grant.scopes, ends_at),
        (Token.Type.ACCESS_TOKEN, access_token, access_scopes, access_ends_at),
    ):
        token = Token(type=kind, client_id=grant.client_id, user_id=grant.user_id)
        token.hash, token.expires_at, token.data = (
            hash_secret(text),
            expires_at,
            {"grant": grant.pk},
        )
        token.set_scopes(scopes)
        token.save()
    grant.exchanged_at = grant.exchanged_at or now
    grant.family_hash, grant.expires_at = hash_secret(_family_of(refresh_token)), ends_at
    grant.save(update_fields=["exchanged_at", "family_hash", "expires_at"])


def revoke_token(text: str, *, client_id: str) -> None:
    """Revoke a token at the program's request; for a refresh token, its whole family (RFC 7009)."""
    token = Token.objects.filter(client_id=client_id, hash=hash_secret(text)).first()
    if token is None:
        return
    if token.type == Token.Type.REFRESH_TOKEN:
        with transaction.atomic():
            end_grants(OAuthGrant.objects.filter(pk=token.data["grant"]))
    else:
        end_tokens(Token.objects.filter(pk=token.pk))


def _lock(grants: QuerySet[OAuthGrant]) -> OAuthGrant | None:
    return grants.select_for_update(of=("self",)).select_related("user").first()


def _is_valid(grant: OAuthGrant) -> bool:
    return grant.expires_at > timezone.now() and grant.user.is_active


def _family_of(refresh_token: str) -> str:
    return refresh_token.partition(".")[0]


def hash_secret(text: str) -> str:
    hashed: str = get_adapter().hash_token(text)
    return hashed


@dataclass(frozen=True, slots=True)
class Admitted:
    """A third-party program that may act for a player."""

    client_id: str
    name: str
    scopes: Collection[str]
    since: datetime


def api_token_of_grant(token_hash: str) -> ApiToken | None:
    """Return the API token that stands for this OAuth access token, or None if it is invalid or has expired."""
    grant = (
        Token.objects.select_related("client", "user")
        .filter(type=Token.Type.ACCESS_TOKEN, hash=token_hash, expires_at__gt=timezone.now())
        .filter(user__is_active=True, client__isnull=False)
        .first()
    )
    scopes = sorted(set(grant.get_scopes()) & set(Scope.values)) if grant else []
    if grant is None or not scopes:  # a token of OpenID alone asks who the player is, no more
        return None
    terms = {
        "user": grant.user,
        "name": grant.client.name[:60],
        "token_hash": token_hash,
        "scopes": scopes,
        "expires_at": grant.expires_at,
    }
    token, _is_new = ApiToken.objects.get_or_create(grant=grant, defaults=terms)
    return token


def programs_of(user_id: int) -> list[Admitted]:
    """Return the programs that this player has authorized, by name."""
    grants = Token.objects.valid().filter(user_id=user_id, client__isnull=False)
    found: dict[str, Admitted] = {}
    for grant in grants.select_related("client").order_by("created_at"):
        earlier = found.get(grant.client_id)
        found[grant.client_id] = Admitted(
            client_id=grant.client_id,
            name=grant.client.name,
            scopes=sorted({*(earlier.scopes if earlier else ()), *grant.get_scopes()}),
            since=earlier.since if earlier else grant.created_at,
        )
    return sorted(found.values(), key=lambda one: one.name)


@transaction.atomic
def revoke_program(*, user_id: int, client_id: str) -> None:
    """Revoke all codes and tokens that this player has granted to the program."""
    end_grants(OAuthGrant.objects.filter(user_id=user_id, client_id=client_id))


class RandomSecretHasher(BasePasswordHasher):
    """SHA-256 without a salt. Never use it for passwords: it is safe for secrets of 256 random bits only.

    Slow hashes protect short secrets. Here one would let strangers waste processor time.
    """

    algorithm = "random_secret"

    def salt(self) -> str:
        return ""

    def encode(self, password: str, salt: str) -> str:
        return f"{self.algorithm}${sha256(password.encode()).hexdigest()}"

    def decode(self, encoded: str) -> dict[str, Any]:
        algorithm, digest = encoded.split("$", 1)
        return {"algorithm": algorithm, "hash": digest, "salt": ""}

    def verify(self, password: str, encoded: str) -> bool:
        return constant_time_compare(encoded, self.encode(password, ""))

    def must_update(self, encoded: str) -> bool:
        return False

    def safe_summary(self, encoded: str) -> dict[Any, Any]:
        return {gettext_noop("hash"): mask_hash(self.decode(encoded)["hash"])}

    def harden_runtime(self, password: str, encoded: str) -> None:
        """Do nothing: there is no work factor to compensate."""
