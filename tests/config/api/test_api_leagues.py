"""The REST API for leagues."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Scope
from tests.api_program import Browser, Program, person, refusal
from tests.tournaments.leagues_driving import make_league, make_table, play
from tournaments.leagues import reading
from tournaments.leagues.settling import cancel_league, disqualify_from_league
from tournaments.leagues.ticking import act_on_league
from tournaments.models import League, LeaguePlace

pytestmark = pytest.mark.django_db


@pytest.fixture
def three():
    return [person(name) for name in ("Asha", "Binod", "Chand")]


def ids(answer):
    return [row["id"] for row in answer.json()["results"]]


def test_a_league_shows_its_rules_and_prizes(three):
    league = make_league(pool=1_000, least_stake=2, words={"hi": {"name": "कमल सप्ताह"}})
    program = Program(three[0], Scope.READ)
    found = program.get(f"leagues/{league.pk}/").json()
    assert (found["id"], found["name"]) == (league.pk, "Week of the Lotus")
    assert (found["phase"], found["game"], found["format"]) == ("running", "indian", "POINTS")
    assert (found["least_stake"], found["counted"], found["meetings"]) == (2, 20, 3)
    assert (found["for_beating"], found["for_equal"], found["currency"]) == (2, 1, "CHIPS")
    prizes = found["prizes"]
    assert sum((p["last"] - p["first"] + 1) * p["amount"] for p in prizes) == found["pool"] == 1_000
    assert prizes[0] == {"first": 1, "last": 1, "amount": 500}
    address = f"/api/v1/leagues/{league.pk}/"
    hindi = program.client.get(address, headers={"Accept-Language": "hi"})
    assert hindi.json()["name"] == "कमल सप्ताह"


def test_standings_are_the_last_drawn_with_the_players_own(three):
    league = make_league()
    program, address = Program(three[1]), f"leagues/{league.pk}/standings/"
    before = program.get(address).json()
    assert before == {"results": [], "own": None, "players": 0, "drawn_at": None, "next": None}
    play(make_table(), *three)
    act_on_league(league.pk)
    now = program.get(address).json()
    assert [(row["rank"], row["name"], row["points"]) for row in now["results"]] == [
        (1, "Asha", 4),
        (2, "Binod", 2),
    ]
    assert now["own"] == now["results"][1]
    assert now["own"]["matches"] == 1
    assert (now["players"], now["next"], now["drawn_at"] is None) == (2, None, False)
    assert Program(three[2]).get(address).json()["own"] is None


def test_a_disqualified_player_sees_only_their_own_unranked_line(three):
    league = make_league()
    play(make_table(), *three)
    act_on_league(league.pk)
    disqualify_from_league(league_id=league.pk, user_id=three[0].pk, now=timezone.now())
    standings = Program(three[0]).get(f"leagues/{league.pk}/standings/").json()
    assert (standings["own"]["rank"], standings["own"]["points"]) == (None, 4)
    assert [row["name"] for row in standings["results"]] == ["Binod"]


def test_standings_are_paged(three, monkeypatch):
    monkeypatch.setattr(reading, "PLACES_ON_A_PAGE", 2)
    league = make_league()
    for number, user in enumerate(three, start=1):
        LeaguePlace.objects.create(
            league=league, user=user, points=9 - number, matches=1, place=number, rank=number
        )
    program, address = Program(three[2]), f"leagues/{league.pk}/standings/"
    first = program.get(address).json()
    assert ([row["name"] for row in first["results"]], first["next"]) == (["Asha", "Binod"], 2)
    assert first["own"]["name"] == "Chand"
    second = program.get(address, cursor=2).json()
    assert ([row["name"] for row in second["results"]], second["next"]) == (["Chand"], None)
    for page in ("0", "-1", "x", str(2**70)):
        assert refusal(program.get(address, cursor=page)) == (400, "invalid")


def test_leagues_are_paged_by_phase(three, monkeypatch):
    monkeypatch.setattr(reading, "LEAGUES_ON_A_PAGE", 2)
    now = timezone.now()
    days = (3, 1, 2, 2)
    open_ones = [make_league(ends_at=now + timedelta(days=day)).pk for day in days]
    soonest_first = [open_ones[1], open_ones[2], open_ones[3], open_ones[0]]
    over = [make_league(ends_at=now + timedelta(days=day)).pk for day in days]
    for number, pk in enumerate(over):
        if number % 2:
            cancel_league(league_id=pk, now=now, reason="Rain.")
    League.objects.filter(pk__in=over[::2]).update(settled_at=now)
    newest_first = [over[0], over[3], over[2], over[1]]
    program = Program(three[0])
    for phase, expected in (("open", soonest_first), ("over", newest_first)):
        first = program.get("leagues/", phase=phase)
        assert ids(first) == expected[:2]
        assert first.json()["next"] == expected[1]
        second = program.get("leagues/", phase=phase, cursor=expected[1])
        assert (ids(second), second.json()["next"]) == (expected[2:], None)
        assert ids(program.get("leagues/", phase=phase, cursor=999_999)) == []
    latest = program.get("leagues/", phase="over").json()["results"]
    assert {row["id"]: row["phase"] for row in latest} == {over[0]: "over", over[3]: "cancelled"}
    assert ids(program.get("leagues/")) == soonest_first[:2]
    assert program.get("leagues/", phase="mine").status_code == 400


@pytest.mark.parametrize(
    ("starts", "ends", "phase"),
    [(1, 2, "coming"), (-1, 1, "running"), (-3, -1, "counting")],
)
def test_a_league_names_its_phase(three, starts, ends, phase):
    now = timezone.now()
    league = make_league(
        starts_at=now + timedelta(hours=starts), ends_at=now + timedelta(hours=ends)
    )
    assert Program(three[0]).get(f"leagues/{league.pk}/").json()["phase"] == phase


def test_cash_leagues_are_404_when_cash_is_off(three, settings):
    league = make_league(currency="INR")
    program = Program(three[0])
    addresses = (f"leagues/{league.pk}/", f"leagues/{league.pk}/standings/")
    assert [program.get(address).status_code for address in addresses] == [200, 200]
    assert ids(program.get("leagues/")) == [league.pk]
    settings.CASH_PLAY = "off"
    for address in (*addresses, "leagues/999/", "leagues/999/standings/"):
        assert refusal(program.get(address)) == (404, "not_found")
    assert ids(program.get("leagues/")) == []


def test_leagues_need_the_right_to_read_or_a_session(three):
    league = make_league()
    for address in ("leagues/", f"leagues/{league.pk}/", f"leagues/{league.pk}/standings/"):
        assert Browser(three[0]).get(address).status_code == 200
        assert Program(three[0], Scope.PLAY).get(address).status_code == 403
        assert Program(three[0]).post(address).status_code == 405
        assert Client().get(f"/api/v1/{address}").status_code == 401
