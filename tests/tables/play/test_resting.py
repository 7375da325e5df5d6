"""Announcements on every page, and maintenance: no new match begins, what runs is played to its end,
and play goes on by itself afterwards."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.desk.staff_roles import Role
from core.models.audit import AuditEntry
from core.models.site import SiteNotice
from core.site.notices import refresh_notices
from core.tasks import refresh_site as job
from tables.live.clock import act_on_table
from tables.models import Match, MatchStatus, Seat, Table, TableStatus
from tables.refusals import PlayRests
from tables.seating.queue import join_queue
from tables.seating.sitting import take_seat
from tests.accounts.staff import member, office
from tests.given import reload, require
from tests.tables.driving import BUY_IN, chips_of, drop, leave, let_time_pass, seat_all, start_match
from tests.tournaments.conftest import make_template, make_tournament_of
from tests.tournaments.driving import begin, enter, play_to_the_end
from tournaments.rules.lifecycle import Status
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


class TestPages:
    def page(self, **headers):
        return Client().get("/rules/", **headers).text

    def test_it_is_shown_from_one_moment_to_another(self):
        now = timezone.now()
        announce(text="Later.", shown_from=now + HOUR)
        announce(text="Over.", shown_until=now - timedelta(seconds=1))
        announce(text="Welcome back!")
        page = self.page()
        assert "Welcome back!" in page
        assert not {word for word in ("Later.", "Over.") if word in page}
        assert "no new match" not in page

    def test_in_the_language_of_the_reader(self):
        announce(text="Hello.", words={"hi": {"text": "नमस्ते।"}})
        announce(text="Only this.")
        page = self.page(HTTP_ACCEPT_LANGUAGE="hi")
        assert "नमस्ते।" in page
        assert "Only this." in page
        assert "Hello." not in page
        assert "Hello." in self.page()

    def test_maintenance_says_from_when_on(self):
        stops = timezone.now() + 2 * HOUR
        announce(stops=stops)
        page = self.page()
        assert f"{timezone.localtime(stops):%H:%M} IST on no new match begins" in page
        SiteNotice.objects.update(play_stops_at=timezone.now())
        refresh_notices()
        assert "No new match begins now" in self.page()

    def test_a_page_asks_the_database_nothing_for_it(self):
        announce()
        self.page()
        with CaptureQueriesContext(connection) as asked:
            assert "We are moving." in self.page()
        assert not [q for q in asked.captured_queries if "site_notice" in q["sql"]]

    def test_what_is_written_in_it_is_text(self):
        announce(text="<script>alert(1)</script>")
        assert "<script>alert(1)" not in self.page()


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

    def test_games_announce_with_a_reason_and_pages_show_it_after_the_commit(
        self, django_capture_on_commit_callbacks
    ):
        desk = office(member(Role.GAMES))
        page = desk.post(f"{LIST}add/", self.form(reason_for_audit="")).text
        assert "This field is required" in page
        assert not SiteNotice.objects.exists()
        refresh_notices()  # what pages have read by then
        with django_capture_on_commit_callbacks(execute=True):
            desk.post(f"{LIST}add/", self.form())
        assert "We are moving." in Client().get("/rules/").text
        entry = AuditEntry.objects.get()
        assert (entry.action, entry.reason) == ("add", "A new server.")
        row = SiteNotice.objects.get()
        form = self.form(text="We have moved.", reason_for_audit="Done.")
        with django_capture_on_commit_callbacks(execute=True):
            desk.post(f"{LIST}{row.pk}/change/", form)
        assert "We have moved." in Client().get("/rules/").text
        delete = {"post": "yes", "reason_for_audit": "Over."}
        with django_capture_on_commit_callbacks(execute=True):
            desk.post(f"{LIST}{row.pk}/delete/", delete)
        assert "We have moved." not in Client().get("/rules/").text

    @pytest.mark.parametrize("role", [Role.SUPPORT, Role.FINANCE])
    def test_others_only_look(self, role):
        desk = office(member(role))
        assert desk.get(LIST).status_code == 200
        assert desk.post(f"{LIST}add/", self.form()).status_code == 403
        assert not SiteNotice.objects.exists()

    def test_play_does_not_stop_before_people_are_told(self):
        now = timezone.now()
        for wrong in (
            {"play_stops_at": now - HOUR},
            {"play_stops_at": now + HOUR, "shown_until": now + HOUR},
            {"shown_until": now},
        ):
            row = SiteNotice(text="x", **{"shown_from": now, **wrong})
            with pytest.raises(ValidationError):
                row.full_clean()

    def test_the_job_mends_what_a_reader_stored_too_late(self):
        refresh_notices()
        SiteNotice.objects.create(text="Unheard of.", shown_from=timezone.now())
        assert "Unheard of." not in Client().get("/rules/").text
        assert job() == 1
        assert "Unheard of." in Client().get("/rules/").text


class TestTables:
    def test_a_match_that_runs_is_played_and_paid_and_no_other_begins(
        self, make_table, make_player
    ):
        players = [make_player(), make_player()]
        table = start_match(make_table(), *players)
        maintenance()
        drop(table)
        # R7.2: 20 points of a chip, less a tenth.
        stacks = sorted(chips_of(player) for player in players)
        assert stacks == [10_000 - BUY_IN] * 2
        assert Match.objects.get().status == MatchStatus.FINISHED
        for _ in range(3):
            step = require(let_time_pass(table))
            assert [event["kind"] for event in step.events] == ["resting"]
        assert (reload(table).status, Match.objects.count()) == (TableStatus.BETWEEN, 1)
        assert table.due_at > timezone.now() + timedelta(seconds=50)

    def test_afterwards_it_begins_by_itself(self, make_table, make_player):
        row = maintenance()
        SiteNotice.objects.update(play_stops_at=timezone.now() + HOUR)
        table = make_table()
        seat_all(table, make_player(), make_player())
        SiteNotice.objects.update(play_stops_at=timezone.now() - HOUR)
        let_time_pass(table)
        assert not Match.objects.exists()
        SiteNotice.objects.filter(pk=row.pk).update(shown_until=timezone.now())
        let_time_pass(table)
        assert Match.objects.get().status == MatchStatus.RUNNING

    def test_nobody_sits_down_or_waits_and_whoever_sits_may_leave(self, make_table, make_player):
        table, player, other = make_table(), make_player(), make_player()
        seat_all(table, player)
        maintenance()
        for attempt in (
            lambda: take_seat(table_id=table.pk, user_id=other.pk, amount=BUY_IN),
            lambda: join_queue(table_id=table.pk, user_id=other.pk),
        ):
            with pytest.raises(PlayRests):
                attempt()
        assert Seat.objects.filter(left_at=None).count() == 1
        leave(table, player)
        assert [chips_of(one) for one in (player, other)] == [10_000] * 2

    def test_a_match_that_begins_before_tells_from_when_on(self, make_table, make_player):
        stops = timezone.now() + HOUR
        announce(stops=stops)
        table = make_table()
        seat_all(table, make_player(), make_player())
        step = require(let_time_pass(table))
        told = [event for event in step.events if event["kind"] == "rest_announced"]
        assert told == [{"kind": "rest_announced", "at": round(stops.timestamp() * 1000)}]
        stored = table.changes.latest("version").events
        assert stored[-1] == told[0]

    def test_who_leaves_meanwhile_ends_the_waiting(self, make_table, make_player):
        players = [make_player(), make_player()]
        table = make_table()
        seat_all(table, *players)
        maintenance()
        let_time_pass(table)
        leave(table, players[0])
        assert (reload(table).status, table.due_at) == (TableStatus.WAITING, None)
        assert act_on_table(table.pk) is None


class TestTournaments:
    def test_one_that_runs_is_played_to_its_end(self, make_tournament_of, make_player):
        cup = make_tournament_of()
        players = [make_player(), make_player()]
        enter(cup, *players)
        begin(cup)
        maintenance()
        play_to_the_end(cup)
        assert reload(cup).status == Status.FINISHED
        assert sum(map(chips_of, players)) == 20_000 - 20

    def test_none_begins_before_the_end_of_the_maintenance(self, make_tournament_of, make_player):
        cup = make_tournament_of()
        enter(cup, make_player(), make_player())
        maintenance()
        type(cup).objects.filter(pk=cup.pk).update(starts_at=timezone.now(), due_at=timezone.now())
        tick()
        assert reload(cup).status == Status.REGISTERING
        assert not Table.objects.exclude(event_url="").exists()
        SiteNotice.objects.update(shown_until=timezone.now())
        tick()
        assert reload(cup).status == Status.PLAYING
