"""Notices to absent players, sent once each: a push message after a minute, an e-mail after a deal."""

import json
from datetime import timedelta

import pytest
from django.db.models import F
from django.db.models.functions import Now
from django.urls import reverse
from redis import Redis

from accounts.models import AbsenceNotice, User
from config.settings.schedule import MAIL
from core.database.leases import Job, lease
from core.models import OutgoingEmail
from core.threads import in_thread
from tables.live import alerts
from tables.live.alerts import AWAY_FOR, notify_absent
from tables.models import Deal, Seat
from tests.accounts.push_service import subscribe_device
from tests.given import reload
from tests.tables.driving import player_at, start_match
from tests.tables.live.test_own_tables import open_page, read_tables
from tests.tables.socket_client import TableSocket, session_of
from tests.workers import do_waiting_jobs, wait_until


@pytest.fixture
def table(service, transactional_db, make_player, make_table):
    """A table of two in a deal; neither player has a page open."""
    return start_match(make_table(name="Banyan Court"), make_player(), make_player())


def record_page(settings, user):
    with Redis.from_url(settings.PRESENCE_REDIS_URL) as redis:
        redis.set(f"page:{user.pk}", 1)


def let_a_deal_pass(table):
    """Make the players' absences a minute old, and let another deal begin now."""
    let_minute_pass(table)
    Deal.objects.filter(match__table=table).update(started_at=Now())


def let_minute_pass(table):
    """Make the players' absences a minute old, and the deal older."""
    Seat.objects.filter(table=table).update(away_since=F("away_since") - AWAY_FOR)
    Deal.objects.filter(match__table=table).update(started_at=F("started_at") - 2 * AWAY_FOR)


def list_emails():
    return list(OutgoingEmail.objects.order_by("pk").values_list("user_id", "subject"))


def test_an_absent_player_with_a_device_gets_a_push_after_a_minute(service, table):
    device = subscribe_device(service, player_at(table, 0))
    assert notify_absent() == 0
    nearly = AWAY_FOR - timedelta(seconds=20)
    Seat.objects.filter(table=table).update(away_since=F("away_since") - nearly)
    assert notify_absent() == 0
    let_minute_pass(table)
    assert [notify_absent() for _ in range(3)] == [1, 0, 0]
    do_waiting_jobs(MAIL)
    read = json.loads(device.read(service.received[0]))
    assert read["title"] == "You still sit at a table"
    assert read["body"] == "Banyan Court goes on without you."
    assert (read["url"], read["tag"]) == (f"/tables/{table.pk}/", f"table-{table.pk}")
    assert list_emails() == []


def test_an_absent_player_without_a_device_gets_an_email_after_a_deal(table, settings):
    player, other = player_at(table, 0), player_at(table, 1)
    record_page(settings, other)
    assert notify_absent() == 0
    let_minute_pass(table)
    assert notify_absent() == 0
    Deal.objects.filter(match__table=table).update(started_at=Now())
    assert [notify_absent() for _ in range(3)] == [1, 0, 0]
    assert list_emails() == [(player.pk, "You still sit at Banyan Court")]
    assert "a deal has gone on without you at Banyan Court" in OutgoingEmail.objects.get().text
    assert Seat.objects.get(user=player).away_told_at is not None
    assert Seat.objects.get(user=other).away_since is None


def test_the_email_is_in_the_players_language(table):
    User.objects.update(language="hi")
    notify_absent()
    let_a_deal_pass(table)
    assert notify_absent() == 2
    assert all("Banyan Court" in subject for _user, subject in list_emails())
    assert not any("You still" in subject for _user, subject in list_emails())


def test_a_returned_player_is_told_again_the_next_time(table, settings):
    player = player_at(table, 0)
    record_page(settings, player_at(table, 1))
    notify_absent()
    let_a_deal_pass(table)
    assert notify_absent() == 1
    record_page(settings, player)
    assert notify_absent() == 0
    seat = Seat.objects.get(user=player)
    assert (seat.away_since, seat.away_told_at) == (None, None)
    with Redis.from_url(settings.PRESENCE_REDIS_URL) as redis:
        redis.delete(f"page:{player.pk}")
    notify_absent()
    let_a_deal_pass(table)
    assert notify_absent() == 1
    assert len(list_emails()) == 2


