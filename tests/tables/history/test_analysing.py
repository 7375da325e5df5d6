"""Analyses of deals: who may ask for one, how often, and what becomes of a job that dies."""

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
from games.registry import get_game
from tables.history import analysing
from tables.history.analysing import (
    ANALYSES_A_DAY,
    AnalysesUsedUp,
    MatchIsRunning,
    NothingToAnalyse,
    analyse_waiting,
    ask_for_analysis,
)
from tables.history.mistakes import compute_accuracy, own_profile
from tables.history.records import deal_record
from tables.models import AnalysisState, SeatAnalysis
from tables.tasks import analyse_deals
from tests.tables.analysing import analyse_by
from tests.tables.driving import end_match, play_a_turn, play_to_the_end, start_match
from tests.tables.history.dear_deals import dear_deal

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _quickly(monkeypatch):
    """The same analysis with few playouts."""
    analyse_by(monkeypatch, "indian", IndianAnalysis(effort=Effort().scale(0.01)))
    cache.clear()


@pytest.fixture
def finished(make_player, make_table):
    """A deal of two, three turns each until one drops; and a third person."""
    table, players = make_table(max_seats=2), [make_player() for _ in range(2)]
    start_match(table, *players)
    for _ in range(6):
        play_a_turn(table)
    return end_match(table), players, make_player()


def ask(match, player, number=1):
    return ask_for_analysis(user_id=player.pk, match=match, number=number)


def test_an_analysis_waits_for_its_job_and_is_stored(finished):
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


def test_nobody_asks_about_others_or_while_the_match_runs(finished, make_table, make_player):
    match, _players, third = finished
    for player, number, refusal in (
        (third, 1, NothingToAnalyse),
        (_players[0], 2, NothingToAnalyse),
    ):
        with pytest.raises(refusal):
            ask(match, player, number)
    players = [make_player() for _ in range(2)]
    running = start_match(make_table(max_seats=2), *players)
    with pytest.raises(MatchIsRunning):
        ask(running.match, players[0])
    assert not SeatAnalysis.objects.exists()


def test_two_players_have_an_analysis_each_of_their_own_decisions(finished):
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


def test_a_match_of_gin_is_analysed_and_told(make_player, make_table, client, monkeypatch):
    analyse_by(monkeypatch, "gin", GinAnalysis(effort=EFFORT.scale(0.05)))
    players = [make_player() for _ in range(2)]
    table = make_table(game="gin", preset="game100", entry_fee=100, max_seats=2)
    start_match(table, *players)
    match = play_to_the_end(table, strength="easy")
    deal = dear_deal(match, 0)
    ask(match, players[0], deal)
    assert analyse_waiting() == 1
    done: Any = SeatAnalysis.objects.get()
    assert (done.state, done.game) == (AnalysisState.DONE, "gin")
    assert done.lost > 0
    client.force_login(players[0])
    page = client.get(reverse("deal_replay", args=[match.pk, deal])).text
    assert "What would have been better?" in page
    assert "Knocking with 10 or less" in page
    assert "what would you do?" in page
    (profile,) = own_profile(players[0].pk)
    assert [line.title for line in profile.kinds][-1] == "Answers to knocks"


def test_a_match_of_rummikub_is_told_in_tiles(make_player, make_table, client):
    players = [make_player() for _ in range(2)]
    table = make_table(game="rummikub", preset="modern", max_seats=2)
    start_match(table, *players)
    match = play_to_the_end(table)
    ask(match, players[0])
    assert analyse_waiting() == 1
    done: Any = SeatAnalysis.objects.get()
    assert (done.state, done.game) == (AnalysisState.DONE, "rummikub")
    assert set(done.by_kind) <= {"open", "lay"}
    assert done.lost > 0
    client.force_login(players[0])
    page = client.get(reverse("deal_replay", args=[match.pk, 1])).text
    assert "30 points to begin" in page
    assert "So it would lie: " in page
    assert re.search(r'analysis__card--[SHDC]">1?\d[■●▲◆]<', page)
    assert "♥" not in page
    (profile,) = own_profile(players[0].pk)
    assert [line.title for line in profile.kinds] == ["First lays", "Lays"]


