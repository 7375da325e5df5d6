"""Browser subscriptions, and push messages that arrive at a push service and can be decrypted."""

import json
import socket
import threading
from dataclasses import replace

import pytest
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth import login
from django.contrib.sessions.models import Session
from django.db import transaction
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from accounts.expiry import forget_what_has_expired
from accounts.models.sessions import PushSubscription
from accounts.push.sender import send
from accounts.push.services import (
    DEVICES_EACH,
    Call,
    filter_subscribed_players,
    get_public_key,
    hash_endpoint,
    is_push_service,
    list_devices,
    push_after_commit,
    subscribe,
)
from accounts.push.web_push import load_private_key, make_private_key
from accounts.refusals import SubscriptionUnusable
from config.settings.env import build_contact
from tests.accounts.push_service import Device, push_service
from tests.accounts.staff import office as sign_in
from tests.given import reload, require
from tests.wallet.cash_players import make_player
from tests.workers import wait_until

pytestmark = pytest.mark.django_db
CALL = Call(kind="turn", name="Mango Grove", url="/tables/7/", tag="table-7", seconds=120)


@pytest.fixture
def service(settings):
    with push_service() as running:
        settings.VAPID_PRIVATE_KEY = make_private_key()
        settings.PUSH_SERVICES = [running.address]
        yield running


@pytest.fixture
def device(service):
    return Device(f"{service.address}/send/abc")


def turn_on(user, device):
    subscribe(user=user, browser=device.sent())
    return PushSubscription.objects.get(endpoint=device.endpoint)


def test_a_call_arrives_and_its_browser_reads_it(service, device, asha):
    subscription = turn_on(asha, device)
    assert subscription.last_used_at is None
    before = timezone.now()
    assert send(subscription_ids=[subscription.pk], call=CALL) == 1
    (received,) = service.received
    assert received.path == "/send/abc"
    assert received.headers["content-encoding"] == "aes128gcm"
    assert received.headers["ttl"] == "120"
    assert received.headers["authorization"].endswith(f", k={get_public_key()}")
    assert b"Mango" not in received.body
    assert json.loads(device.read(received)) == {
        "title": "Your turn",
        "body": "The other players are waiting for you at Mango Grove.",
        "url": "/tables/7/",
        "tag": "table-7",
        "lang": "en",
    }
    assert require(reload(subscription).last_used_at) >= before


def test_a_call_speaks_the_players_language(service, device, asha):
    asha.language = "hi"
    asha.save()
    send(subscription_ids=[turn_on(asha, device).pk], call=CALL)
    read = json.loads(device.read(service.received[0]))
    assert (read["lang"], read["title"]) == ("hi", "आपकी बारी")
    assert "Mango Grove" in read["body"]


@pytest.mark.parametrize("status", [404, 410])
def test_a_gone_subscription_is_deleted(service, device, asha, status):
    service.status = status
    gone = turn_on(asha, device)
    assert send(subscription_ids=[gone.pk], call=CALL) == 0
    assert len(service.received) == 1
    assert not PushSubscription.objects.exists()


@pytest.mark.parametrize("status", [302, 307, 400, 429, 500])
def test_any_other_answer_keeps_the_subscription_and_is_not_followed(
    service, device, asha, status, caplog
):
    service.status = status
    kept = turn_on(asha, device)
    assert send(subscription_ids=[kept.pk], call=CALL) == 0
    assert [received.path for received in service.received] == ["/send/abc"]
    assert str(status) in caplog.text
    assert reload(kept).last_used_at is None


def test_an_unreachable_service_does_not_block_the_others(device, asha, settings):
    settings.PUSH_SERVICES = [*settings.PUSH_SERVICES, "http://127.0.0.1:9"]
    unreachable = turn_on(asha, Device("http://127.0.0.1:9/send/abc"))
    reachable = turn_on(asha, device)
    assert send(subscription_ids=[unreachable.pk, reachable.pk], call=CALL) == 1
    assert PushSubscription.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_a_worker_delivers_only_committed_calls(
    service, device, asha, workers, monkeypatch, settings
):
    monkeypatch.setenv("VAPID_PRIVATE_KEY", settings.VAPID_PRIVATE_KEY)
    monkeypatch.setenv("PUSH_SERVICES", service.address)
    turn_on(asha, device)
    workers.start()
    with transaction.atomic():
        push_after_commit({asha.pk}, CALL)
        transaction.set_rollback(True)
    with transaction.atomic():
        push_after_commit({asha.pk, asha.pk + 1}, replace(CALL, name="Banyan Court"))
        assert service.received == []
    wait_until(lambda: service.received)
    assert "Banyan Court" in json.loads(device.read(service.received[0]))["body"]
    assert len(service.received) == 1


