"""Analyses of deals: permissions, daily limits and failed jobs."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.analysis.judging import Effort
from games.gin.lab.analysis.report import EFFORT, GinAnalysis
from games.indian.lab.analysis.report import ANALYSIS, IndianAnalysis
from history import analysing
from history.analysing import (
    ANALYSES_A_DAY,
    MATCH_IS_RUNNING,
    NOTHING_TO_ANALYSE,
    AnalysesUsedUp,
    analyse_waiting,
    ask_for_analysis,
)
from history.mistakes import compute_accuracy, own_profile
from history.models import AnalysisState, SeatAnalysis
from history.records import deal_record
from history.tasks import analyse_deals
from tests.refusals import refused
from tests.tables.analysing import analyse_by, store_analysis
from tests.tables.driving import (
    act,
    end_match,
    get_match,
    hand_of,
    play_a_turn,
    play_to_the_end,
    player_at,
    start_match,
)
from tests.tables.gin_deals import play_to_knock

# This is the request of the script beside a replay.
PART = {"HX-Request": "true"}
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _quickly(monkeypatch):
    """Analyse with only a few playouts, to save time."""
    analyse_by(monkeypatch, "indian", IndianAnalysis(effort=Effort().scale(0.01)))
    cache.clear()


@pytest.fixture
def finished(players, make_table):
    """A finished deal of two with three turns each, its players, and a third player."""
    own, other, third, _fourth = players
    table = start_match(make_table(), own, other)
    for _ in range(6):
        play_a_turn(table)
    return end_match(table), (own, other), third


def ask(match, player, number=1):
    return ask_for_analysis(user_id=player.pk, match=match, number=number)


def test_a_requested_analysis_is_computed_by_the_job_and_stored(finished):
    match, (own, _other), _third = finished
    asked = ask(match, own)
    assert (asked.state, asked.report, asked.seat) == (AnalysisState.WAITING, None, 0)
    assert analyse_deals() == 1
    done: Any = SeatAnalysis.objects.get()
    assert (done.state, done.progress, done.version) == (AnalysisState.DONE, 100, ANALYSIS.version)
    assert done.decisions == len(done.report["decisions"]) > 0
    assert done.lost == pytest.approx(sum(d["loss"] for d in done.report["decisions"]))
    assert sum(done.by_kind.values()) == pytest.approx(done.lost, abs=0.05)
    assert analyse_deals() == 0
    assert ask(match, own) == done
    assert SeatAnalysis.objects.get().state == AnalysisState.DONE


def test_only_players_of_a_finished_deal_request_its_analysis(finished, make_table, client):
    match, players, third = finished
    for player, number in ((third, 1), (players[0], 2)):
        with refused(NOTHING_TO_ANALYSE):
            ask(match, player, number)
    running = start_match(make_table(), *players)
    with refused(MATCH_IS_RUNNING):
        ask(running.match, players[0])
    client.force_login(third)
    for method in (client.get, client.post):
        assert method(reverse("deal_analysis", args=[match.pk, 1])).status_code == 404
    assert not SeatAnalysis.objects.exists()


def test_each_players_analysis_is_of_their_own_decisions(finished):
    match, players, _third = finished
    for player in players:
        ask(match, player)
    assert analyse_waiting() == 2
    record: Any = deal_record(match_id=match.pk, number=1)
    analyses: Any = SeatAnalysis.objects.all()
    assert len(analyses) == 2
    for found in analyses:
        seats = {record["steps"][d["step"]]["seat"] for d in found.report["decisions"]}
        assert seats == {found.seat}


def test_a_match_of_gin_is_analysed(players, make_table, client, monkeypatch):
    analyse_by(monkeypatch, "gin", GinAnalysis(effort=EFFORT.scale(0.05)))
    table = start_match(make_table(game="gin"), *players[:2])
    _knocker, other = play_to_knock(table)
    own = player_at(table, other)
    # The player lays off none of the cards that they could.
    groups = hand_of(table, other)["best_groups"]
    assert act(table, other, kind="defend", groups=groups, lay_offs=[]).refusal is None
    match = get_match(table)
    ask(match, own)
    assert analyse_waiting() == 1
    done: Any = SeatAnalysis.objects.get()
    assert (done.state, done.game) == (AnalysisState.DONE, "gin")
    assert done.lost > 0
    client.force_login(own)
    page = client.get(reverse("deal_replay", args=[match.pk, 1])).text
    for words in (
        "What would have been better?",
        "Knocking with 10 or less",
        "what would you do?",
    ):
        assert words in page
    (profile,) = own_profile(own.pk)
    assert [line.title for line in profile.kinds][-1] == "Answers to knocks"


def test_the_analysis_of_rummikub_speaks_of_tiles(players, make_table, client):
    own = players[0]
    table = make_table(game="rummikub", preset="modern")
    match = play_to_the_end(start_match(table, *players[:2]), strength="easy")
    ask(match, own)
    assert analyse_waiting() == 1
    done: Any = SeatAnalysis.objects.get()
    assert (done.state, done.game) == (AnalysisState.DONE, "rummikub")
    assert set(done.by_kind) <= {"open", "lay"}
    assert done.lost > 0
    client.force_login(own)
    page = client.get(reverse("deal_replay", args=[match.pk, 1])).text
    assert "30 points to begin" in page
    assert "It would lie like this: " in page
    assert re.search(r'analysis__card--[SHDC]">1?\d[■●▲◆]<', page)
    assert "♥" not in page
    (profile,) = own_profile(own.pk)
    assert [line.title for line in profile.kinds] == ["First lays", "Lays"]


def test_a_refusal_over_the_daily_limit_names_the_next_time(finished):
    match, (own, _other), _third = finished
    now = timezone.now()
    for number in range(ANALYSES_A_DAY):
        SeatAnalysis.objects.create(
            match=match,
            deal=100 + number,
            seat=0,
            user=own,
            game="indian",
            asked_at=now - timedelta(hours=number + 1),
            deadline_at=now,
        )
    with pytest.raises(AnalysesUsedUp) as refused:
        ask(match, own)
    next_at = now - timedelta(hours=ANALYSES_A_DAY) + timedelta(days=1)
    assert refused.value.next_at == next_at
    assert f"{timezone.localtime(next_at):%H:%M} IST" in str(refused.value)
    assert SeatAnalysis.objects.count() == ANALYSES_A_DAY
    SeatAnalysis.objects.filter(deal=100).update(asked_at=now - timedelta(days=2))
    assert ask(match, own).state == AnalysisState.WAITING


def test_an_analysis_whose_job_died_can_be_requested_again(finished):
    match, (own, _other), _third = finished
    asked = ask(match, own)
    taken = analysing._take()
    assert taken is not None
    assert ask(match, own).state == AnalysisState.RUNNING
    assert analysing._take() is None
    SeatAnalysis.objects.update(deadline_at=timezone.now() - timedelta(seconds=1))
    again = ask(match, own)
    assert (again.pk, again.asked_at) == (asked.pk, asked.asked_at)
    assert again.state == AnalysisState.WAITING
    # The first job was slow: its result is ignored.
    analysing._compute(taken)
    assert SeatAnalysis.objects.get().state == AnalysisState.WAITING
    assert analyse_waiting() == 1
    assert SeatAnalysis.objects.get().state == AnalysisState.DONE


def test_a_failed_analysis_can_be_requested_again(finished, monkeypatch):
    match, (own, _other), _third = finished
    ask(match, own)

    class Broken(IndianAnalysis):
        def analyse(self, *_args, **_named):
            raise ZeroDivisionError

    analyse_by(monkeypatch, "indian", Broken())
    with pytest.raises(ZeroDivisionError):
        analyse_waiting()
    assert SeatAnalysis.objects.get().state == AnalysisState.FAILED
    assert ask(match, own).state == AnalysisState.WAITING


def test_a_newer_version_of_an_analysis_can_be_requested(finished, monkeypatch):
    match, (own, _other), _third = finished
    ask(match, own)
    analyse_waiting()
    newer = IndianAnalysis(effort=Effort().scale(0.01), version=ANALYSIS.version + 1)
    analyse_by(monkeypatch, "indian", newer)
    assert ask(match, own).state == AnalysisState.WAITING
    analyse_waiting()
    assert SeatAnalysis.objects.get().version == ANALYSIS.version + 1


def test_the_database_keeps_one_analysis_a_seat_of_a_deal(finished):
    match, (own, _other), _third = finished
    asked = ask(match, own)
    asked.pk = None
    with pytest.raises(IntegrityError, match="analysed_once"), transaction.atomic():
        asked.save(force_insert=True)
    with pytest.raises(IntegrityError, match="has_a_report"), transaction.atomic():
        SeatAnalysis.objects.update(state=AnalysisState.DONE)


def analyse_again(match, own):
    """Compute the analysis of the player's decisions again. Return its report."""
    SeatAnalysis.objects.all().delete()
    ask(match, own)
    analyse_waiting()
    report: Any = SeatAnalysis.objects.get().report
    return report


