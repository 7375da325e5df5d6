"""Push alerts at the start of a round."""

import json

from config.settings.schedule import MAIL
from tests.accounts.push_service import subscribe_device
from tests.tables.live.conftest import service
from tests.tournaments.driving import bring_start, enter
from tests.workers import do_waiting_jobs
from tournaments.models import RoundTable
from tournaments.running.tick import tick

__all__ = ["service"]  # a fixture


def test_devices_are_alerted_of_ready_tables_and_cancellations(
    service, transactional_db, make_tournament_of, make_player
):
    played = make_tournament_of(name="Monsoon Cup", seats=3)
    cancelled = make_tournament_of(name="Fig Cup", min_entrants=3)
    users = [make_player() for _ in range(4)]
    enter(played, *users[:3])
    enter(cancelled, users[3])
    devices = [subscribe_device(service, user) for user in (users[0], users[3])]
    bring_start(played)
    bring_start(cancelled)
    tick()
    do_waiting_jobs(MAIL)
    sent = {service.address + message.path: message for message in service.received}
    read = [json.loads(device.read(sent[device.endpoint])) for device in devices]
    table = RoundTable.objects.get().table
    assert [(one["title"], one["body"], one["url"]) for one in read] == [
        ("Your table is ready", "A round of Monsoon Cup begins.", f"/tables/{table.pk}/"),
        (
            "A tournament was cancelled",
            "Fig Cup will not take place.",
            cancelled.get_absolute_url(),
        ),
    ]
    assert len(service.received) == 2
