"""Calendars, feeds and link previews, read with the libraries that their consumers use."""

import json
from datetime import UTC, datetime, time, timedelta
from typing import Any
from urllib.parse import quote

import feedparser  # type: ignore[import-untyped]
import icalendar  # type: ignore[import-untyped]
import micawber  # type: ignore[import-untyped]
import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from core.values.calendars import CalendarEvent, write_calendar
from history.puzzles.making import make_starting_puzzles
from history.replay import share_match, withdraw_link
from players.clubs.calendar import WEEKS, build_calendar_address
from players.clubs.evenings import set_evening
from players.clubs.services import leave
from tests.e2e.world import (
    list_puzzles_of_kinds,
    make_club,
    make_player,
    make_tournaments,
    play_a_match,
)
from tests.given import reload, require
from tests.tournaments.driving import play_to_the_end
from tests.tournaments.friends import open_cup
from wallet import api as wallet

NOW = datetime(2026, 11, 27, 12, 0, tzinfo=UTC)


@pytest.fixture
def nila(db):
    wallet.set_starting_fees(valid_from=timezone.now())
    return make_player("Nila")


@pytest.fixture
def ravi(nila):
    return make_player("Ravi")


@pytest.fixture
def club(nila, ravi):
    """Nila's club, of which Ravi is a member."""
    return make_club(nila, ravi)


@pytest.fixture
def tournaments(nila):
    """A tournament that waits for players and one that is running."""
    return make_tournaments(nila, make_player("Meera"))


@pytest.fixture
def match(nila, ravi):
    return play_a_match(nila, ravi)


@pytest.fixture
def shared(match, nila):
    """The path of the public link to the match."""
    link = require(share_match(match_id=match.pk, user_id=nila.pk))
    return reverse("shared_match", args=[link.token])


@pytest.fixture
def puzzle(db):
    make_starting_puzzles()
    return f"/puzzles/{list_puzzles_of_kinds()[0]}/"


@pytest.fixture(autouse=True)
def _address(settings):
    settings.SITE_URL = "http://testserver"


def read_events(text):
    return list(icalendar.Calendar.from_ical(text).walk("VEVENT"))


def test_a_calendar_says_whole_names_and_times_of_any_zone():
    title = "मानसून कप, " * 12 + "final; \\ round\r\nBEGIN:VEVENT"
    begins_at = datetime.fromisoformat("2026-11-27T20:00:00+05:30")
    event = CalendarEvent(
        "u@x", title, begins_at, timedelta(hours=1), "https://x.example/1", is_cancelled=True
    )
    text = write_calendar("Cups; all", [event], now=NOW)
    assert max(len(line.encode()) for line in text.split("\r\n")) <= 75
    [read] = read_events(text)
    assert str(read["SUMMARY"]) == " ".join(title.splitlines())
    assert read["DTSTART"].dt == begins_at
    assert read["DTEND"].dt == begins_at + timedelta(hours=1)
    assert (str(read["UID"]), str(read["STATUS"])) == ("u@x", "CANCELLED")


def test_calendars_show_the_public_tournaments_to_come(nila, tournaments, client):
    registering, _running = tournaments
    hidden = open_cup(nila)
    answer = client.get(reverse("tournaments:calendar"))
    # If the encoding is not declared, some programs guess a wrong one.
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    events = {str(event["UID"]): event for event in read_events(answer.content)}
    shown = events[f"tournament-{registering.pk}@testserver"]
    assert shown["DTSTART"].dt == registering.starts_at.replace(microsecond=0)
    assert str(shown["SUMMARY"]) == "Monsoon Cup"
    assert client.get(str(shown["URL"])).status_code == 200
    assert f"tournament-{hidden.pk}@testserver" not in events


def test_feed_readers_show_results_with_winners(tournaments, client):
    _registering, running = tournaments
    feed = feedparser.parse(client.get(reverse("tournaments:results")).content)
    assert (feed.bozo, feed.entries) == (False, [])
    ended = play_to_the_end(reload(running))
    answer = client.get(reverse("tournaments:results"))
    feed = feedparser.parse(answer.content)
    assert (feed.bozo, feed.version) == (False, "atom10")
    [entry] = feed.entries
    assert entry.title == "Monsoon Cup"
    # RFC 4287, 4.1.1: every feed names an author.
    assert feed.feed.author == "OpenRummy"
    winner = ended.entrants.get(rank=1).user.player_name
    assert entry.summary == winner
    ended_at = reload(ended).ended_at.astimezone(UTC)
    assert entry.updated_parsed[:6] == ended_at.timetuple()[:6]
    assert client.get(entry.link).status_code == 200