def test_only_a_practice_bot_tells_its_most_expensive_decision(finished, client):
    match, (own, other), _third = finished
    among_people = analyse_again(match, own)
    assert among_people["bot"] is None
    match.players["1"]["bot"] = True
    match.save()
    report = analyse_again(match, own)
    assert report["bot"]["name"] == match.players["1"]["name"]
    assert report["decisions"] == among_people["decisions"]
    client.force_login(own)
    page = client.get(reverse("deal_analysis", args=[match.pk, 1]), headers=PART).text
    assert f"{match.players['1']['name']} says" in page
    said = report["bot"]["decision"]
    assert ("My costliest decision" if said else "I found nothing") in page
    # A BOT account is a player's program.
    program = {"player_name": f"{other.player_name} [BOT]", "became_bot_at": timezone.now()}
    User.objects.filter(pk=other.pk).update(**program)
    report = analyse_again(match, own)
    assert report["bot"] is None
    assert report["decisions"] == among_people["decisions"]


# --- Pages.


def test_a_replay_shows_only_the_players_own_analysis(finished, client):
    match, (own, other), _third = finished
    address = reverse("deal_analysis", args=[match.pk, 1])
    replay = reverse("deal_replay", args=[match.pk, 1])
    client.force_login(own)
    assert "Analyse my decisions" in client.get(replay).text
    answer = client.post(address)
    assert (answer.status_code, answer["Location"]) == (302, replay + "#analysis")
    # The address redirects to the tab beside the replay. Its script requests only that part.
    assert client.get(address)["Location"] == replay + "#analysis"
    assert b"is in the queue" in client.get(address, headers=PART).content
    analyse_waiting()
    shown = client.get(address, headers=PART).text
    assert "Points given away" in shown
    assert "data-waiting" not in shown
    client.force_login(other)
    assert "Analyse my decisions" in client.get(address, headers=PART).text