def test_without_a_key_nothing_is_offered_and_nothing_is_sent(service, device, asha, settings):
    kept = turn_on(asha, device)
    settings.VAPID_PRIVATE_KEY = ""
    assert send(subscription_ids=[kept.pk], call=CALL) == 0
    assert filter_subscribed_players({asha.pk}) == set()
    with pytest.raises(SubscriptionUnusable):
        turn_on(asha, Device(f"{service.address}/send/def"))
    assert service.received == []
    assert PushSubscription.objects.count() == 1
    client = sign_in(asha)
    assert "calls-title" not in client.get("/accounts/settings/notices/").text
    assert post(client, "/accounts/push/on/", {}).status_code == 404


def test_a_browser_belongs_to_its_last_player(device, asha):
    first = turn_on(asha, device)
    assert turn_on(asha, device).pk == first.pk
    bela = make_player("Bela")
    assert turn_on(bela, device).user == bela
    assert filter_subscribed_players({asha.pk, bela.pk}) == {bela.pk}
    assert PushSubscription.objects.count() == 1


def test_the_oldest_of_too_many_browsers_are_forgotten(service, asha):
    for number in range(DEVICES_EACH + 2):
        turn_on(asha, Device(f"{service.address}/send/{number}"))
    kept = PushSubscription.objects.order_by("pk").values_list("endpoint", flat=True)
    numbers = [int(endpoint.rpartition("/")[2]) for endpoint in kept]
    assert numbers == list(range(2, DEVICES_EACH + 2))


@pytest.mark.parametrize(
    "endpoint",
    [
        "",
        "push.example",
        "http://fcm.googleapis.com/send",
        "https://fcm.googleapis.com.evil.example/send",
        "https://fcm.googleapis.com@evil.example/send",
        "https://evil.example/https://fcm.googleapis.com",
        "https://fcm.googleapis.com:444/send",
        "https://push.apple.com.evil.example/",
        "https://.push.apple.com/",
        "https://127.0.0.1/",
        "http://[::1/",
        "https://fcm.googleapis.com/" + "x" * 1_000,
        "https://fcm.googleapis.com/a b",
        "https://fcm.googleapis.com/a\n",
        "https://fcm.googleapis.com/a\tb",
        "https://fcm.googleapis.com/\u0928",
        "https://fcm.googleapis.com/\x7f",
    ],
)
def test_an_unknown_push_service_is_refused(endpoint, asha, settings):
    settings.VAPID_PRIVATE_KEY = make_private_key()
    assert not is_push_service(endpoint)
    with pytest.raises(SubscriptionUnusable):
        turn_on(asha, Device(endpoint))
    assert not PushSubscription.objects.exists()


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/abc",
        "https://updates.push.services.mozilla.com/wpush/v2/abc",
        "https://web.push.apple.com/abc",
        "https://db5p.notify.windows.com/w/?token=abc",
    ],
)
def test_the_push_services_of_browsers_are_accepted(endpoint):
    assert is_push_service(endpoint)


def post(client, path, content):
    return client.post(path, json.dumps(content), content_type="application/json")


def test_a_page_turns_its_browser_on_and_off(device, asha):
    client = sign_in(asha)
    assert post(client, "/accounts/push/on/", device.subscription()).status_code == 204
    assert PushSubscription.objects.get().user == asha
    assert "calls-title" in client.get("/accounts/settings/notices/").text
    other = sign_in(make_player("Bela"))
    assert post(other, "/accounts/push/off/", device.subscription()).status_code == 204
    assert PushSubscription.objects.count() == 1
    assert post(client, "/accounts/push/off/", device.subscription()).status_code == 204
    assert not PushSubscription.objects.exists()


def test_all_browsers_are_turned_off_at_once(service, asha):
    for number in range(3):
        turn_on(asha, Device(f"{service.address}/send/{number}"))
    bela = make_player("Bela")
    turn_on(bela, Device(f"{service.address}/send/bela"))
    assert sign_in(asha).post("/accounts/push/off/everywhere/").status_code == 302
    assert [kept.user for kept in PushSubscription.objects.all()] == [bela]


NO_KEYS = '{"endpoint": "", "keys": 3}'
HALF = '{"endpoint": "https://fcm.googleapis.com/\\ud800", "keys": {"p256dh": "a", "auth": "b"}}'
NO_SUBSCRIPTIONS = [
    "", "[]", "null", "{", '{"endpoint": 1}', NO_KEYS, HALF, HALF.replace("ud800", "u0000"), "[" * 3_000,
    "[" * 900 + "]" * 900,
]  # fmt: skip


