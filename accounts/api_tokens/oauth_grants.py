"""Token families of OAuth: codes and refresh tokens that count once (RFC 9700, 4.14).

The row of a grant is locked while its code or refresh token is exchanged, so that of requests side
by side one gets tokens. A second use says that somebody else has a copy: the whole family ends.
"""

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

from allauth.idp.oidc import app_settings
from allauth.idp.oidc.adapter import get_adapter
from allauth.idp.oidc.models import Token
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import ApiToken, OAuthGrant
from accounts.sessions.revocation import key_of_token, revoke_sockets


def store_code(
    code: str,
    *,
    client_id: str,
    user_id: int,
    scopes: Iterable[str],
    redirect_uri: str,
    code_challenge: str,
) -> None:
    """Begin a family with the code that the program is sent back with."""
    OAuthGrant.objects.create(
        client_id=client_id,
        user_id=user_id,
        code_hash=_hash(code),
        redirect_uri=redirect_uri,
        code_challenge=code_challenge,
        scopes=list(scopes),
        expires_at=timezone.now() + timedelta(seconds=app_settings.AUTHORIZATION_CODE_EXPIRES_IN),
    )


def take_code(code: str, *, client_id: str) -> OAuthGrant | None:
    """Lock and return the grant of an unused code; None if the code does not count.

    Ends the family of a code that was exchanged before.
    """
    grant = _lock(OAuthGrant.objects.filter(client_id=client_id, code_hash=_hash(code)))
    if grant is None:
        return None
    if grant.exchanged_at is not None:
        end_grants(OAuthGrant.objects.filter(pk=grant.pk))
        return None
    return grant if _counts(grant) else None


def take_refresh_token(text: str, *, client_id: str) -> OAuthGrant | None:
    """Lock and return the grant of its newest refresh token; None if the token does not count.

    Ends the family of a refresh token that was exchanged before.
    """
    family = _hash(_family_of(text))
    grant = _lock(OAuthGrant.objects.filter(client_id=client_id, family_hash=family))
    if grant is None:
        return None
    refresh_tokens = tokens_of(grant).filter(type=Token.Type.REFRESH_TOKEN)
    if not refresh_tokens.filter(hash=_hash(text)).exists():
        end_grants(OAuthGrant.objects.filter(pk=grant.pk))
        return None
    return grant if _counts(grant) else None


def next_refresh_token(text: str = "") -> str:
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
        token.hash, token.expires_at, token.data = _hash(text), expires_at, {"grant": grant.pk}
        token.set_scopes(scopes)
        token.save()
    grant.exchanged_at = grant.exchanged_at or now
    grant.family_hash, grant.expires_at = _hash(_family_of(refresh_token)), ends_at
    grant.save(update_fields=["exchanged_at", "family_hash", "expires_at"])


def revoke_token(text: str, *, client_id: str) -> None:
    """Revoke a token that the program gives back; of a refresh token, its whole family (RFC 7009)."""
    token = Token.objects.filter(client_id=client_id, hash=_hash(text)).first()
    if token is None:
        return
    if token.type == Token.Type.REFRESH_TOKEN:
        with transaction.atomic():
            end_grants(OAuthGrant.objects.filter(pk=token.data["grant"]))
    else:
        _end_tokens(Token.objects.filter(pk=token.pk))


def end_grants(grants: QuerySet[OAuthGrant]) -> None:
    """Delete these grants with their codes and tokens; sockets are closed after the commit."""
    # Locked first: an exchange under way either is over, with its tokens here, or finds no grant.
    ended = list(grants.select_for_update().order_by("pk"))
    for grant in ended:
        _end_tokens(tokens_of(grant))
        grant.delete()


def tokens_of(grant: OAuthGrant) -> QuerySet[Token]:
    found: QuerySet[Token] = Token.objects.filter(
        user_id=grant.user_id, client_id=grant.client_id, data__grant=grant.pk
    )
    return found


def _end_tokens(tokens: QuerySet[Token]) -> None:
    for made in ApiToken.objects.filter(grant__in=tokens).only("user_id"):
        revoke_sockets(made.user_id, [key_of_token(made.pk)])
    tokens.delete()


def _lock(grants: QuerySet[OAuthGrant]) -> OAuthGrant | None:
    return grants.select_for_update(of=("self",)).select_related("user").first()


def _counts(grant: OAuthGrant) -> bool:
    return grant.expires_at > timezone.now() and grant.user.is_active


def _family_of(refresh_token: str) -> str:
    return refresh_token.partition(".")[0]


def _hash(text: str) -> str:
    hashed: str = get_adapter().hash_token(text)
    return hashed