def test_all_seats_are_checked_in_batches(table, make_table, make_player, settings, monkeypatch):
    """A batch holds one seat, so a player with two seats is in two batches."""
    monkeypatch.setattr(alerts, "SEATS_AT_ONCE", 1)
    player, other = player_at(table, 0), player_at(table, 1)
    second = start_match(make_table(name="Mango Grove"), player, make_player())
    record_page(settings, other)
    assert notify_absent() == 0
    for one in (table, second):
        let_a_deal_pass(one)
    assert notify_absent() == 3
    assert [user for user, _subject in list_emails()].count(player.pk) == 2
    record_page(settings, player)
    assert notify_absent() == 0
    assert Seat.objects.filter(away_since=None).count() == 3


def test_only_the_process_with_the_lease_tells_absent_players(table):
    with lease(Job.TELLING_ABSENT):
        assert notify_absent() == 0
        assert not Seat.objects.exclude(away_since=None).exists()
    notify_absent()
    assert Seat.objects.exclude(away_since=None).count() == 2


@pytest.mark.parametrize(
    ("wanted", "pushed", "mailed"),
    [
        *((AbsenceNotice.PUSH_OR_EMAIL, 1, 1), (AbsenceNotice.PUSH, 1, 0)),
        (AbsenceNotice.NONE, 0, 0),
    ],
)
def test_players_choose_how_they_are_notified(service, table, monkeypatch, wanted, pushed, mailed):
    called = []
    monkeypatch.setattr(
        alerts, "push_after_commit", lambda users, call: called.append((set(users), call.kind))
    )
    first, second = player_at(table, 0), player_at(table, 1)
    subscribe_device(service, first)
    User.objects.filter(pk__in=(first.pk, second.pk)).update(absence_notice=wanted)
    notify_absent()
    let_a_deal_pass(table)
    assert notify_absent() == pushed + mailed
    assert called == [({first.pk}, "away")] * pushed
    assert [user for user, _subject in list_emails()] == [second.pk] * mailed


def test_without_redis_nobody_counts_as_absent(table, settings):
    settings.PRESENCE_REDIS_URL = "redis://127.0.0.1:9/0"
    assert notify_absent() == 0
    assert not Seat.objects.exclude(away_since=None).exists()


def test_leavers_and_bots_are_told_nothing(table):
    Seat.objects.filter(table=table, number=0).update(left_at=Now())
    User.objects.filter(pk=player_at(table, 1).pk).update(is_bot=True)
    notify_absent()
    assert not Seat.objects.exclude(away_since=None).exists()


async def test_an_open_page_keeps_a_player_present_until_closed(table, live_site):
    """It may be the table's page or any other page of the site."""
    player = await in_thread(player_at, table, 0)
    session = await in_thread(session_of, player)

    def away():
        notify_absent()
        return Seat.objects.get(user=player).away_since is not None

    async with open_page(live_site, player) as page:
        await read_tables(page)
        await in_thread(wait_until, lambda: not away())
    await in_thread(wait_until, away)
    async with TableSocket(live_site, table.pk, session) as socket:
        await socket.hello()
        await socket.send(type="me")
        await socket.receive_until("tables")
        await in_thread(wait_until, lambda: not away())
    await in_thread(wait_until, away)


def test_a_player_chooses_the_notice_in_the_settings(client, make_player, transactional_db):
    player = make_player()
    client.force_login(player)
    page = client.get(reverse("accounts:notices")).text
    assert '<option value="push_or_email" selected>' in page
    for sent, kept in (("none", "none"), ("smoke", "none"), ("push", "push")):
        client.post(reverse("accounts:absence_notice"), {"absence_notice": sent})
        assert reload(player).absence_notice == kept
