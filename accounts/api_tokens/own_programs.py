"""Programs and webhooks that players make themselves, up to the number that the operator allows.

A player's program may ask for the same rights as the operator's programs. The players who use it decide on the
consent page. A player's webhook gets the results of the player's own matches and tournaments.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction
from django.db.models import Count, Q
from django.shortcuts import get_object_or_404
from django.utils import timezone

from accounts.models import OAuthClient, OAuthGrant, User
from accounts.refusals import TooManyPrograms
from accounts.sessions.ending import delete_program
from core import throttling
from core.models import Webhook, WebhookDelivery
from core.models.webhooks import new_secret
from core.site.numbers import number
from core.throttling import Rate
from core.webhooks.delivery import give_up_deliveries, send_again

DELIVERIES_SHOWN: Final = 20
# How often a player may have deliveries sent again, by all webhooks together.
_AGAIN: Final = (10, 60)


@dataclass(frozen=True, slots=True)
class OwnProgram:
    """A program that this player has made, and the number of players who have authorized it."""

    client: OAuthClient
    players: int


def may_make_programs() -> bool:
    return number("PROGRAMS_EACH") > 0


def may_make_webhooks() -> bool:
    return number("WEBHOOKS_EACH") > 0


def list_own_programs(user_id: int) -> Sequence[OwnProgram]:
    """Return the player's programs, sorted by name."""
    clients = OAuthClient.objects.filter(owner_id=user_id).order_by("name", "pk")
    admitted = Q(exchanged_at__isnull=False, expires__gt=timezone.now())
    counted = dict(
        OAuthGrant.objects.filter(admitted, application__in=clients)
        .order_by()
        .values_list("application")
        .annotate(players=Count("user", distinct=True))
    )
    return [OwnProgram(client, counted.get(client.pk, 0)) for client in clients]


def find_own_program(user_id: int, client_id: str) -> OAuthClient:
    """Return a program of this player. Raises Http404."""
    found: OAuthClient = get_object_or_404(OAuthClient, pk=client_id, owner_id=user_id)
    return found


@transaction.atomic
def make_program(*, user_id: int, **terms: Any) -> tuple[OAuthClient, str]:
    """Make a program.

    Return it with its secret, which is empty for a program that keeps none. Raises TooManyPrograms.
    """
    most = number("PROGRAMS_EACH")
    _lock_player(user_id)
    if OAuthClient.objects.filter(owner_id=user_id).count() >= most:
        raise TooManyPrograms(most)
    client = OAuthClient(owner_id=user_id, **terms)
    secret = client.make_secret()
    client.save()
    return client, secret if client.client_type == client.CLIENT_CONFIDENTIAL else ""


def change_program(*, user_id: int, client_id: str, **terms: Any) -> None:
    """Change one of this player's programs. Grants of players, with their scopes, stay as they are."""
    client = find_own_program(user_id, client_id)
    for name, value in terms.items():
        setattr(client, name, value)
    client.save(update_fields=[*terms])


def renew_program_secret(*, user_id: int, client_id: str) -> str:
    """Replace the program's secret and return the new one. The old one stops working at once."""
    client = find_own_program(user_id, client_id)
    secret = client.make_secret()
    client.save(update_fields=["client_secret"])
    return secret


@transaction.atomic
def delete_own_program(*, user_id: int, client_id: str) -> None:
    delete_program(find_own_program(user_id, client_id))


def list_own_webhooks(user_id: int) -> Sequence[Webhook]:
    return list(Webhook.objects.filter(owner_id=user_id).order_by("name", "pk"))


def find_own_webhook(user_id: int, webhook_id: int) -> Webhook:
    """Return a webhook of this player. Raises Http404."""
    return get_object_or_404(Webhook, pk=webhook_id, owner_id=user_id)


def list_deliveries(webhook: Webhook) -> Sequence[WebhookDelivery]:
    """Return the latest deliveries, the newest first."""
    return list(webhook.deliveries.order_by("-pk")[:DELIVERIES_SHOWN])


@transaction.atomic
def make_webhook(*, user_id: int, **terms: Any) -> Webhook:
    """Make a webhook and return it, with its secret. Raises TooManyPrograms."""
    most = number("WEBHOOKS_EACH")
    _lock_player(user_id)
    if Webhook.objects.filter(owner_id=user_id).count() >= most:
        raise TooManyPrograms(most)
    return Webhook.objects.create(owner_id=user_id, **terms)


@transaction.atomic
def change_webhook(*, user_id: int, webhook_id: int, **terms: Any) -> None:
    """Change one of this player's webhooks. Turning it off drops its pending deliveries."""
    changed = Webhook.objects.filter(pk=webhook_id, owner_id=user_id).update(**terms)
    if changed and terms.get("is_active") is False:
        give_up_deliveries(webhook_id)


def renew_webhook_secret(*, user_id: int, webhook_id: int) -> str:
    """Replace the webhook's secret and return the new one. Only the new secret signs deliveries from now on."""
    secret = new_secret()
    change_webhook(user_id=user_id, webhook_id=webhook_id, secret=secret)
    return secret


def delete_webhook(*, user_id: int, webhook_id: int) -> None:
    Webhook.objects.filter(pk=webhook_id, owner_id=user_id).delete()


def deliver_again(*, user_id: int, webhook_id: int, delivery_id: int) -> bool:
    """Send a delivery again. Return False if this player has reached the rate limit."""
    delivery = get_object_or_404(
        WebhookDelivery, pk=delivery_id, webhook_id=webhook_id, webhook__owner_id=user_id
    )
    most, seconds = _AGAIN
    if not throttling.take(Rate(f"webhook-again:{user_id}", most, seconds)).is_allowed:
        return False
    send_again(delivery, now=timezone.now())
    return True


def _lock_player(user_id: int) -> None:
    """Serialize concurrent requests of one player."""
    User.objects.select_for_update(no_key=True).only("pk").get(pk=user_id)
