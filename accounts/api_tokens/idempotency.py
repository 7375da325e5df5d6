"""A request that moves money is carried out once for its key, however often it arrives."""

import hashlib
import json
import re
from collections.abc import Callable
from typing import Any

from django.db import transaction
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import ApiRequest
from accounts.refusals import KeyMissing, KeyUsedOtherwise

HEADER = "Idempotency-Key"
KEY = OpenApiParameter(
    HEADER,
    {"type": "string", "pattern": "^[!-~]{8,64}$"},
    OpenApiParameter.HEADER,
    required=True,
    description="8 to 64 visible characters; within a week the same key gets the same answer",
)
_KEY = re.compile(r"[\x21-\x7e]{8,64}")


def once(request: Request, act: Callable[[], tuple[int, dict[str, Any] | None]]) -> Response:
    """Do `act` and keep its status and body; the same key again gets the same answer.

    What `act` refuses leaves the key free. Raises KeyMissing or KeyUsedOtherwise.
    """
    key = request.headers.get(HEADER, "")
    if not _KEY.fullmatch(key):
        raise KeyMissing
    user_id, fingerprint = int(request.user.pk or 0), _fingerprint(request)
    with transaction.atomic():
        # A second request with the key waits here for the first one's transaction.
        kept, is_new = ApiRequest.objects.get_or_create(
            user_id=user_id, key=key, defaults={"fingerprint": fingerprint}
        )
        if not is_new:
            if kept.fingerprint != fingerprint:
                raise KeyUsedOtherwise
            return Response(kept.body, status=kept.status)
        kept.status, kept.body = act()
        kept.save(update_fields=["status", "body"])
    return Response(kept.body, status=kept.status)


def _fingerprint(request: Request) -> str:
    asked = json.dumps([request.method, request.path, request.data], sort_keys=True, default=str)
    return hashlib.sha256(asked.encode()).hexdigest()