def test_the_ration_of_a_day_names_the_time_of_the_next(finished):
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
    assert f"{timezone.localtime(next_at):%H:%M}" in str(refused.value)
    assert SeatAnalysis.objects.count() == ANALYSES_A_DAY
    SeatAnalysis.objects.filter(deal=100).update(asked_at=now - timedelta(days=2))
    assert ask(match, own).state == AnalysisState.WAITING


def test_one_whose_job_died_may_be_asked_for_again_and_is_not_counted_twice(finished):
    match, (own, _other), _third = finished
    asked = ask(match, own)
    taken = analysing._take()
    assert taken is not None
    assert ask(match, own).state == AnalysisState.RUNNING
    assert analysing._take() is None
    SeatAnalysis.objects.update(deadline_at=timezone.now() - timedelta(seconds=1))
    again = ask(match, own)
    assert (again.pk, again.state, again.asked_at) == (
        asked.pk,
        AnalysisState.WAITING,
        asked.asked_at,
    )
    # The first job was only slow: what it writes does not count any more.
    analysing._compute(taken)
    assert SeatAnalysis.objects.get().state == AnalysisState.WAITING
    assert analyse_waiting() == 1
    assert SeatAnalysis.objects.get().state == AnalysisState.DONE


def test_an_analysis_that_fails_may_be_asked_for_again(finished, monkeypatch):
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


def test_another_version_of_the_analysis_may_be_asked_for(finished, monkeypatch):
    match, (own, _other), _third = finished
    ask(match, own)
    analyse_waiting()
    newer = IndianAnalysis(effort=Effort().scale(0.01), version=ANALYSIS.version + 1)
    analyse_by(monkeypatch, "indian", newer)
    assert ask(match, own).state == AnalysisState.WAITING
    analyse_waiting()
    assert SeatAnalysis.objects.get().version == ANALYSIS.version + 1


def test_the_database_keeps_one_row_for_each_seat_of_a_deal(finished):
    match, (own, _other), _third = finished
    asked = ask(match, own)
    asked.pk = None
    with pytest.raises(IntegrityError, match="analysed_once"), transaction.atomic():
        asked.save(force_insert=True)
    with pytest.raises(IntegrityError, match="has_a_report"), transaction.atomic():
        SeatAnalysis.objects.update(state=AnalysisState.DONE)


def test_a_bot_account_tells_nothing(finished):
    match, (own, other), _third = finished
    match.players["1"]["bot"] = True
    match.save()
    name = f"{other.player_name} [BOT]"
    User.objects.filter(pk=match.players["1"]["user"]).update(
        player_name=name, became_bot_at=timezone.now()
    )
    ask(match, own)
    analyse_waiting()
    report: Any = SeatAnalysis.objects.get().report
    assert report["bot"] is None
    assert report["decisions"]


def test_a_bot_of_a_practice_table_tells_its_dearest_decision_and_a_person_does_not(
    finished, client
):
    match, (own, _other), _third = finished
    ask(match, own)
    analyse_waiting()
    among_people: Any = SeatAnalysis.objects.get().report
    assert among_people["bot"] is None
    match.players["1"]["bot"] = True
    match.save()
    SeatAnalysis.objects.all().delete()
    ask(match, own)
    analyse_waiting()
    report: Any = SeatAnalysis.objects.get().report
    assert report["bot"]["name"] == match.players["1"]["name"]
    assert report["decisions"] == among_people["decisions"]
    client.force_login(own)
    page = client.get(reverse("deal_analysis", args=[match.pk, 1])).text
    assert f"{match.players['1']['name']} says" in page
    said = report["bot"]["decision"]
    assert ("My dearest decision" if said else "I found nothing") in page


# --- Pages.


