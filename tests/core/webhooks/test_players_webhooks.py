"""Players' webhooks reach no internal host, delay no other webhook, and end when their address is dead."""

import time
from contextlib import suppress

import pytest
from django.utils import timezone

from accounts.api_tokens.own_programs import change_webhook
from accounts.models import User
from core.models import OutgoingEmail, Webhook, WebhookDelivery, WebhookEvent
from core.webhooks import delivery as webhooks
from core.webhooks.delivery import PAUSES, record_result, send_due
from tests.api_program import person
from tests.core.webhooks.test_webhooks import Receiver, make_due
from tests.given import reload
from tests.stand_in import Handler, run_server, serve

pytestmark = pytest.mark.django_db


@pytest.fixture
def receiver():
    server = Receiver()
    with serve(server):
        yield server


@pytest.fixture
def maker():
    return person("Maker")


@pytest.fixture
def webhook(receiver, settings, maker):
    settings.WEBHOOK_INNER_HOSTS_OF_PLAYERS = ["127.0.0.1"]
    return Webhook.objects.create(
        owner=maker, name="Board", url=receiver.url, events=["match.ended"]
    )


def note(owner):
    told = WebhookEvent.MATCH_ENDED
    record_result(told, lambda: {"match": 7}, people=[owner.pk], now=timezone.now())
    return WebhookDelivery.objects.latest("pk")


def test_a_players_result_is_posted_by_the_players_job_alone(webhook, receiver, maker):
    delivery = note(maker)
    assert send_due() == 0
    assert send_due(of_players=True) == 1
    assert (len(receiver.received), reload(delivery).answer) == (1, "200 seen")


def test_the_operators_result_is_posted_by_the_operators_job_alone(webhook, receiver, settings):
    settings.WEBHOOK_INNER_HOSTS = ["127.0.0.1"]
    Webhook.objects.create(name="Club", url=receiver.url, events=["match.ended"])
    told = WebhookEvent.MATCH_ENDED
    record_result(told, lambda: {"match": 7}, people=[], now=timezone.now())
    assert send_due(of_players=True) == 0
    assert send_due() == 1


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_what_the_operator_may_reach_inside_a_player_may_not(
    webhook, receiver, settings, maker, scheme
):
    """The address is checked again when it is used, even if it was allowed when it was entered."""
    settings.WEBHOOK_INNER_HOSTS = ["127.0.0.1", "localhost"]
    settings.WEBHOOK_INNER_HOSTS_OF_PLAYERS = []
    Webhook.objects.update(url=receiver.url.replace("http", scheme, 1))
    delivery = note(maker)
    Webhook.objects.update(url="https://localhost/" if scheme == "https" else receiver.url)
    assert send_due(of_players=True) == 1
    assert receiver.received == []
    assert reload(delivery).answer.startswith("UnfitAddress: ")
    assert reload(delivery).delivered_at is None


def test_a_failing_address_rests_a_minute_and_others_go_on(webhook, receiver, maker):
    first, second = note(maker), note(maker)
    receiver.status = 500
    before = timezone.now()
    assert send_due(of_players=True) == 1
    assert reload(first).tries + reload(second).tries == 1
    for delivery in (first, second):
        assert before < reload(delivery).due_at <= timezone.now() + PAUSES[0]


def test_a_webhook_whose_delivery_is_given_up_is_turned_off(webhook, receiver, maker):
    delivery, waiting = note(maker), note(maker)
    WebhookDelivery.objects.filter(pk=waiting.pk).update(due_at=timezone.now() + PAUSES[-1])
    WebhookDelivery.objects.filter(pk=delivery.pk).update(tries=len(PAUSES))
    receiver.status = 500
    assert send_due(of_players=True) == 1
    assert not reload(webhook).is_active
    assert (reload(delivery).due_at, reload(waiting).due_at) == (None, None)
    make_due()
    assert send_due(of_players=True) == 0


def fail_for_the_last_time(receiver, delivery):
    WebhookDelivery.objects.filter(pk=delivery.pk).update(tries=len(PAUSES), due_at=timezone.now())
    receiver.status = 500
    assert send_due(of_players=True) == 1


def test_the_player_is_told_once_that_a_webhook_is_off(webhook, receiver, maker):
    fail_for_the_last_time(receiver, note(maker))
    mail = OutgoingEmail.objects.get()
    assert (mail.user_id, mail.subject) == (maker.pk, "Your webhook “Board” is off")
    assert f"/accounts/webhooks/{webhook.pk}/" in mail.text
    assert webhook.secret not in mail.text


def test_one_result_that_is_never_accepted_turns_no_webhook_off(webhook, receiver, maker):
    """The address has accepted another result in the meantime."""
    refused = note(maker)
    WebhookDelivery.objects.filter(pk=refused.pk).update(due_at=timezone.now() + PAUSES[-1])
    accepted, later = note(maker), note(maker)
    WebhookDelivery.objects.filter(pk=later.pk).update(due_at=timezone.now() + PAUSES[-1])
    assert send_due(of_players=True) == 1
    assert reload(accepted).delivered_at
    fail_for_the_last_time(receiver, refused)
    assert reload(webhook).is_active
    assert reload(refused).due_at is None
    assert reload(later).due_at is not None
    assert not OutgoingEmail.objects.exists()


def test_a_webhook_that_was_turned_off_gets_nothing_of_what_waited(webhook, receiver, maker):
    waiting = note(maker)
    change_webhook(user_id=maker.pk, webhook_id=webhook.pk, is_active=False)
    assert send_due(of_players=True) == 0
    change_webhook(user_id=maker.pk, webhook_id=webhook.pk, is_active=True)
    assert send_due(of_players=True) == 0
    assert (receiver.received, reload(waiting).due_at) == ([], None)


def test_the_webhook_of_a_frozen_player_rests(webhook, receiver, maker):
    note(maker)
    User.objects.filter(pk=maker.pk).update(is_active=False)
    assert send_due(of_players=True) == 0
    User.objects.filter(pk=maker.pk).update(is_active=True)
    assert send_due(of_players=True) == 1


def test_an_address_with_letters_of_any_script_is_reached(webhook, receiver, maker):
    Webhook.objects.update(url=f"{receiver.url}/é/खेल?क=1")
    delivery = note(maker)
    assert send_due(of_players=True) == 1
    assert reload(delivery).answer == "200 seen"


def test_an_answer_that_comes_byte_by_byte_is_cut(webhook, maker, monkeypatch):
    monkeypatch.setattr(webhooks, "SECONDS_TO_ANSWER_A_PLAYER", 0.5)

    class Slow(Handler):
        def respond(self):
            self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
            with suppress(OSError):
                for _byte in range(200):
                    self.wfile.write(b"x")
                    time.sleep(0.1)

    with run_server(Slow) as address:
        Webhook.objects.update(url=address)
        note(maker)
        began = time.monotonic()
        assert send_due(of_players=True) == 1
        assert time.monotonic() - began < 10