def set_friday(club, owner):
    day = timezone.localdate() + timedelta(days=3)
    terms: Any = {"at": time(20, 0), "kind": "indian:points", "seats": 4}
    set_evening(club_id=club.pk, user_id=owner.pk, first=day, **terms)
    return day


def test_members_subscribe_to_the_evenings_of_their_club(club, nila, ravi, client):
    day = set_friday(club, nila)
    address = build_calendar_address(club_id=club.pk, user_id=ravi.pk)
    events = read_events(client.get(address).content)
    with timezone.override(timezone.get_default_timezone()):
        begin = [timezone.localtime(event["DTSTART"].dt) for event in events]
    # Each week at the same local time in the site's zone.
    assert [moment.date() for moment in begin] == [
        day + timedelta(weeks=week) for week in range(WEEKS)
    ]
    assert {moment.time() for moment in begin} == {time(20, 0)}
    assert str(events[0]["SUMMARY"]).startswith("Neem Club: ")
    # The club's page shows the link.
    client.force_login(ravi, backend="django.contrib.auth.backends.ModelBackend")
    assert address.partition("?key=")[0] in client.get(f"/clubs/{club.pk}/").text


def test_a_frozen_member_reads_no_calendar(club, nila, ravi, client):
    set_friday(club, nila)
    address = build_calendar_address(club_id=club.pk, user_id=ravi.pk)
    User.objects.filter(pk=ravi.pk).update(is_active=False)
    assert client.get(address).status_code == 404


def test_a_calendar_of_a_club_ends_with_the_membership_and_needs_its_key(club, nila, ravi, client):
    set_friday(club, nila)
    address = build_calendar_address(club_id=club.pk, user_id=ravi.pk)
    path, _mark, key = address.partition("?key=")
    for wrong in ("", key[:-1], key.replace(key[0], "x", 1)):
        assert client.get(path, {"key": wrong}).status_code == 404
    other = reverse("clubs:calendar", args=[club.pk + 1])
    assert client.get(other, {"key": key}).status_code == 404
    assert client.get(path, {"key": key}).status_code == 200
    leave(club_id=club.pk, user_id=ravi.pk)
    assert client.get(path, {"key": key}).status_code == 404


def test_a_consumer_of_oembed_shows_replays_and_leads_to_puzzles(
    transactional_db, shared, puzzle, live_site, settings
):
    settings.SITE_URL = live_site
    provider = micawber.Provider(f"{live_site}/oembed", timeout=20)
    address = f"{live_site}{shared}"
    whole = provider.request(address, maxwidth=500, maxheight=400)
    assert (whole["type"], whole["width"], whole["height"]) == ("rich", 500, 400)
    assert f'src="{address}deals/1/embed/"' in whole["html"]
    deal = provider.request(f"{address}deals/1/")
    assert (deal["html"], deal["width"]) == (
        whole["html"].replace("500", "800").replace('height="400"', 'height="640"'),
        800,
    )
    link = provider.request(f"{live_site}{puzzle}")
    assert link["type"] == "link"
    assert link["title"]


def test_pages_name_their_embedding(shared, client):
    asked = quote(f"http://testserver{shared}", safe="")
    text = client.get(shared).text
    assert f"http://testserver/oembed?url={asked}" in text
    answer = client.get(f"/oembed?url={asked}")
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert json.loads(answer.content)["provider_name"]


def test_nothing_else_is_embedded(puzzle, client):
    wrong = (
        "",
        "http://testserver/",
        "http://testserver/puzzles/999999/",
        "http://testserver/shared/none/",
        f"https://evil.example{puzzle}",
        "javascript:alert(1)",
        "http://[/",
        "//testserver/wallet/",
    )
    answers = {url: client.get("/oembed", {"url": url}).status_code for url in wrong}
    assert answers == dict.fromkeys(wrong, 404)


def test_a_withdrawn_link_is_embedded_no_more(match, shared, nila, client):
    url = f"http://testserver{shared}"
    assert client.get("/oembed", {"url": f"{url}deals/9/"}).status_code == 404
    assert client.get("/oembed", {"url": url, "format": "xml"}).status_code == 501
    withdraw_link(match_id=match.pk, user_id=nila.pk)
    assert client.get("/oembed", {"url": url}).status_code == 404


def test_networks_may_fetch_what_was_shared(client, db):
    """robots.txt must not block shared pages, as networks read their previews there. The page itself says noindex."""
    assert "/shared/" not in client.get("/robots.txt").text
