"""The monthly publication of anonymous deals."""

import gzip
import json
import os
from datetime import timedelta

import pytest
from django.core.files.storage import storages
from django.urls import reverse
from django.utils import timezone
from jsonschema_rs import Draft202012Validator

from config.api.deal_schemas import build_open_schema, build_record_schema, render_text
from core.database.leases import Job, lease
from games.registry import GAMES
from history import open_data
from history.open_data import list_months, publish_last_month
from history.records import deal_record
from tables.models import Match, MatchStatus, Table
from tests.given import require
from tests.programs import ROOT
from tests.tables.driving import end_match, play_to_the_end, start_match

pytestmark = pytest.mark.django_db
SAMPLE = ROOT / "docs/open-data-sample.jsonl"
LATER = timezone.now().replace(year=2027, month=2, day=9)
JANUARY = LATER - timedelta(days=20)
IDENTIFYING = {
    *("player", "user", "name", "sitting", "at", "at_ms", "due_at", "seed", "commitment"),
}


@pytest.fixture(autouse=True)
def _site(settings, private, monkeypatch):
    """Publish the data as soon as two players are in it."""
    settings.OPEN_DATA = True
    monkeypatch.setattr(open_data, "LEAST_PLAYERS", 2)
    storages.__dict__.pop("backends", None)


def find_faults(deal, schema):
    return [error.message for error in Draft202012Validator(schema).iter_errors(deal)]


# Presets of one deal for games whose first preset has several deals.
ONE_DEAL = {"contract": "single"}


@pytest.fixture
def played(make_player, make_table):
    """Return a function that plays a match dated to January. The players drop, unless `to_the_end`."""

    def play(*, to_the_end=False, **terms):
        table = start_match(make_table(**terms), make_player(), make_player())
        match = play_to_the_end(table) if to_the_end else end_match(table)
        Match.objects.filter(pk=match.pk).update(started_at=JANUARY)
        return match

    return play


def read_lines(client):
    answer = client.get(reverse("open_data_month", args=["2027-01"]))
    assert answer.status_code == 200
    return [json.loads(line) for line in gzip.decompress(answer.content).splitlines()]


def walk(value):
    """Yield every key and every plain value of nested data."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield name
            yield from walk(part)
    elif isinstance(value, list):
        for part in value:
            yield from walk(part)
    else:
        yield value


@pytest.mark.parametrize("game", GAMES)
def test_a_published_deal_has_cards_and_moves_but_no_names(client, played, game):
    preset = ONE_DEAL.get(game, GAMES[game].formats[0].presets[0])
    match = played(to_the_end=True, game=game, preset=preset)
    assert publish_last_month(LATER)
    deals = read_lines(client)
    assert [deal["deal"] for deal in deals] == list(range(1, match.deals.count() + 1))
    for deal in deals:
        assert find_faults(deal, build_open_schema()) == []
        record = require(deal_record(match_id=match.pk, number=deal["deal"]))
        assert find_faults(record, build_record_schema()) == []
        assert find_faults(record, build_open_schema()) != []
        assert (deal["game"], deal["day"], deal["match"]) == (game, "2027-01-20", 1)
        assert deal["players"] == {"0": "person", "1": "person"}
        assert deal["hands"]
        assert any("move" in step for step in deal["steps"])
        told = set(map(str, walk({**deal, "rules": {}})))  # the rules have a name
        assert told & IDENTIFYING == set()
        secrets = {match.table.name, *(player["name"] for player in match.players.values())}
        assert not told & secrets
        assert not [one for one in walk(deal) if isinstance(one, int) and one > 10**10]


def test_the_sample_of_a_month_is_as_the_site_publishes(client, played):
    """`SAMPLE=renew bin/test pytest tests/history/test_open_data.py -k sample` plays the sample again."""
    if os.environ.get("SAMPLE") == "renew":
        for game in GAMES:
            preset = ONE_DEAL.get(game, GAMES[game].formats[0].presets[0])
            played(to_the_end=True, game=game, preset=preset)
        assert publish_last_month(LATER)
        SAMPLE.write_text("".join(f"{json.dumps(deal)}\n" for deal in read_lines(client)))
    deals = [json.loads(line) for line in SAMPLE.read_text().splitlines()]
    assert {deal["game"] for deal in deals} == {*GAMES}
    for deal in deals:
        assert find_faults(deal, build_open_schema()) == []
    assert SAMPLE.stat().st_size < 200_000


@pytest.mark.parametrize(("kind", "name"), [("record", "deal-record"), ("open", "open-data")])
def test_the_published_schema_is_current(kind, name):
    """`SAMPLE=renew bin/test pytest tests/history/test_open_data.py -k schema` writes the schema."""
    published = ROOT / f"docs/{name}.schema.json"
    if os.environ.get("SAMPLE") == "renew":
        published.write_text(render_text(kind))
    assert published.read_text() == render_text(kind)


@pytest.mark.parametrize(
    "kept_apart",
    [
        {"invite_code": "mango7"},
        {"event_url": "/tournaments/1/"},
        {"is_lesson": True},
        {"currency": "INR"},
    ],
)
def test_only_public_matches_for_chips_are_published(client, played, kept_apart):
    public, other = played(), played()
    Table.objects.filter(pk=other.table_id).update(**kept_apart)
    assert publish_last_month(LATER)
    assert len(read_lines(client)) == public.deals.count()


def test_other_months_and_cancelled_matches_are_not_published(client, played):
    public, earlier, cancelled = played(), played(), played()
    Match.objects.filter(pk=earlier.pk).update(started_at=JANUARY - timedelta(days=31))
    Match.objects.filter(pk=cancelled.pk).update(status=MatchStatus.CANCELLED)
    assert publish_last_month(LATER)
    assert len(read_lines(client)) == public.deals.count()


def test_a_month_is_published_once_after_its_matches_have_ended(played):
    played()
    assert not publish_last_month(LATER.replace(day=3))
    with lease(Job.PUBLISHING_DEALS):
        assert not publish_last_month(LATER)
    assert list_months() == []
    assert publish_last_month(LATER)
    assert not publish_last_month(LATER)
    assert list_months() == ["2027-01"]


def test_a_month_of_few_players_is_not_published(played, monkeypatch):
    monkeypatch.setattr(open_data, "LEAST_PLAYERS", 3)
    played()
    assert not publish_last_month(LATER)
    assert list_months() == []
    played()  # two more
    assert publish_last_month(LATER)


def test_no_more_than_a_number_of_deals_is_published(client, played, monkeypatch):
    monkeypatch.setattr(open_data, "MOST_DEALS", 1)
    played(), played()
    assert publish_last_month(LATER)
    assert len(read_lines(client)) == 1


def test_the_page_lists_the_published_months(client, played, settings):
    played()
    page, file = reverse("open_data"), reverse("open_data_month", args=["2027-01"])
    assert "has not published" in client.get(page).text
    publish_last_month(LATER)
    text = client.get(page).text
    assert f'href="{file}"' in text
    assert "January 2027" in text
    settings.OPEN_DATA = False
    assert file not in client.get(page).text
    assert client.get(file).status_code == 404
    assert not publish_last_month(LATER + timedelta(days=28))


@pytest.mark.parametrize("month", ["2026-12", "..", "x"])
def test_only_published_months_can_be_downloaded(client, month):
    assert client.get(f"/open-data/{month}.jsonl.gz").status_code == 404
