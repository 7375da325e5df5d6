"""Sends push messages to browsers through their push services."""

import json
import logging
import time
from collections.abc import Sequence
from http import HTTPStatus
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from django.conf import settings
from django.db.models.functions import Now
from django.utils import translation

from accounts.models.sessions import PushSubscription
from accounts.push.services import (
    WORDS,
    Call,
    is_push_service,
    live_subscriptions,
    push_is_on,
)
from accounts.push.web_push import Reader, build_authorization, encrypt

logger = logging.getLogger(__name__)

SECONDS_TO_ANSWER = 5
# The browser has unsubscribed, or was never subscribed.
_GONE = {HTTPStatus.NOT_FOUND, HTTPStatus.GONE}


class _Nowhere(HTTPRedirectHandler):
    """Refuses redirects, which no push service needs."""

    def redirect_request(self, *_arguments: Any) -> None:
        return None


_opener = build_opener(_Nowhere)


def send(*, subscription_ids: Sequence[int], call: Call) -> int:
    """Send a message to these browsers and return the number of browsers reached.

    A subscription that has ended or has no usable address is deleted. Any other failure is logged and not retried,
    because a late message is useless.
    """
    if not push_is_on():
        return 0
    subscriptions = live_subscriptions().filter(pk__in=subscription_ids).select_related("user")
    return sum(_send(subscription, call) for subscription in subscriptions)


def _send(subscription: PushSubscription, call: Call) -> bool:
    if not is_push_service(subscription.endpoint):
        subscription.delete()  # accepted by an older version, or its service is no longer in PUSH_SERVICES
        return False
    try:
        with _opener.open(_request(subscription, call), timeout=SECONDS_TO_ANSWER):
            pass
    except HTTPError as error:
        error.close()
        if error.code in _GONE:
            subscription.delete()
        else:
            logger.warning("push subscription %s: answer %s", subscription.pk, error.code)
        return False
    except (OSError, HTTPException) as error:
        logger.warning("push subscription %s: %s", subscription.pk, error)
        return False
    PushSubscription.objects.filter(pk=subscription.pk).update(last_used_at=Now())
    return True


def _request(subscription: PushSubscription, call: Call) -> Request:
    reader = Reader(p256dh=subscription.p256dh, auth=subscription.auth)
    return Request(  # noqa: S310 - only addresses of PUSH_SERVICES come here
        subscription.endpoint,
        data=encrypt(build_message(call, subscription.user.language), reader),
        headers={
            "Content-Type": "application/octet-stream",
            "Content-Encoding": "aes128gcm",
            "TTL": str(call.seconds),
            "Urgency": "high",
            **build_authorization(
                endpoint=subscription.endpoint,
                key=settings.VAPID_PRIVATE_KEY,
                contact=settings.VAPID_CONTACT,
                now=int(time.time()),
            ),
        },
    )


def build_message(call: Call, language: str) -> bytes:
    """Return the message as JSON, which the service worker shows (templates/sw.js)."""
    words = WORDS[call.kind]
    with translation.override(language):
        notification = {
            "title": str(words.title),
            "body": str(words.body).format(name=call.name),
            "url": call.url,
            "tag": call.tag,
            "lang": language,
        }
    return json.dumps(notification, ensure_ascii=False).encode()
