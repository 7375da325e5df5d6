"""Webhooks: noted in the transaction of the event they tell, and sent by a job."""

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder

from accounts.models.webhooks import Webhook, WebhookDelivery, WebhookEvent


def note_result(
    event: WebhookEvent, data: Callable[[], Mapping[str, Any]], *, now: datetime
) -> int:
    """For every active webhook that wants such results; how many there are. `data` is asked for
    only where there is one."""
    wanting = list(Webhook.objects.filter(is_active=True, events__contains=[event]))
    if not wanting:
        return 0
    told = {"event": event.value, "at": now, "data": data()}
    body = json.dumps(told, cls=DjangoJSONEncoder, separators=(",", ":"))
    WebhookDelivery.objects.bulk_create(
        WebhookDelivery(webhook=webhook, event=event, body=body, made_at=now, due_at=now)
        for webhook in wanting
    )
    return len(wanting)


def send_again(delivery: WebhookDelivery, *, now: datetime) -> None:
    """From the first try on, whatever has become of it."""
    WebhookDelivery.objects.filter(pk=delivery.pk).update(
        due_at=now, tries=0, delivered_at=None, answer=""
    )
