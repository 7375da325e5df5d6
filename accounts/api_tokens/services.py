"""API tokens: made by their player, shown once, stored as a hash."""

import hashlib
import json
import re
import secrets
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api_tokens.oauth_grants import api_token_of_grant
from accounts.models import ApiRequest, ApiToken, Scope, User
from accounts.refusals import KEY_MISSING, KEY_USED_OTHERWISE, TokenNotWanted
from accounts.sessions.revocation import key_of_token, revoke_sockets
from core.refusals import Refusal

PREFIX = "ort_"
TOKENS_EACH = 10
# Update `last_used_at` at most this often, so that not every request writes.
_USE_IS_NOTED_EVERY = timedelta(minutes=5)


@transaction.atomic
def make_token(
    *, user_id: int, name: str, scopes: Sequence[Scope], expires_at: datetime | None = None
) -> tuple[ApiToken, str]:
    """Make a token. Return it with its text, which is not stored and cannot be read again.

    Raises TokenNotWanted without a name or scopes, or if the player already has TOKENS_EACH tokens.
    """
    if not name.strip() or not scopes:
        raise TokenNotWanted
    # Serialize concurrent requests of one player.
    User.objects.select_for_update(no_key=True).only("pk").get(pk=user_id)
    if ApiToken.objects.filter(user_id=user_id, access_token=None).count() >= TOKENS_EACH:
        raise TokenNotWanted
    text = PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user_id=user_id,
        name=name.strip(),
        token_hash=_hash(text),
        scopes=sorted({scope.value for scope in scopes}),
        expires_at=expires_at,
    )
    return token, text


def revoke_token(*, user_id: int, token_id: int) -> None:
    """Revoke a token, and close its sockets after the commit."""
    ApiToken.objects.filter(user_id=user_id, pk=token_id, access_token=None).delete()
    revoke_sockets(user_id, [key_of_token(token_id)])


def find_token(text: str) -> ApiToken | None:
    """Return the token with this text, or None if it is not valid now."""
    good = Q(expires_at=None) | Q(expires_at__gt=Now())
    token = (
        ApiToken.objects.select_related("user")
        .filter(good, token_hash=_hash(text), user__is_active=True)
        .exclude(access_token__application__owner__is_active=False)
        .first()
    )
    if token is None and not text.startswith(PREFIX):
        token = api_token_of_grant(text)
    if token is not None:
        _record_use(token)
    return token


def _record_use(token: ApiToken) -> None:
    now = timezone.now()
    if token.last_used_at is None or now - token.last_used_at > _USE_IS_NOTED_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


HEADER = "Idempotency-Key"
KEY = OpenApiParameter(
    HEADER,
    {"type": "string", "pattern": "^[!-~]{8,64}$"},
    OpenApiParameter.HEADER,
    required=True,
    description="8 to 64 visible characters; within a week the same key gets the same answer",
)
_KEY = re.compile(r"[\x21-\x7e]{8,64}")


def run_once(request: Request, act: Callable[[], tuple[int, dict[str, Any] | None]]) -> Response:
    """Run `act` and store its status and body under the request's idempotency key.

    A repeated request with the same key gets the stored response. If `act` raises, the key stays free. Raises
    KEY_MISSING or KEY_USED_OTHERWISE.
    """
    key = request.headers.get(HEADER, "")
    if not _KEY.fullmatch(key):
        raise Refusal(KEY_MISSING)
    user_id, fingerprint = int(request.user.pk or 0), _compute_fingerprint(request)
    with transaction.atomic():
        # A second request with the same key waits here for the first one's transaction.
        kept, is_new = ApiRequest.objects.get_or_create(
            user_id=user_id, key=key, defaults={"fingerprint": fingerprint}
        )
        if not is_new:
            if kept.fingerprint != fingerprint:
                raise Refusal(KEY_USED_OTHERWISE)
            return Response(kept.body, status=kept.status)
        kept.status, kept.body = act()
        kept.save(update_fields=["status", "body"])
    return Response(kept.body, status=kept.status)


def _compute_fingerprint(request: Request) -> str:
    asked = json.dumps([request.method, request.path, request.data], sort_keys=True, default=str)
    return hashlib.sha256(asked.encode()).hexdigest()
