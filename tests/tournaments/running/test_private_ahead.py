"""A friends' tournament opened days ahead: its name, its own rules, and changes before the start."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from core.models import OutgoingEmail
from core.refusals import Refusal
from tables.models import HostBounds, Table
from tests.barring import exclude
from tests.given import reload
from tests.refusals import refused
from tests.tournaments.browsing import read_page, sign_in
from tests.tournaments.driving import (
    assert_books_balance,
    bring_start,
    chips_of,
    play_to_the_end,
    pool_of,
    tick_and_reload,
)
from tests.tournaments.friends import join_cup, open_cup, start_cup
from tests.tournaments.running.test_private import FORM
from tournaments.models import EntrantState, Tournament
from tournaments.pages.private_form import PrivateForm, list_changeable_rules
from tournaments.refusals import START_OUT_OF_RANGE, TOURNAMENT_NAME_REFUSED
from tournaments.rules.lifecycle import LifecycleStatus
from tournaments.running.private import MOST_AHEAD, call_off_own
from tournaments.running.tick import tick
from tournaments.tasks import withdraw_barred

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("starting_fees")]
NOW = datetime(2026, 10, 20, 12, tzinfo=UTC)


def form_of(now=NOW, **changed):
    return PrivateForm({**FORM, **changed}, now=now)


def on_a_day(day, time, **changed):
    return form_of(minutes="0", day=day, time=time, **changed)


class TestItsTime:
    def test_minutes_count_from_now(self):
        form = form_of(minutes="10")
        assert form.is_valid(), form.errors
        assert form.terms().starts_at == NOW + timedelta(minutes=10)

    def test_a_day_and_a_time_are_those_of_the_site_without_a_script(self):
        form = on_a_day("2026-11-02", "20:30")
        assert form.is_valid(), form.errors
        assert form.terms().starts_at == datetime(2026, 11, 2, 15, 0, tzinfo=UTC)  # in Kolkata

    @pytest.mark.parametrize(
        ("zone", "day", "expected"),
        [
            # Before and after the clocks go back, the local time stays the same.
            ("Europe/Berlin", "2026-10-24", datetime(2026, 10, 24, 18, 30, tzinfo=UTC)),
            ("Europe/Berlin", "2026-10-26", datetime(2026, 10, 26, 19, 30, tzinfo=UTC)),
            ("Asia/Kolkata", "2026-10-26", datetime(2026, 10, 26, 15, 0, tzinfo=UTC)),
        ],
    )
    def test_a_browser_says_which_moment_it_means(self, zone, day, expected):
        wall = datetime.fromisoformat(f"{day}T20:30").replace(tzinfo=ZoneInfo(zone))
        form = on_a_day(day, "20:30", moment=str(round(wall.timestamp() * 1000)))
        assert form.is_valid(), form.errors
        assert form.terms().starts_at == expected

    @pytest.mark.parametrize("time_zone", ["Europe/Berlin"])
    def test_a_skipped_hour_of_the_site_is_the_one_after_it(self, settings, time_zone):
        settings.TIME_ZONE = time_zone
        with timezone.override(time_zone):
            spring = datetime(2027, 3, 20, tzinfo=UTC)
            form = PrivateForm(
                {**FORM, "minutes": "0", "day": "2027-03-28", "time": "02:30"}, now=spring
            )
            assert form.is_valid(), form.errors
            assert form.terms().starts_at == datetime(2027, 3, 28, 1, 30, tzinfo=UTC)

    @pytest.mark.parametrize(
        ("day", "time"),
        [
            ("2026-10-20", "17:29"),  # a minute ago
            ("2026-10-19", "20:00"),
            ("2026-11-17", "17:31"),  # a minute too far
            ("2027-10-20", "20:00"),
            ("", "20:00"),
            ("2026-11-02", ""),
            ("tomorrow", "20:00"),
            ("2026-02-30", "20:00"),
        ],
    )
    def test_other_times_are_refused(self, day, time):
        form = on_a_day(day, time)
        assert not form.is_valid()
        assert set(form.errors) == {"day"} or set(form.errors) == {"time"}

    @pytest.mark.parametrize("moment", ["-1", "9" * 15, "x", "1e3"])
    def test_moments_that_are_no_dates_are_refused(self, moment):
        assert not on_a_day("2026-11-02", "20:00", moment=moment).is_valid()

    def test_the_last_minute_of_four_weeks_is_one(self):
        form = on_a_day("2026-11-17", "17:30")
        assert form.is_valid(), form.errors
        assert form.terms().starts_at == NOW + MOST_AHEAD

    @pytest.mark.parametrize("away", [timedelta(0), timedelta(seconds=-1), MOST_AHEAD * 1.01])
    def test_the_service_refuses_them_too(self, make_player, away):
        host = make_player()
        with refused(START_OUT_OF_RANGE):
            open_cup(host, starts_at=timezone.now() + away)
        assert (Tournament.objects.count(), chips_of(host)) == (0, 10_000)

    def test_it_begins_by_the_clock_after_weeks(self, make_player):
        host, friend = make_player(), make_player()
        cup = open_cup(host, friend, starts_at=timezone.now() + timedelta(days=27))
        assert tick_and_reload(cup).status == LifecycleStatus.REGISTERING
        assert cup.due_at == cup.starts_at
        bring_start(cup)
        assert tick_and_reload(cup).status == LifecycleStatus.PLAYING


class TestItsName:
    def test_it_is_the_hosts(self, client, make_player):
        host = make_player()
        sign_in(client, host)
        client.post("/tournaments/new/", {**FORM, "name": "  Diwali   Cup "})
        cup = Tournament.objects.get()
        assert (cup.name, cup.words) == ("Diwali Cup", {})
        assert "<h1>Diwali Cup</h1>" in read_page(client, cup.get_absolute_url())

    def test_without_one_it_is_said_in_each_readers_language(self, make_player):
        cup = open_cup(make_player())
        assert (cup.name, cup.said("name", "hi")) == (
            "Tournament of friends",
            "दोस्तों का टूर्नामेंट",
        )

    @pytest.mark.parametrize(
        "name", ["ab", "a" * 21, "OpenRummy", "Admin", "<b>Cup</b>", "a\u202eb"]
    )
    def test_names_that_mislead_are_refused(self, client, make_player, name):
        host = make_player()
        sign_in(client, host)
        assert client.post("/tournaments/new/", {**FORM, "name": name}).status_code == 200
        with refused(TOURNAMENT_NAME_REFUSED):
            open_cup(host, name=name)
        assert (Tournament.objects.count(), chips_of(host)) == (0, 10_000)


class TestItsRules:
    def test_they_are_played(self, make_player, client):
        host = make_player()
        sign_in(client, host)
        client.post("/tournaments/new/", {**FORM, "rule_wrong_declaration_points": "60"})
        cup = Tournament.objects.get()
        assert cup.rule_changes == {"wrong_declaration_points": 60}
        for _ in range(2):
            join_cup(cup, make_player(), cup.invite_code)
        start_cup(cup)
        rules = Table.objects.get(event_url=cup.get_absolute_url()).rules
        assert rules["wrong_declaration_points"] == 60
        assert cup.own_rules
        play_to_the_end(cup)
        assert (cup.status, assert_books_balance(cup)) == (LifecycleStatus.FINISHED, None)

    def test_what_every_tournament_decides_is_not_offered(self):
        deals = list_changeable_rules("indian", "deals2")
        assert "deals" not in deals
        assert "wrong_declaration_points" in deals
        pool = list_changeable_rules("indian", "pool61")
        assert not {"rejoin_score", "split"} & set(pool)

    def test_the_operators_bounds_of_hosts_hold(self, make_player, client):
        HostBounds.objects.create(game="indian", names=["max_points"])
        assert list_changeable_rules("indian", "deals2") == ["max_points"]
        sign_in(client, make_player())
        client.post("/tournaments/new/", {**FORM, "rule_wrong_declaration_points": "60"})
        assert Tournament.objects.get().rule_changes == {}

    @pytest.mark.parametrize(
        "wrong",
        [
            {"rule_wrong_declaration_points": "x"},
            {"rule_wrong_declaration_points": "-4"},
            {"rule_turn_seconds": "86400"},
        ],
    )
    def test_rules_that_cannot_be_played_are_refused(self, make_player, client, wrong):
        host = make_player()
        sign_in(client, host)
        assert client.post("/tournaments/new/", {**FORM, **wrong}).status_code == 200
        assert (Tournament.objects.count(), chips_of(host)) == (0, 10_000)

    def test_a_look_shows_the_chosen_games_rules_and_opens_nothing(self, make_player, client):
        sign_in(client, make_player())
        sent = {**FORM, "game": "indian:pool101", "look": "1", "name": "Diwali Cup", "most": "x"}
        whole = client.post("/tournaments/new/", sent).content.decode()
        assert 'value="Diwali Cup"' in whole
        answer = client.post("/tournaments/new/", sent, HTTP_HX_REQUEST="true")
        body = answer.content.decode()
        # The form is refreshed only in the fields that depend on the game and the kind.
        assert "<html" not in body
        assert 'name="name"' not in body
        assert 'name="rule_wrong_declaration_points"' in body
        assert 'name="rule_rejoin_score"' not in body
        assert '<select name="deals"' not in body
        assert "errorlist" not in whole + body
        assert not Tournament.objects.exists()

    def test_rules_that_are_dropped_before_the_start_cancel_it(self, make_player, client):
        host, friend = make_player(), make_player()
        cup = open_cup(host, friend)
        Tournament.objects.update(preset="gone")
        sign_in(client, friend)
        # Its page and its card can still be read.
        assert client.get(cup.get_absolute_url()).status_code == 200
        assert client.get("/tournaments/mine/").status_code == 200
        bring_start(cup)
        cup = tick_and_reload(cup)
        assert (cup.status, cup.broken_at) == (LifecycleStatus.CANCELLED, None)
        tick()
        assert (chips_of(host), chips_of(friend), pool_of(cup)) == (10_000, 10_000, 0)
        told = OutgoingEmail.objects.get(user=friend).text
        assert "Its rules are no longer offered here." in told
        assert_books_balance(cup)


class TestUntilItsStart:
    def test_an_excluded_host_is_refunded_and_the_others_play(self, make_player):
        host, *friends = (make_player() for _ in range(4))
        cup = open_cup(host, *friends, starts_at=timezone.now() + timedelta(days=3))
        exclude(host)
        withdraw_barred()
        assert cup.entrants.get(user=host).state == EntrantState.WITHDRAWN
        assert (chips_of(host), reload(cup).seats_taken) == (10_000, 3)
        bring_start(cup)
        cup = tick_and_reload(cup)
        assert cup.status == LifecycleStatus.PLAYING
        play_to_the_end(cup)
        assert_books_balance(cup)

    def test_a_host_who_withdraws_may_still_call_it_off(self, make_player, client):
        host, friend = make_player(), make_player()
        cup = open_cup(host, friend)
        sign_in(client, host)
        client.post(f"{cup.get_absolute_url()}withdraw/")
        assert (chips_of(host), reload(cup).seats_taken) == (10_000, 1)
        assert "Call it off" in read_page(client, cup.get_absolute_url())
        call_off_own(tournament_id=cup.pk, user_id=host.pk, now=timezone.now())
        tick()
        assert (chips_of(friend), pool_of(cup)) == (10_000, 0)

    def test_nobody_came_so_the_host_is_refunded_and_told(self, make_player):
        host = make_player()
        cup = open_cup(host, starts_at=timezone.now() + timedelta(days=20))
        bring_start(cup)
        cup = tick_and_reload(cup)
        assert cup.status == LifecycleStatus.CANCELLED
        assert (chips_of(host), pool_of(cup)) == (10_000, 0)
        told = OutgoingEmail.objects.get(user=host).text
        assert "Fewer than 2 players had registered." in told
        assert "Refunded to your wallet: 200 chips." in told

    def test_a_host_without_the_fee_opens_none_ahead(self, make_player):
        with pytest.raises(Refusal):
            open_cup(make_player(chips=False), starts_at=timezone.now() + timedelta(days=3))
        assert not Tournament.objects.exists()


def test_the_invitation_goes_by_link_share_sheet_whatsapp_and_code(make_player, client):
    host = make_player()
    cup = open_cup(host, name="Diwali Cup")
    sign_in(client, host)
    body = read_page(client, cup.get_absolute_url())
    part = body.split('data-region="private"')[1].split("</section>")[0]
    for way in ('data-invite="share"', 'data-invite="copy"', "https://wa.me/?text=", "<svg"):
        assert way in part
    assert cup.invite_code in part.split("https://wa.me/?text=")[1]
    assert "Diwali%20Cup" in part
