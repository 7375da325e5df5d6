"""Announcements, and maintenance, during which no match begins."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.html import strip_tags

from accounts.desk.staff_roles import Role
from core.models.audit import AuditEntry
from core.models.site import SiteNotice
from core.site.notices import refresh_notices
from core.tasks import refresh_site as job
from tables.live.clock import act_on_table
from tables.models import Match, MatchStatus, Table, TableStatus
from tables.refusals import PLAY_RESTS
from tables.seating.queue import join_queue
from tests.accounts.staff import member, office
from tests.given import reload, require
from tests.refusals import refused
from tests.tables.driving import (
    WELCOME,
    chips_of,
    drop,
    leave,
    let_time_pass,
    list_seated,
    seat_all,
)
from tests.tournaments.conftest import make_template, make_tournament_of
from tests.tournaments.driving import begin, enter, play_to_the_end
from tournaments.rules.lifecycle import LifecycleStatus
from tournaments.running.tick import tick

pytestmark = pytest.mark.django_db
__all__ = ["make_template", "make_tournament_of"]  # fixtures
HOUR = timedelta(hours=1)
LIST = "/admin/core/sitenotice/"


@pytest.fixture(autouse=True)
def _nothing_remembered():
    cache.delete("site_notices")
    yield
    cache.delete("site_notices")


def announce(*, stops=None, **fields):
    now = timezone.now()
    row = SiteNotice.objects.create(
        **{"text": "We are moving.", "shown_from": now - HOUR, "play_stops_at": stops, **fields}
    )
    refresh_notices()
    return row


def maintenance():
    return announce(stops=timezone.now() - timedelta(seconds=1))


def read_page(**headers):
    return Client().get("/rules/", **headers).text


class TestPages:
    def test_a_notice_is_shown_in_its_period(self):
        now = timezone.now()
        announce(text="Later.", shown_from=now + HOUR)
        announce(text="Over.", shown_until=now - timedelta(seconds=1))
        announce(text="Welcome back!")
        page = read_page()
        assert "Welcome back!" in page
        assert not {word for word in ("Later.", "Over.", "no new match") if word in page}

    def test_a_notice_is_shown_in_the_readers_language(self):
        announce(text="Hello.", words={"hi": {"text": "नमस्ते।"}})
        announce(text="Only this.")
        page = read_page(HTTP_ACCEPT_LANGUAGE="hi")
        assert "नमस्ते।" in page
        assert "Only this." in page
        assert "Hello." not in page
        assert "Hello." in read_page()

    def test_a_notice_of_maintenance_says_when_play_stops(self):
        stops = timezone.now() + 2 * HOUR
        announce(stops=stops)
        said = f"{timezone.localtime(stops):%H:%M} IST no new match begins"
        assert said in strip_tags(read_page())
        SiteNotice.objects.update(play_stops_at=timezone.now())
        refresh_notices()
        assert "No new match begins now" in read_page()

    def test_a_page_reads_notices_without_a_query(self):
        announce()
        read_page()
        with CaptureQueriesContext(connection) as asked:
            assert "We are moving." in read_page()
        assert not [q for q in asked.captured_queries if "site_notice" in q["sql"]]

    def test_the_text_of_a_notice_is_escaped(self):
        announce(text="<script>alert(1)</script>")
        assert "<script>alert(1)" not in read_page()


class TestDesk:
    def form(self, **fields):
        begins = timezone.localtime()
        return {
            "text": "We are moving.",
            "shown_from_0": f"{begins:%Y-%m-%d}",
            "shown_from_1": f"{begins:%H:%M:%S}",
            "reason_for_audit": "A new server.",
            **fields,
        }

    def test_staff_announce_with_a_reason_and_pages_show_it(
        self, django_capture_on_commit_callbacks
    ):
        desk = office(member(Role.GAMES))
        page = desk.post(f"{LIST}add/", self.form(reason_for_audit="")).text
        assert "This field is required" in page
        assert not SiteNotice.objects.exists()
        refresh_notices()  # fills the cache of the pages
        with django_capture_on_commit_callbacks(execute=True):
            desk.post(f"{LIST}add/", self.form())
        assert "We are moving." in read_page()
        entry = AuditEntry.objects.get()
        assert (entry.action, entry.reason) == ("add", "A new server.")
        row = SiteNotice.objects.get()
        form = self.form(text="We have moved.", reason_for_audit="Done.")
        with django_capture_on_commit_callbacks(execute=True):
            desk.post(f"{LIST}{row.pk}/change/", form)
        assert "We have moved." in read_page()
        delete = {"post": "yes", "reason_for_audit": "Over."}
        with django_capture_on_commit_callbacks(execute=True):
            desk.post(f"{LIST}{row.pk}/delete/", delete)
        assert "We have moved." not in read_page()

    @pytest.mark.parametrize("role", [Role.SUPPORT, Role.FINANCE])
    def test_other_staff_only_read_notices(self, role):
        desk = office(member(role))
        assert desk.get(LIST).status_code == 200
        assert desk.post(f"{LIST}add/", self.form()).status_code == 403
        assert not SiteNotice.objects.exists()

    def test_play_cannot_stop_before_the_notice_is_shown(self):
        now = timezone.now()
        for wrong in (
            {"play_stops_at": now - HOUR},
            {"play_stops_at": now + HOUR, "shown_until": now + HOUR},
            {"shown_until": now},
        ):
            row = SiteNotice(text="x", **{"shown_from": now, **wrong})
            with pytest.raises(ValidationError):
                row.full_clean()

    def test_the_job_refreshes_stale_notices(self):
        refresh_notices()
        SiteNotice.objects.create(text="Unheard of.", shown_from=timezone.now())
        assert "Unheard of." not in read_page()
        assert job() == 1
        assert "Unheard of." in read_page()


class TestTables:
    def test_a_running_match_is_paid_and_no_other_begins(self, table):
        maintenance()
        drop(table)
        assert Match.objects.get().status == MatchStatus.FINISHED
        # R7.2: 20 points of a chip, less a tenth, go to the stacks.
        assert require(Match.objects.get().settlement)["net"] == 18
        for _ in range(3):
            step = require(let_time_pass(table))
            assert [event["kind"] for event in step.events] == ["resting"]
        assert (reload(table).status, Match.objects.count()) == (TableStatus.BETWEEN, 1)
        assert require(table.due_at) > timezone.now() + timedelta(seconds=50)

    def test_the_next_match_begins_after_the_maintenance(self, make_table, players):
        row = announce(stops=timezone.now() + HOUR)
        table = make_table()
        seat_all(table, *players[:2])
        SiteNotice.objects.update(play_stops_at=timezone.now() - HOUR)
        let_time_pass(table)
        assert not Match.objects.exists()
        SiteNotice.objects.filter(pk=row.pk).update(shown_until=timezone.now())
        let_time_pass(table)
        assert Match.objects.get().status == MatchStatus.RUNNING

    def test_nobody_sits_down_or_queues_but_players_may_leave(self, make_table, players):
        table, (player, other) = make_table(), players[:2]
        seat_all(table, player)
        maintenance()
        with refused(PLAY_RESTS):
            seat_all(table, other)
        with refused(PLAY_RESTS):
            join_queue(table_id=table.pk, user_id=other.pk)
        assert list_seated(table) == [player.pk]
        leave(table, player)
        assert [chips_of(one) for one in players] == [WELCOME] * 4

    def test_a_match_begun_before_announces_when_play_stops(self, make_table, players):
        stops = timezone.now() + HOUR
        announce(stops=stops)
        table = make_table()
        seat_all(table, *players[:2])
        step = require(let_time_pass(table))
        told = [event for event in step.events if event["kind"] == "rest_announced"]
        assert told == [{"kind": "rest_announced", "at": round(stops.timestamp() * 1000)}]
        assert table.changes.latest("version").events[-1] == told[0]

    def test_a_player_who_leaves_during_maintenance_ends_the_waiting(self, make_table, players):
        table = make_table()
        seat_all(table, *players[:2])
        maintenance()
        let_time_pass(table)
        leave(table, players[0])
        assert (reload(table).status, table.due_at) == (TableStatus.WAITING, None)
        assert act_on_table(table.pk) is None


class TestTournaments:
    def test_a_running_tournament_is_played_to_its_end(self, make_tournament_of, players):
        cup = make_tournament_of()
        enter(cup, *players[:2])
        begin(cup)
        maintenance()
        play_to_the_end(cup)
        assert reload(cup).status == LifecycleStatus.FINISHED
        assert sum(map(chips_of, players[:2])) == 20_000 - 20

    def test_no_tournament_begins_during_maintenance(self, make_tournament_of, players):
        cup = make_tournament_of()
        enter(cup, *players[:2])
        maintenance()
        now = timezone.now()
        type(cup).objects.filter(pk=cup.pk).update(starts_at=now, due_at=now)
        tick()
        assert reload(cup).status == LifecycleStatus.REGISTERING
        assert not Table.objects.exclude(event_url="").exists()
        SiteNotice.objects.update(shown_until=timezone.now())
        tick()
        assert reload(cup).status == LifecycleStatus.PLAYING
