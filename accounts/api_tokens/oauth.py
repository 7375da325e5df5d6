"""Programs of others that act for a player by OAuth 2.0 (docs/oauth.md), on allauth's identity provider.

allauth asks the player and keeps what was granted. An access token becomes an API token when it is
first shown, so rights, limits and the end of sockets are those of every token.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from allauth.idp.oidc.adapter import DefaultOIDCAdapter
from allauth.idp.oidc.models import Token
from django.db import transaction
from django.utils import timezone

from accounts.api_tokens.oauth_grants import end_grants
from accounts.models import ApiToken, OAuthGrant, Scope


class OAuthAdapter(DefaultOIDCAdapter):  # type: ignore[misc] # allauth has no types
    """The names of the rights on the page that asks the player."""

    scope_display = dict(Scope.choices)


@dataclass(frozen=True, slots=True)
class Admitted:
    """A program of others that may act for a player."""

    client_id: str
    name: str
    scopes: Collection[str]
    since: datetime


def api_token_of_grant(token_hash: str) -> ApiToken | None:
    """The API token that an access token of OAuth is from now on; None if it is none, or over."""
    grant = (
        Token.objects.select_related("client", "user")
        .filter(type=Token.Type.ACCESS_TOKEN, hash=token_hash, expires_at__gt=timezone.now())
        .filter(user__is_active=True, client__isnull=False)
        .first()
    )
    if grant is None:
        return None
    terms = {
        "user": grant.user,
        "name": grant.client.name[:60],
        "token_hash": token_hash,
        "scopes": sorted(set(grant.get_scopes()) & set(Scope.values)),
        "expires_at": grant.expires_at,
    }
    token, _is_new = ApiToken.objects.get_or_create(grant=grant, defaults=terms)
    return token


def programs_of(user_id: int) -> list[Admitted]:
    """Those that this player has admitted, by name."""
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
    """End all codes and tokens that this player has granted to the program."""
    end_grants(OAuthGrant.objects.filter(user_id=user_id, client_id=client_id))
