"""The operator's webhooks: results are recorded, signed, retried and logged."""

import base64
import hashlib
import hmac
import json
import time
from datetime import timedelta
from http.server import ThreadingHTTPServer
from typing import Any
from uuid import UUID

import pytest
from django.db import transaction
from django.utils import timezone

from accounts.expiry import forget_what_has_expired
from core.models import Webhook, WebhookDelivery, WebhookEvent
from core.models.audit import AuditEntry
from core.webhooks import delivery as webhooks
from core.webhooks.delivery import PAUSES, record_result, send_due, sign
from tests.accounts.staff import act_on_rows, office
from tests.given import reload, require
from tests.stand_in import Handler, serve
from tests.wallet.cash_players import make_staff

pytestmark = pytest.mark.django_db
NOW = timezone.now()
ADD = "/admin/core/webhook/add/"
FORM = {
    "name": "Club",
    "url": "https://club.example/hook",
    "events": ["match.ended"],
    "secret": "not for the log",
    "is_active": "on",
    "reason_for_audit": "The club asked.",
}


class Receiver(ThreadingHTTPServer):
    """The operator's program that receives webhooks. It keeps its requests and answers with `status`."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Results)
        self.received: list[tuple[Any, bytes]] = []
        self.status = 200
        self.silent_for = 0.0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/results"


class _Results(Handler):
    server: Receiver

    def respond(self):
        time.sleep(self.server.silent_for)
        self.server.received.append((self.headers, self.read_body()))
        self.answer(self.server.status, b"seen", Location="http://127.0.0.1:1/elsewhere")


@pytest.fixture
def receiver():
    server = Receiver()
    with serve(server):
        yield server


@pytest.fixture
def staff():
    return office(make_staff("Staff"))


@pytest.fixture
def webhook(receiver, settings):
    settings.WEBHOOK_INNER_HOSTS = ["127.0.0.1"]
    return Webhook.objects.create(
        name="Club board", url=receiver.url, events=list(WebhookEvent), secret="secret of the club"
    )


def note(event=WebhookEvent.MATCH_ENDED, people=(), **data):
    return record_result(event, lambda: {"match": 7, **data}, people=people, now=NOW)


def make_due():
    WebhookDelivery.objects.filter(due_at__isnull=False).update(due_at=timezone.now())


def test_a_result_is_posted_once_and_signed(webhook, receiver):
    assert note(winners=["Āśā"]) == 1
    assert (send_due(), send_due()) == (1, 0)
    [(headers, body)] = receiver.received
    told = json.loads(body)
    assert told["type"] == "match.ended"
    assert told["data"] == {"match": 7, "winners": ["Āśā"]}
    [delivery] = WebhookDelivery.objects.all()
    assert UUID(headers["webhook-id"]) == delivery.number
    # Check the signature as a receiver does.
    at = headers["webhook-timestamp"]
    signed = f"{delivery.number}.{at}.".encode() + body
    own = base64.b64encode(hmac.new(b"secret of the club", signed, hashlib.sha256).digest())
    assert headers["webhook-signature"] == f"v1,{own.decode()}"
    assert abs(int(at) - time.time()) < 60
    assert (delivery.tries, delivery.due_at, delivery.answer) == (1, None, "200 seen")
    assert delivery.delivered_at is not None


def test_the_example_of_standard_webhooks_has_its_signature():
    """The example of the specification, version 1.0.0."""
    body = b'{"test": 2432232314}'
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    number = "msg_p5jXN8AQM9LWM0D4loKWxJek"
    signature = sign(body, secret, number=number, at=1614265330)
    assert signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_a_signature_is_of_one_body_one_secret_one_delivery_and_one_moment():
    facts: dict[str, Any] = {"body": b"{}", "secret": "s", "number": "n", "at": 1}
    right = sign(**facts)
    assert right == sign(**facts)
    for other in ({"body": b"{ }"}, {"secret": "t"}, {"number": "m"}, {"at": 2}):
        assert sign(**{**facts, **other}) != right


def gather_never() -> dict[str, Any]:
    raise AssertionError("gathered for nobody")


def test_only_subscribed_webhooks_are_notified(webhook, receiver):
    Webhook.objects.create(name="Off", url=receiver.url, events=["match.ended"], is_active=False)
    Webhook.objects.create(name="Cups", url=receiver.url, events=["tournament.ended"])
    assert note() == 1
    assert note(WebhookEvent.TOURNAMENT_ENDED) == 2
    Webhook.objects.all().delete()
    assert record_result(WebhookEvent.MATCH_ENDED, gather_never, people=(), now=NOW) == 0
    assert not WebhookDelivery.objects.exists()


def test_a_rolled_back_result_is_not_posted(webhook):
    with transaction.atomic():
        note()
        transaction.set_rollback(True)
    assert not WebhookDelivery.objects.exists()


def test_a_failed_delivery_backs_off_and_is_given_up(webhook, receiver):
    note()
    receiver.status = 503
    for number, pause in enumerate(PAUSES, start=1):
        before = timezone.now()
        assert send_due() == 1
        [delivery] = WebhookDelivery.objects.all()
        assert delivery.tries == number
        assert before + pause <= require(delivery.due_at) <= timezone.now() + pause
        assert (delivery.answer, delivery.delivered_at) == ("503 seen", None)
        assert send_due() == 0
        make_due()
    assert send_due() == 1
    [delivery] = WebhookDelivery.objects.all()
    assert (delivery.tries, delivery.due_at, delivery.delivered_at) == (len(PAUSES) + 1, None, None)
    assert len({headers["webhook-id"] for headers, _body in receiver.received}) == 1
    assert sum(PAUSES, timedelta()) > timedelta(days=1)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_not_followed(webhook, receiver, status):
    note()
    receiver.status = status
    assert send_due() == 1
    [delivery] = WebhookDelivery.objects.all()
    assert delivery.answer.startswith(str(status))
    assert delivery.due_at is not None


INNER = [
    "http://127.0.0.1:{port}/results",
    "http://localhost:{port}/results",
    "http://2130706433:{port}/results",
    "http://0x7f.1:{port}/results",
    "http://[::1]:{port}/",
    "http://[::ffff:127.0.0.1]:{port}/results",
    "http://0.0.0.0:{port}/results",
    "http://169.254.169.254/latest/",
    "http://10.0.0.1/",
    "http://192.168.1.1/",
    "http://100.64.0.1/",
    "http://[fd00::1]/",
    "ftp://127.0.0.1/",
    "file:///etc/hostname",
]


@pytest.mark.parametrize("pattern", INNER)
def test_nothing_is_posted_into_an_inner_network(webhook, receiver, settings, pattern):
    settings.WEBHOOK_INNER_HOSTS = []
    Webhook.objects.update(url=pattern.format(port=receiver.server_port))
    note()
    assert send_due() == 1
    delivery = WebhookDelivery.objects.get()
    assert delivery.delivered_at is None
    assert "of an inner network" in delivery.answer or "neither with http" in delivery.answer
    assert receiver.received == []


@pytest.mark.parametrize("pattern", INNER[:-1])
def test_the_administration_takes_no_inner_address(staff, settings, pattern):
    inner = {**FORM, "url": pattern.format(port=6379)}
    assert staff.post(ADD, inner).status_code == 200
    assert not Webhook.objects.exists()
    settings.WEBHOOK_INNER_HOSTS = ["127.0.0.1"]
    assert staff.post(ADD, {**FORM, "url": "http://127.0.0.1:8080/"}).status_code == 302


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/", "http://nowhere.invalid/", "http://[/"])
def test_a_refused_connection_counts_as_a_try(webhook, url):
    Webhook.objects.update(url=url)
    note()
    assert send_due() == 1
    [delivery] = WebhookDelivery.objects.all()
    assert delivery.answer
    assert require(delivery.due_at) > timezone.now()


def test_a_silent_receiver_times_out(webhook, receiver, monkeypatch):
    monkeypatch.setattr(webhooks, "SECONDS_TO_ANSWER", 0.2)
    receiver.silent_for = 1.0
    note()
    assert send_due() == 1
    assert "timed out" in WebhookDelivery.objects.get().answer.lower()


def test_a_delivery_of_a_dead_sender_is_sent_by_the_next(webhook, receiver):
    note()
    taken = require(webhooks._take(of_players=False))  # its sender dies before it sends
    assert send_due() == 0
    WebhookDelivery.objects.update(due_at=timezone.now())  # the claim has expired
    assert send_due() == 1
    assert len(receiver.received) == 1
    # If the first sender was only slow, it must not change what the second has stored.
    webhooks._send(taken)
    [delivery] = WebhookDelivery.objects.all()
    assert (delivery.tries, delivery.due_at) == (2, None)


def test_old_sent_deliveries_are_deleted_and_pending_ones_kept(webhook):
    note()
    note()
    first, second = WebhookDelivery.objects.order_by("pk")
    old = NOW - timedelta(days=31)
    WebhookDelivery.objects.filter(pk=first.pk).update(due_at=None, made_at=old)
    WebhookDelivery.objects.filter(pk=second.pk).update(made_at=old)
    forget_what_has_expired(now=NOW)
    assert list(WebhookDelivery.objects.all()) == [second]


class TestAdministration:
    def test_a_webhook_is_made_with_a_reason_and_its_secret_is_in_no_log(self, staff):
        assert staff.post(ADD, FORM).status_code == 302
        webhook = Webhook.objects.get()
        assert (webhook.events, webhook.is_active) == (["match.ended"], True)
        entry = AuditEntry.objects.latest("pk")
        assert entry.reason == "The club asked."
        assert "not for the log" not in json.dumps([entry.before, entry.after])

    def test_a_delivery_is_sent_again_with_a_reason(self, staff, webhook, receiver):
        note()
        send_due()
        [delivery] = WebhookDelivery.objects.all()
        act_on_rows(staff, "again", delivery, reason="")
        assert send_due() == 0  # without a reason nothing is sent
        act_on_rows(staff, "again", delivery)
        assert send_due() == 1
        assert len(receiver.received) == 2


def test_a_password_in_the_address_is_sent_as_one(webhook, receiver):
    url = receiver.url.replace("//", "//club:p%40ss@")
    Webhook.objects.filter(pk=webhook.pk).update(url=url)
    note()
    assert send_due() == 1
    [(headers, _body)] = receiver.received
    assert headers["Authorization"] == "Basic Y2x1YjpwQHNz"
    assert headers["Host"] == f"127.0.0.1:{receiver.server_port}"


def test_a_webhook_that_staff_turn_off_gets_nothing_of_what_waited(webhook, receiver, staff):
    note()
    page = f"/admin/core/webhook/{webhook.pk}/change/"
    off = {name: value for name, value in FORM.items() if name != "is_active"}
    assert staff.post(page, {**off, "url": webhook.url}).status_code == 302
    assert not reload(webhook).is_active
    assert send_due() == 0
    assert staff.post(page, {**FORM, "url": webhook.url}).status_code == 302
    assert (send_due(), receiver.received) == (0, [])


@pytest.mark.parametrize("url", ["https://club.example:99999/", f"https://{'é' * 60}.example/"])
def test_an_address_that_nothing_can_be_posted_to_is_refused(staff, url):
    assert "Enter a valid URL" in staff.post(ADD, {**FORM, "url": url}).text
    assert not Webhook.objects.exists()
