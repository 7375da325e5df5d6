"""Push alerts at the start of a round."""

import json

import pytest
from celery import current_app

from accounts.push.services import subscribe
from accounts.push.web_push import make_private_key
from tests.accounts.push_service import Device, push_service
from tests.tournaments.driving import bring_start, enter
from tests.workers import wait_until
from tournaments.models import RoundTable


@pytest.mark.django_db(transaction=True)
def test_devices_are_alerted_of_ready_tables_and_cancellations(
    workers, make_tournament_of, make_player, settings, monkeypatch
):
    key = make_private_key()
    with push_service() as service:
        settings.VAPID_PRIVATE_KEY, settings.PUSH_SERVICES = key, [service.address]
        monkeypatch.setenv("VAPID_PRIVATE_KEY", key)
        monkeypatch.setenv("PUSH_SERVICES", service.address)
        played = make_tournament_of(name="Monsoon Cup", seats=3)
        cancelled = make_tournament_of(name="Fig Cup", min_entrants=3)
        users = [make_player() for _ in range(4)]
        enter(played, *users[:3])
        enter(cancelled, users[3])
        devices = [Device(f"{service.address}/send/{name}") for name in ("played", "cancelled")]
        for user, device in zip((users[0], users[3]), devices, strict=True):
            keys = (device.p256dh, device.auth)
            subscribe(user=user, endpoint=device.endpoint, reader_keys=keys, user_agent="")
        workers.start()
        bring_start(played)
        bring_start(cancelled)
        current_app.send_task("tournaments.tick")
        wait_until(lambda: len(service.received) >= 2)
        sent = {service.address + message.path: message for message in service.received}
        read = [json.loads(device.read(sent[device.endpoint])) for device in devices]
    table = RoundTable.objects.get().table
    assert [(one["title"], one["body"], one["url"]) for one in read] == [
        ("Your table is ready", "A round of Monsoon Cup begins.", f"/tables/{table.pk}/"),
        (
            "A tournament was cancelled",
            "Fig Cup does not take place.",
            cancelled.get_absolute_url(),
        ),
    ]
    assert len(service.received) == 2
