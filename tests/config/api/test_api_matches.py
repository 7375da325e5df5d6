"""The REST API for matches and leaderboards."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import Scope
from history.analysing import ask_for_analysis
from players.models import LeaderboardPlace
from tables.live.clock import act_on_table
from tables.models import Match, Table
from tests.api_program import Program, person, refusal
from tests.given import require
from tests.tables.driving import drop, play_short_match, start_match

pytestmark = pytest.mark.django_db


def test_a_match_is_shown_with_its_deals(table, asha):
    start_match(table, asha, person("Binod"))
    loser = drop(table)
    winner = 1 - loser
    match, program = Match.objects.get(), Program(asha, Scope.READ)
    record = program.get(f"matches/{match.pk}/deals/1/").json()
    assert record["format"] == "openrummy-deal-3"
    [listed] = program.get("matches/").json()["results"]
    assert listed["players"] == {"0": "Asha", "1": "Binod"}
    answer = program.get(f"matches/{match.pk}/").json()
    times = {name: answer.pop(name) for name in ("started_at", "ended_at")}
    assert None not in times.values()
    net = require(match.settlement)["net"]
    assert answer == {
        "id": match.pk,
        "table": "Peepal Room",
        "game": "indian",
        "table_id": table.pk,
        "title": "Points",
        "currency": "CHIPS",
        "status": "FINISHED",
        "players": {"0": "Asha", "1": "Binod"},
        "winners": [winner],
        "amounts": {str(loser): -20, str(winner): net},
        "ranks": {str(loser): 2, str(winner): 1},
        "points": {str(loser): 20, str(winner): 0},
        "deals": [
            {
                "number": 1,
                "commitment": match.deals.get().commitment,
                "points": {str(loser): 20, str(winner): 0},
                "winners": [winner],
            }
        ],
    }


def test_a_running_match_hides_the_running_deal(table, asha):
    start_match(table, asha, person("Binod"))
    match, program = Match.objects.get(), Program(asha)
    answer = program.get(f"matches/{match.pk}/").json()
    assert (answer["status"], answer["deals"], answer["amounts"]) == ("RUNNING", [], {})
    assert refusal(program.get(f"matches/{match.pk}/deals/1/")) == (404, "not_found")


def test_players_read_only_their_own_analysis_of_a_deal(table, asha):
    binod = person("Binod")
    match = play_short_match(table, asha, binod)
    path = f"matches/{match.pk}/deals/1/analysis/"
    assert refusal(Program(asha).get(path)) == (404, "not_found")
    ask_for_analysis(user_id=asha.pk, match=match, number=1)
    answer = Program(asha).get(path).json()
    assert answer.pop("asked_at")
    assert answer == {
        "state": "WAITING",
        "progress": 0,
        "decisions": 0,
        "lost": 0.0,
        "by_kind": {},
        "report": None,
    }
    assert refusal(Program(binod).get(path)) == (404, "not_found")


def test_other_peoples_matches_are_404_unless_of_a_tournament(table, asha):
    match = play_short_match(table, person("Binod"), person("Chand"))
    program = Program(asha)
    for path in (f"matches/{match.pk}/", f"matches/{match.pk}/deals/1/", "matches/999/"):
        assert refusal(program.get(path)) == (404, "not_found")
    assert program.get("matches/").json() == {"results": [], "next": None}
    Table.objects.filter(pk=table.pk).update(event_url="/tournaments/1/")
    assert program.get(f"matches/{match.pk}/").json()["id"] == match.pk
    assert program.get(f"matches/{match.pk}/deals/1/").status_code == 200


def test_matches_are_paged_and_filtered(table, asha, monkeypatch):
    monkeypatch.setattr("history.api.MATCHES_ON_A_PAGE", 2)
    binod = person("Binod")
    start_match(table, asha, binod)
    for _ in range(2):
        drop(table)
        # The next match begins by itself.
        Table.objects.filter(pk=table.pk).update(deadline_at=timezone.now())
        act_on_table(table.pk)
    drop(table)
    newest, middle, oldest = Match.objects.order_by("-pk").values_list("pk", flat=True)
    program = Program(asha)
    first = program.get("matches/").json()
    assert ([row["id"] for row in first["results"]], first["next"]) == ([newest, middle], middle)
    second = program.get("matches/", cursor=first["next"]).json()
    assert ([row["id"] for row in second["results"]], second["next"]) == ([oldest], None)
    assert program.get("matches/", format="POOL").json()["results"] == []
    assert program.get("matches/", currency="INR").json()["results"] == []
    assert len(program.get("matches/", format="POINTS", currency="CHIPS").json()["results"]) == 2
    wrong = program.get("matches/", cursor="x", format="CHESS", currency="USD")
    assert set(wrong.json()["fields"]) == {"cursor", "format", "currency"}


def put_on_a_board(place, user, value):
    LeaderboardPlace.objects.create(
        game="indian",
        board="CHIPS",
        format="POINTS",
        period="DAY",
        place=place,
        user=user,
        value=value,
        matches=7,
        drawn_at=timezone.now() - timedelta(minutes=1),
    )


def test_a_leaderboard_has_the_players_own_line(asha):
    binod = person("Binod")
    put_on_a_board(1, binod, 900)
    put_on_a_board(60, asha, 5)
    chosen = {"board": "CHIPS", "format": "POINTS", "period": "DAY"}
    answer = Program(asha, Scope.READ).get("leaderboards/", **chosen).json()
    assert answer.pop("drawn_at") is not None
    best = {"place": 1, "player": binod.pk, "name": "Binod", "value": 900, "matches": 7}
    own = {"place": 60, "player": asha.pk, "name": "Asha", "value": 5, "matches": 7}
    assert answer == {"results": [best], "own": own}
    assert Program(binod).get("leaderboards/", **chosen).json()["own"] is None


def test_an_empty_leaderboard_is_shown_and_an_unknown_one_refused(asha):
    program = Program(asha)
    empty: dict[str, Any] = {"results": [], "own": None, "drawn_at": None}
    assert program.get("leaderboards/").json() == empty
    answer = program.get("leaderboards/", board="LUCK", period="YEAR")
    assert refusal(answer) == (400, "invalid")
    assert set(answer.json()["fields"]) == {"board", "period"}