@pytest.mark.parametrize("content", NO_SUBSCRIPTIONS)
def test_a_malformed_subscription_is_refused(service, asha, content):
    answer = sign_in(asha).post("/accounts/push/on/", content, content_type="application/json")
    assert answer.status_code == 400
    assert answer.json()["detail"]
    assert not PushSubscription.objects.exists()


@pytest.mark.parametrize("content", ["", "[]", "null", "{", "{}", HALF, "[" * 3_000])
def test_a_malformed_request_turns_no_browser_off(device, asha, content):
    kept = turn_on(asha, device)
    answer = sign_in(asha).post("/accounts/push/off/", content, content_type="application/json")
    assert answer.status_code == 400
    assert PushSubscription.objects.get() == kept


def test_a_visitor_cannot_turn_calls_on(device):
    answer = post(Client(), "/accounts/push/on/", device.subscription())
    assert answer.status_code == 302
    assert not PushSubscription.objects.exists()


def test_a_local_run_keeps_its_key(tmp_path):
    key = load_private_key(tmp_path / "push-key")
    assert load_private_key(tmp_path / "push-key") == key
    assert (tmp_path / "push-key").stat().st_mode & 0o077 == 0


FROM_ITS_WORKER = {"Sec-Fetch-Site": "same-origin"}


def renew(client, old, new, headers=FROM_ITS_WORKER):
    content = json.dumps({"old": old.endpoint, "new": new.subscription()})
    return client.post(
        "/accounts/push/renew/", content, content_type="application/json", headers=headers
    )


def test_a_service_worker_renews_an_ended_subscription(service, asha):
    old, new = Device(f"{service.address}/send/old"), Device(f"{service.address}/send/new")
    turn_on(asha, old)
    assert renew(sign_in(asha), old, new).status_code == 204
    assert PushSubscription.objects.get().endpoint == new.endpoint
    assert send(subscription_ids=[PushSubscription.objects.get().pk], call=CALL) == 1
    assert json.loads(new.read(service.received[0]))["title"] == "Your turn"
    # The browser repeats the request, as if the answer had been lost.
    assert renew(sign_in(asha), new, new).status_code == 204
    assert PushSubscription.objects.count() == 1


@pytest.mark.parametrize("content", [HALF, f'{{"old": "\\ud800", "new": {HALF}}}', "[" * 3_000])
def test_a_malformed_renewal_is_refused(service, asha, content):
    client = sign_in(asha)
    answer = client.post(
        "/accounts/push/renew/", content, content_type="application/json", headers=FROM_ITS_WORKER
    )
    assert (answer.status_code, PushSubscription.objects.count()) == (400, 0)


def test_only_the_players_own_subscription_is_renewed(service, asha):
    client = Client(enforce_csrf_checks=True)
    client.force_login(asha, backend="django.contrib.auth.backends.ModelBackend")
    bela = make_player("Bela")
    old, new = Device(f"{service.address}/send/old"), Device(f"{service.address}/send/new")
    kept = turn_on(bela, old)
    assert renew(client, old, new).status_code == 404  # another player's
    assert renew(client, new, new).status_code == 404  # no player's
    assert renew(Client(), old, new).status_code == 404  # nobody is signed in
    theirs = sign_in(bela)
    for site in ("cross-site", "same-site", "none"):
        assert renew(theirs, old, new, {"Sec-Fetch-Site": site}).status_code == 403
    assert renew(theirs, old, new, {}).status_code == 403
    unknown = Device("https://push.example/send/new")
    assert renew(theirs, old, unknown).status_code == 400
    assert PushSubscription.objects.get() == kept
    assert reload(kept).endpoint == old.endpoint


def test_an_address_that_no_request_can_name_takes_no_other_message_along(service, asha):
    """An older version of the site may have stored such an address."""
    devices = [Device(f"{service.address}/send/{name}") for name in ("one", "two", "three")]
    ids = [turn_on(asha, device).pk for device in devices]
    PushSubscription.objects.filter(pk=ids[0]).update(endpoint=f"{service.address}/a b")
    assert send(subscription_ids=ids, call=CALL) == 2
    assert {received.path for received in service.received} == {"/send/two", "/send/three"}
    assert set(PushSubscription.objects.values_list("pk", flat=True)) == set(ids[1:])


