"""Daily goals and streaks."""

from datetime import date, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.people.preferences import set_preferences
from players.models import GoalDay
from players.ranking.achievements import DealFacts, MatchCompany, MatchFacts
from players.ranking.goals import get_today, goals_on, record_puzzle
from players.ranking.ratings import count_matches
from tables.models import Match, Table
from tests.given import reload, require
from tests.tables.driving import end_match, settle, start_match
from wallet.models import DepositLimit, SelfExclusion

MONDAY = date(2026, 3, 16)
THIRD = {goals_on(MONDAY + timedelta(days=day))[2] for day in range(4)}


def build_facts(**changes):
    usual = {
        "game": "indian",
        "format": "POINTS",
        "seat": 0,
        "players": 2,
        "winners": frozenset({1}),
        "rank": 2,
        "deals": (DealFacts(frozenset({1}), {}),),
        "company": MatchCompany.BOTS,
    }
    return MatchFacts(**{**usual, **changes})


def test_only_the_third_goal_changes_from_day_to_day():
    week = [goals_on(MONDAY + timedelta(days=day)) for day in range(5)]
    assert {(goals[0].code, goals[1].code) for goals in week} == {("play", "puzzle")}
    assert len({goals[2].code for goals in week[:4]}) == 4
    assert week[4] == week[0]


@pytest.mark.parametrize(
    ("code", "reaches"),
    [
        ("win_deal", build_facts(deals=(DealFacts(frozenset({0}), {}),))),
        ("people", build_facts(company=MatchCompany.PEOPLE)),
        ("three", build_facts(players=3)),
        ("win", build_facts(winners=frozenset({0}))),
    ],
)
def test_a_goal_is_reached_only_by_its_match(code, reaches):
    [goal] = [goal for goal in THIRD if goal.code == code]
    assert require(goal.counts)(reaches)
    assert not require(goal.counts)(build_facts())


@pytest.fixture
def pair(make_table, make_player):
    """A finished match of two players, old enough to be counted."""
    players = make_player(), make_player()
    match = end_match(start_match(make_table(), *players))
    settle()
    return reload(match), players


def list_reached(player):
    return {row.day: row.codes for row in GoalDay.objects.filter(user=player)}


@pytest.mark.django_db
def test_a_match_reaches_its_goals_once(pair):
    match, players = pair
    assert count_matches() == 1
    day = timezone.localdate(require(match.ended_at))
    won = require(match.result)["winners"][0]
    third = goals_on(day)[2].code
    codes = {"play"} | ({third} & {"win_deal", "win", "people"})
    assert list_reached(players[won]) == {day: sorted(codes)}
    loser = {"play"} | ({third} & {"people"})
    assert list_reached(players[1 - won]) == {day: sorted(loser)}
    Match.objects.update(counted_at=None)
    assert count_matches() == 1
    record_puzzle(players[won].pk, day)
    record_puzzle(players[won].pk, day)
    assert list_reached(players[won]) == {day: sorted(codes | {"puzzle"})}


@pytest.mark.django_db
def test_a_match_for_cash_reaches_no_goal(pair):
    Table.objects.update(currency="INR")
    assert count_matches() == 1
    assert not GoalDay.objects.exists()


@pytest.mark.django_db
def test_a_streak_lasts_through_an_open_day(make_player):
    player, today = make_player(), timezone.localdate()

    def read_today():
        found = get_today(player.pk)
        return found.streak, [done for _goal, done in found.goals]

    assert read_today() == (0, [False, False, False])
    for days in (1, 2, 4):
        record_puzzle(player.pk, today - timedelta(days=days))
    assert read_today()[0] == 2
    record_puzzle(player.pk, today)
    assert read_today() == (3, [False, True, False])


@pytest.mark.django_db
def test_the_lobby_hides_goals_from_quiet_and_limited_players(client, players):
    assert "Goals of today" not in client.get(reverse("lobby")).text
    set_preferences(user_id=players[1].pk, chosen={"quiet": "on"})
    SelfExclusion.objects.create(user=players[2], until=timezone.now() + timedelta(days=7))
    DepositLimit.objects.create(
        user=players[3], period="DAY", amount=10_000, effective_from=timezone.now()
    )
    for days in (0, 1):
        record_puzzle(players[0].pk, timezone.localdate() - timedelta(days=days))
    shown = []
    for player in players:
        client.force_login(player)
        page = client.get(reverse("lobby")).text
        shown.append(("Goals of today" in page, "2 days in a row" in page))
    assert shown == [(True, True), (False, False), (False, False), (False, False)]