def test_the_page_of_a_replay_shows_ones_own_analysis_alone(finished, client):
    match, (own, other), _third = finished
    address = reverse("deal_analysis", args=[match.pk, 1])
    replay = reverse("deal_replay", args=[match.pk, 1])
    client.force_login(own)
    assert b"Analyse my decisions" in client.get(replay).content
    answer = client.post(address)
    assert (answer.status_code, answer["Location"]) == (302, replay + "#analysis")
    assert b"waits for its turn" in client.get(address).content
    analyse_waiting()
    shown = client.get(address).text
    assert "Points given away" in shown
    assert "data-waiting" not in shown
    client.force_login(other)
    assert "Analyse my decisions" in client.get(address).text


def test_who_did_not_play_finds_no_analysis(finished, client):
    match, _players, third = finished
    client.force_login(third)
    assert client.get(reverse("deal_analysis", args=[match.pk, 1])).status_code == 404
    assert client.post(reverse("deal_analysis", args=[match.pk, 1])).status_code == 404
    assert not SeatAnalysis.objects.exists()


def test_a_refusal_is_told_on_the_replay(finished, client, monkeypatch):
    match, (own, _other), _third = finished
    monkeypatch.setattr(analysing, "ANALYSES_A_DAY", 0)
    client.force_login(own)
    answer = client.post(reverse("deal_analysis", args=[match.pk, 2]), follow=True)
    assert answer.status_code == 404
    monkeypatch.setattr(analysing, "ANALYSES_A_DAY", 1)
    ask(match, own)
    SeatAnalysis.objects.update(deal=50)
    told = client.post(reverse("deal_analysis", args=[match.pk, 1]), follow=True)
    assert "The next one is possible at" in told.text


# --- One's decisions over time.


def store_analysis(match, player, deal, lost, kinds, *, decisions=10):
    now = timezone.now()
    return SeatAnalysis.objects.create(
        match=match,
        deal=deal,
        seat=player.pk % 1000,
        user=player,
        game="indian",
        state=AnalysisState.DONE,
        deadline_at=now,
        done_at=now,
        version=ANALYSIS.version,
        report={},
        decisions=decisions,
        lost=lost,
        by_kind=kinds,
    )


def test_the_profile_has_points_a_deal_by_kind_beside_the_median_of_the_field(
    finished, make_player, client
):
    match, (own, _other), _third = finished
    store_analysis(match, own, 1, 6.0, {"pick": 2.0, "discard": 4.0})
    store_analysis(match, own, 2, 0.0, {})
    field = [make_player(chips=False) for _ in range(5)]
    for number, player in enumerate(field, start=1):
        for deal in range(3):
            store_analysis(match, player, deal, number * 2.0, {"discard": number * 2.0})
    (profile,) = own_profile(own.pk)
    assert (profile.deals, profile.decisions, profile.lost, profile.field) == (2, 20, 3.0, 6.0)
    assert profile.accuracy == compute_accuracy(6.0, 20)
    lines = {line.title: (line.own, line.field) for line in profile.kinds}
    assert lines["Discards"] == (2.0, 6.0)
    assert lines["Draws"] == (1.0, None)
    assert [(week.deals, week.own) for week in profile.weeks] == [(2, 3.0)]
    client.force_login(own)
    page = client.get(reverse("my_decisions")).text
    assert f"{profile.accuracy} %" in page


def test_a_small_field_has_no_median_and_nothing_analysed_says_so(finished, client):
    match, (own, other), _third = finished
    assert own_profile(own.pk) == []
    client.force_login(other)
    assert "Nothing has been analysed yet" in client.get(reverse("my_decisions")).text
    store_analysis(match, own, 1, 6.0, {"pick": 6.0})
    (profile,) = own_profile(own.pk)
    assert profile.field is None


def test_accuracy_is_100_for_nothing_given_away_and_falls():
    figures = [compute_accuracy(lost, 10) for lost in (0.0, 5.0, 10.0, 50.0)]
    assert figures[0] == 100
    assert figures == sorted(figures, reverse=True)
    assert compute_accuracy(0.0, 0) == 100


def test_games_without_an_analysis_offer_none():
    assert get_game("five_hundred").analysis is None