def test_an_answer_that_is_no_http_takes_no_other_message_along(service, asha, settings, caplog):
    with socket.create_server(("127.0.0.1", 0)) as nonsense:
        address = f"http://127.0.0.1:{nonsense.getsockname()[1]}"
        settings.PUSH_SERVICES = [*settings.PUSH_SERVICES, address]

        def answer():
            connected, _ = nonsense.accept()
            with connected:
                connected.recv(65_536)
                connected.sendall(b"no answer at all\r\n\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        ids = [turn_on(asha, Device(f"{place}/send/1")).pk for place in (address, service.address)]
        assert send(subscription_ids=ids, call=CALL) == 1
        thread.join()
    assert PushSubscription.objects.count() == 2
    assert str(ids[0]) in caplog.text


def signed_in_with(user, *devices):
    """Sign the player in with one browser per device, and turn its messages on. Return the browsers."""
    clients = [Client() for _ in devices]
    for client, device in zip(clients, devices, strict=True):
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        assert client.get("/accounts/settings/notices/").status_code == 200
        assert post(client, "/accounts/push/on/", device.subscription()).status_code == 204
    return clients


def endpoints_left():
    return set(PushSubscription.objects.values_list("endpoint", flat=True))


@pytest.fixture
def two(service):
    return [Device(f"{service.address}/send/{name}") for name in ("phone", "laptop")]


def test_signing_out_ends_the_messages_of_that_browser_alone(two, asha):
    phone, laptop = signed_in_with(asha, *two)
    assert phone.post("/accounts/logout/").status_code == 302
    assert endpoints_left() == {two[1].endpoint}
    own = laptop.get("/accounts/settings/notices/").context["calls"]["own"]
    assert own == hash_endpoint(two[1].endpoint)


def test_signing_out_everywhere_ends_the_messages_of_every_browser(two, asha):
    bela, others = make_player("Bela"), Device(two[0].endpoint + "-bela")
    signed_in_with(bela, others)
    phone, _laptop = signed_in_with(asha, *two)
    assert phone.post(reverse("accounts:sign_out_everywhere")).status_code == 302
    assert endpoints_left() == {others.endpoint}


def test_signing_another_device_out_ends_its_messages(two, asha):
    phone, laptop = signed_in_with(asha, *two)
    there = UserSession.objects.get(session_key=laptop.session.session_key)
    assert phone.post(reverse("accounts:end_session", args=[there.pk])).status_code == 302
    assert endpoints_left() == {two[0].endpoint}


def test_a_new_password_keeps_the_messages_of_its_own_browser(two, asha):
    asha.set_password("old-password-1")
    asha.save()
    phone, _laptop = signed_in_with(asha, *two)
    words = {
        "oldpassword": "old-password-1",
        "password1": "Another-9-word",
        "password2": "Another-9-word",
    }
    assert phone.post(reverse("account_change_password"), words).status_code == 302
    assert endpoints_left() == {two[0].endpoint}
    assert phone.post("/accounts/logout/").status_code == 302  # the session's key has changed
    assert endpoints_left() == set()


def test_another_player_who_signs_in_at_a_browser_ends_the_messages_of_the_first(two, asha):
    [phone] = signed_in_with(asha, two[0])
    request = RequestFactory().post("/")
    request.session = phone.session
    request.COOKIES[settings.SESSION_COOKIE_NAME] = phone.session.session_key
    login(request, make_player("Bela"), backend="django.contrib.auth.backends.ModelBackend")
    assert endpoints_left() == set()


def test_a_browser_whose_session_has_expired_gets_no_message_and_is_forgotten(two, asha):
    signed_in_with(asha, *two)
    ids = list(PushSubscription.objects.order_by("pk").values_list("pk", flat=True))
    assert send(subscription_ids=ids, call=CALL) == 2
    assert filter_subscribed_players([asha.pk]) == {asha.pk}
    phone = PushSubscription.objects.get(pk=ids[0]).session_key
    Session.objects.filter(session_key=phone).update(expire_date=timezone.now())
    assert send(subscription_ids=ids, call=CALL) == 1
    assert [device.pk for device in list_devices(asha)] == ids[1:]
    forget_what_has_expired(now=timezone.now())
    assert list(PushSubscription.objects.values_list("pk", flat=True)) == ids[1:]
    Session.objects.all().delete()  # a job deletes expired sessions this way
    assert send(subscription_ids=ids, call=CALL) == 0
    # The player then gets an e-mail, and turns do not wait for a push message.
    assert filter_subscribed_players([asha.pk]) == set()


@pytest.mark.parametrize(
    ("site", "contact"),
    [
        ("https://play.example.com", "mailto:webmaster@play.example.com"),
        ("https://play.example.com:8443", "mailto:webmaster@play.example.com"),
        ("http://127.0.0.1:8000", "mailto:webmaster@example.com"),
        ("http://localhost:8000", "mailto:webmaster@example.com"),
        ("http://[::1]:8000", "mailto:webmaster@example.com"),
        ("http://rummy.localhost", "mailto:webmaster@example.com"),
    ],
)
def test_the_usual_contact_has_a_host_name_that_apple_accepts(site, contact):
    assert build_contact(site) == contact
