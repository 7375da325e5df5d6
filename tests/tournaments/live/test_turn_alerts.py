"""When a round of a tournament begins, who asked for it is alerted."""

import json

import pytest
from celery import current_app

from accounts.push.services import subscribe
from accounts.push.web_push import new_private_key
from tests.accounts.push_service import Device, push_service
from tests.tournaments.driving import bring_start, enter
from tests.workers import wait_until
from tournaments.models import RoundTable


@pytest.mark.django_db(transaction=True)
def test_a_players_device_is_told_where_his_table_is(
    workers, make_tournament_of, make_player, settings, monkeypatch
):
    key = new_private_key()
    with push_service() as service:
        settings.VAPID_PRIVATE_KEY, settings.PUSH_SERVICES = key, [service.address]
        monkeypatch.setenv("VAPID_PRIVATE_KEY", key)
        monkeypatch.setenv("PUSH_SERVICES", service.address)
        tournament = make_tournament_of(seats=3)
        users = [make_player() for _ in range(3)]
        enter(tournament, *users)
        device = Device(f"{service.address}/send/abc")
        keys = (device.p256dh, device.auth)
        subscribe(user=users[0], endpoint=device.endpoint, reader_keys=keys, user_agent="")
        workers.start()
        bring_start(tournament)
        current_app.send_task("tournaments.tick")
        wait_until(lambda: service.received)
        read = json.loads(device.read(service.received[0]))
    table = RoundTable.objects.get().table
    assert read["title"] == "Your table is ready"
    assert read["body"] == "A round of Monsoon Cup begins."
    assert read["url"] == f"/tables/{table.pk}/"
    assert len(service.received) == 1


@pytest.mark.django_db(transaction=True)
def test_a_players_device_is_told_that_it_was_cancelled(
    workers, make_tournament_of, make_player, settings, monkeypatch
):
    key = new_private_key()
    with push_service() as service:
        settings.VAPID_PRIVATE_KEY, settings.PUSH_SERVICES = key, [service.address]
        monkeypatch.setenv("VAPID_PRIVATE_KEY", key)
        monkeypatch.setenv("PUSH_SERVICES", service.address)
        tournament = make_tournament_of(min_entrants=3)
        user = make_player()
        enter(tournament, user)
        device = Device(f"{service.address}/send/abc")
        keys = (device.p256dh, device.auth)
        subscribe(user=user, endpoint=device.endpoint, reader_keys=keys, user_agent="")
        workers.start()
        bring_start(tournament)
        current_app.send_task("tournaments.tick")
        wait_until(lambda: service.received)
        read = json.loads(device.read(service.received[0]))
    assert read["title"] == "A tournament was cancelled"
    assert read["body"] == "Monsoon Cup does not take place."
    assert read["url"] == tournament.get_absolute_url()
