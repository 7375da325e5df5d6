"""Push notifications to the devices of players who have no page open."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urlsplit

from celery import current_app
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.models.sessions import LONGEST_ENDPOINT, PushSubscription
from accounts.push.web_push import Reader, encode_public_key, parse_private_key, to_text
from accounts.refusals import SubscriptionUnusable
from accounts.sessions.devices import name_device
from core.after_commit import call_after_commit

DEVICES_EACH = 10
_ADDRESS = re.compile(r"[!-~]+")
SENT_AT_ONCE = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A push message to a player.

    `kind` is the text's key in `WORDS`, `name` is inserted into the text, and `url` is a path of this site.
    A later message with the same `tag` replaces this one. After `seconds` it is useless and is dropped.
    """

    kind: str
    name: str
    url: str
    tag: str
    seconds: int


def push_is_on() -> bool:
    return bool(settings.VAPID_PRIVATE_KEY)


def get_public_key() -> str:
    """Return the public key that browsers need to subscribe."""
    return to_text(encode_public_key(parse_private_key(settings.VAPID_PRIVATE_KEY).public_key()))


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserSubscription:
    """The subscription as the browser sent it. `session_key` is the session in which it was sent."""

    endpoint: str
    p256dh: str
    auth: str
    user_agent: str = ""
    session_key: str = ""


def subscribe(*, user: User, browser: BrowserSubscription) -> None:
    """Subscribe this browser. Raises SubscriptionUnusable.

    The last user to subscribe in a browser owns its subscription. The user's oldest subscriptions beyond
    DEVICES_EACH are deleted.
    """
    endpoint, p256dh, auth = browser.endpoint, browser.p256dh, browser.auth
    try:
        Reader(p256dh=p256dh, auth=auth)
    except ValueError as error:
        raise SubscriptionUnusable from error
    if not push_is_on() or not is_push_service(endpoint):
        raise SubscriptionUnusable
    kept = {
        "user": user,
        "p256dh": p256dh,
        "auth": auth,
        "device": name_device(browser.user_agent),
        "session_key": browser.session_key,
    }
    with transaction.atomic():
        PushSubscription.objects.update_or_create(endpoint=endpoint, defaults=kept)
        own = (
            PushSubscription.objects.filter(user=user).order_by("-pk").values_list("pk", flat=True)
        )
        PushSubscription.objects.filter(pk__in=list(own[DEVICES_EACH:])).delete()


@transaction.atomic
def renew(*, user: User, old_endpoint: str, browser: BrowserSubscription) -> bool:
    """Replace a browser's old subscription with a new one. Return whether the player had the old one.

    Raises SubscriptionUnusable.
    """
    old = PushSubscription.objects.filter(user=user, endpoint=old_endpoint)
    if not old.exists():
        return False
    subscribe(user=user, browser=browser)
    old.exclude(endpoint=browser.endpoint).delete()
    return True


def live_subscriptions() -> QuerySet[PushSubscription]:
    """Return the subscriptions whose browsers are still signed in.

    The person who uses a browser after its session has expired must not read messages to the former player.
    Subscriptions without a session were made before this rule and are kept.
    """
    session = Session.objects.filter(session_key=OuterRef("session_key"), expire_date__gt=Now())
    return PushSubscription.objects.filter(Q(session_key="") | Exists(session))


def list_devices(user: User) -> list[PushSubscription]:
    """Return the player's devices, newest first."""
    return list(live_subscriptions().filter(user=user).order_by("-pk"))


def hash_endpoint(endpoint: str) -> str:
    """Return the hash by which a page finds its own browser among the player's devices.

    The endpoint itself is secret.
    """
    return hashlib.sha256(endpoint.encode()).hexdigest()


def unsubscribe(*, user: User, endpoint: str) -> None:
    PushSubscription.objects.filter(user=user, endpoint=endpoint).delete()


def unsubscribe_everywhere(*, user: User) -> None:
    PushSubscription.objects.filter(user=user).delete()


def is_push_service(endpoint: str) -> bool:
    """Return whether this is the address of a known push service.

    Other addresses are refused, because a browser could send any. So is an address with characters other than
    visible ASCII, because no request can be sent to it.
    """
    if not _ADDRESS.fullmatch(endpoint):
        return False
    try:
        parts = urlsplit(endpoint)
    except ValueError:
        return False
    origin = f"{parts.scheme}://{parts.netloc}"
    return len(endpoint) <= LONGEST_ENDPOINT and any(
        re.fullmatch(re.escape(service).replace(r"\*", r"[a-z0-9-]+(\.[a-z0-9-]+)*"), origin)
        for service in settings.PUSH_SERVICES
    )


def filter_subscribed_players(user_ids: Iterable[int]) -> set[int]:
    """Return those of these players who have a subscribed device."""
    if not push_is_on():
        return set()
    subscriptions = live_subscriptions().filter(user_id__in=list(user_ids))
    return set(subscriptions.values_list("user_id", flat=True))


def push_after_commit(user_ids: Iterable[int], call: Call) -> None:
    """Let a worker send this message after the commit. The message is lost if Redis is down."""
    if push_is_on():
        call_after_commit(_enqueue, frozenset(user_ids), call)


def _enqueue(user_ids: frozenset[int], call: Call) -> None:
    wanted = live_subscriptions().filter(user_id__in=user_ids).order_by("pk")
    ids = list(wanted.values_list("pk", flat=True))
    words = {"kind": call.kind, "name": call.name, "url": call.url}
    terms = {**words, "tag": call.tag, "seconds": call.seconds}
    for start in range(0, len(ids), SENT_AT_ONCE):
        current_app.send_task(
            "accounts.send_push",
            kwargs={"subscription_ids": ids[start : start + SENT_AT_ONCE], "call": terms},
            expires=call.seconds,
        )


class PushWords(NamedTuple):
    title: str | Promise
    body: str | Promise


TURN = "turn"
ROUND = "round"
START = "start"
AWAY = "away"
CANCELLED = "cancelled"
# Used for slow games.
MOVE = "move"
REMINDER = "reminder"
RESULT = "result"
OVER = "over"
BOT = "bot"
EVENING = "evening"

WORDS: Mapping[str, PushWords] = {
    TURN: PushWords(_("Your turn"), _("The other players are waiting for you at {name}.")),
    ROUND: PushWords(_("Your table is ready"), _("A round of {name} begins.")),
    START: PushWords(_("A tournament begins soon"), _("{name}: be there when it starts.")),
    CANCELLED: PushWords(_("A tournament was cancelled"), _("{name} will not take place.")),
    AWAY: PushWords(_("You still sit at a table"), _("{name} goes on without you.")),
    MOVE: PushWords(_("Your move"), _("{name}: the others are waiting for you.")),
    REMINDER: PushWords(_("Your move"), _("{name}: little time is left.")),
    RESULT: PushWords(_("See how it ended"), _("{name}: a deal is over.")),
    OVER: PushWords(_("The match is over"), _("{name}: will you play again?")),
    EVENING: PushWords(_("Your club plays now"), _("A table of {name} is open.")),
    BOT: PushWords(_("A bot plays for you"), _("{name}: come back to take over from the bot.")),
}