def test_a_refused_analysis_is_explained_on_the_replay(finished, client, monkeypatch):
    match, (own, _other), _third = finished
    monkeypatch.setattr(analysing, "ANALYSES_A_DAY", 0)
    client.force_login(own)
    answer = client.post(reverse("deal_analysis", args=[match.pk, 2]), follow=True)
    assert answer.status_code == 404
    monkeypatch.setattr(analysing, "ANALYSES_A_DAY", 1)
    ask(match, own)
    SeatAnalysis.objects.update(deal=50)
    told = client.post(reverse("deal_analysis", args=[match.pk, 1]), follow=True)
    assert "You can ask for the next one at" in told.text


# --- Decisions over time: test_mistakes.py.


def test_a_profile_is_empty_before_the_first_analysis(finished, client):
    match, (own, other), _third = finished
    assert own_profile(own.pk) == []
    client.force_login(other)
    assert "Nothing has been analysed yet" in client.get(reverse("my_decisions")).text
    store_analysis(match, own, 1, {"pick": 6.0})
    (profile,) = own_profile(own.pk)
    assert profile.field is None


def test_accuracy_is_100_without_losses_and_falls():
    figures = [compute_accuracy(lost, 10) for lost in (0.0, 5.0, 10.0, 50.0)]
    assert figures[0] == 100
    assert figures == sorted(figures, reverse=True)
    assert compute_accuracy(0.0, 0) == 100
