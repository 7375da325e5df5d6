"""Achievements: their conditions, tiers and counts."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db.models.functions import Now
from django.urls import reverse

from accounts.models import PageShownTo, User
from accounts.people.preferences import set_preferences
from history.archiving import archive_matches
from players.models import AchievementMatch, PlayerAchievement
from players.ranking.achievements import (
    ACHIEVEMENTS,
    DealFacts,
    MatchCompany,
    MatchFacts,
    list_codes_met,
)
from players.ranking.ratings import count_matches
from tables.models import Match, Table
from tests.given import require
from tests.tables.driving import (
    act,
    end_match,
    game_view,
    hurry_to_the_end,
    seat_a_bot,
    settle,
    start_match,
    start_with_a_bot,
)


def deal(*winners, how="", **points):
    return DealFacts(
        frozenset(winners), {int(seat[1:]): lost for seat, lost in points.items()}, how
    )


LOST = MatchFacts(
    "indian", "POINTS", 0, players=2, winners=frozenset({1}), rank=2, deals=(deal(1, p0=40),)
)
WON = replace(LOST, winners=frozenset({0}), rank=1, deals=(deal(0, p1=40),))
BOTS, LESSON = MatchCompany.BOTS, MatchCompany.LESSON


def build_win(**changes):
    return replace(WON, **changes)


def build_loss(**changes):
    return replace(LOST, **changes)


def of_game(game, *deals, base=WON, **changes):
    return replace(base, game=game, deals=deals, **changes)


# Matches that count, and matches that narrowly do not.
CASES = {
    "matches": (LOST, build_loss(company=BOTS)),
    "wins": (WON, LOST),
    "duels": (WON, build_win(players=3)),
    "full_tables": (build_win(players=5), build_win(players=4)),
    "shared_wins": (build_win(winners=frozenset({0, 1})), WON),
    "seconds": (build_loss(players=3), build_loss(players=2)),
    "slow_games": (build_loss(is_slow=True), LOST),
    "event_matches": (build_loss(is_of_event=True), LOST),
    "event_wins": (build_win(is_of_event=True), build_loss(is_of_event=True)),
    "long_matches": (build_loss(deals=(deal(1),) * 6), build_loss(deals=(deal(1),) * 5)),
    "clean_sheets": (build_win(deals=(deal(0),) * 3), build_win(deals=(deal(0), deal(0), deal(1)))),
    "comebacks": (
        build_win(deals=(deal(1), deal(1), deal(0))),
        build_win(deals=(deal(1), deal(0), deal(0))),
    ),
    "good_losers": (
        build_loss(deals=(deal(1),) * 3),
        build_loss(deals=(deal(1), deal(1), deal(0))),
    ),
    "lessons": (build_loss(company=LESSON), build_loss(company=BOTS)),
    "bots_beaten": (build_win(company=BOTS), build_win(company=LESSON)),
    "indian_points": (WON, build_win(format="DEALS2")),
    "indian_pool": (build_win(format="POOL101"), build_loss(format="POOL101")),
    "indian_deals": (build_win(format="DEALS2"), build_win(format="POOL101")),
    "indian_light": (build_loss(deals=(deal(1, p0=10),)), build_loss(deals=(deal(1, p0=11),))),
    "gin_wins": (of_game("gin"), of_game("basic")),
    "gin_hands": (of_game("gin", deal(0, how="gin")), of_game("gin", deal(1, how="gin"))),
    "gin_big": (of_game("gin", deal(0, how="big_gin")), of_game("gin", deal(0, how="gin"))),
    "gin_undercuts": (
        of_game("gin", deal(0, how="undercut")),
        of_game("gin", deal(0, how="knock")),
    ),
    "gin_shutouts": (
        of_game("gin", deal(0), deal(), deal(0)),
        of_game("gin", deal(0), deal(1), deal(0)),
    ),
    "basic_wins": (of_game("basic"), of_game("basic", base=LOST)),
    "basic_rummies": (of_game("basic", deal(0, how="rummy")), of_game("basic", deal(0, how="out"))),
    "contract_wins": (of_game("contract"), of_game("contract", base=LOST)),
    "contract_series": (of_game("contract", *(deal(0),) * 3), of_game("contract", *(deal(0),) * 2)),
    "rummikub_wins": (of_game("rummikub"), of_game("rummikub", base=LOST)),
    "rummikub_out": (
        of_game("rummikub", deal(0, how="laid_out")),
        of_game("rummikub", deal(0, how="blocked")),
    ),
    "five_hundred_wins": (of_game("five_hundred"), of_game("five_hundred", base=LOST)),
    "five_hundred_out": (
        of_game("five_hundred", deal(0, how="out")),
        of_game("five_hundred", deal(0, how="blocked")),
    ),
}


def test_every_achievement_has_cases_and_rising_tiers():
    assert list(CASES) == list(ACHIEVEMENTS)
    for entry in ACHIEVEMENTS.values():
        assert list(entry.tiers) == sorted(set(entry.tiers))
        assert entry.tiers[0] == 1


@pytest.mark.parametrize("code", CASES)
def test_a_match_counts_or_just_fails_to_count(code):
    counts, just_not = CASES[code]
    assert code in list_codes_met(counts)
    assert code not in list_codes_met(just_not)


def test_tiers_are_reached_at_their_numbers():
    entry = ACHIEVEMENTS["duels"]
    assert [entry.tier_at(count) for count in (0, 1, 24, 25, 100, 500)] == [0, 1, 1, 2, 3, 3]
    assert [entry.next_at(count) for count in (0, 1, 25, 100)] == [1, 25, 100, None]


FIRST_WIN = dict.fromkeys(("matches", "wins", "duels", "indian_points"), (1, 1))


def read_counts(user):
    rows = PlayerAchievement.objects.filter(user=user)
    return {row.code: (row.count, row.tier) for row in rows}


def read_page(client, player):
    return client.get(reverse("players:player", args=[player.pk])).text


def read_all():
    fields = ("user", "code", "count", "tier", "reached_in", "reached_at")
    return set(PlayerAchievement.objects.values_list(*fields))


@pytest.fixture
def pair(make_table, make_player):
    """A finished match of points rummy, its winner and its loser."""
    players = make_player(), make_player()
    match = end_match(start_match(make_table(), *players))
    settle()
    winner = require(match.result)["winners"][0]
    return match, players[winner], players[1 - winner]


@pytest.mark.django_db
def test_recounting_a_match_gives_the_same_achievements(pair, settings):
    _match, winner, loser = pair
    assert count_matches() == 1
    assert read_counts(winner) == FIRST_WIN
    assert read_counts(loser) == {"matches": (1, 1)}
    found = read_all()
    Match.objects.update(counted_at=None)
    assert count_matches() == 1
    assert read_all() == found
    PlayerAchievement.objects.filter(user=winner).delete()
    AchievementMatch.objects.filter(user=winner).delete()
    call_command("recount_achievements")
    assert read_all() == found
    # An archived match is still counted.
    Match.objects.update(
        started_at=Now() - timedelta(days=100), ended_at=Now() - timedelta(days=99)
    )
    settings.MATCHES_ARCHIVED_AFTER_DAYS = 30
    assert archive_matches() == 1
    call_command("recount_achievements")
    assert read_counts(winner) == FIRST_WIN


@pytest.mark.django_db
def test_the_second_match_raises_the_count_and_not_the_tier(pair, make_table):
    match, winner, loser = pair
    assert count_matches() == 1
    end_match(start_match(make_table(), loser, winner))
    settle()
    assert count_matches() == 1
    first = PlayerAchievement.objects.get(user=winner, code="matches")
    assert (first.count, first.tier, first.reached_in) == (2, 1, match)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("game", "preset"),
    [
        *((game, "points") for game in ("gin", "basic", "rummikub", "five_hundred")),
        ("contract", "single"),
    ],
)
def test_played_matches_of_the_other_games_count(game, preset, make_table, make_player):
    players = make_player(), make_player()
    match = hurry_to_the_end(start_match(make_table(game=game, preset=preset), *players))
    settle()
    assert count_matches() == 1
    winner, *_ = require(match.result)["winners"]
    reached = set(read_counts(players[winner]))
    assert reached >= {"matches", "wins", "duels", f"{game}_wins"}
    [ways] = AchievementMatch.objects.filter(user=players[winner]).values_list("codes", flat=True)
    assert set(ways) == reached


@pytest.mark.django_db
def test_practice_counts_only_for_achievements_against_bots(make_table, make_player):
    player = make_player()
    table = start_with_a_bot(make_table(bots_wanted=1), player)
    while game_view(table)["turn"] != 0:
        seat_a_bot(table)
    assert act(table, 0, kind="drop").refusal is None
    settle()
    assert count_matches() == 1
    assert not PlayerAchievement.objects.exists()
    match = Match.objects.get()
    require(match.result)["winners"] = [0]
    match.save(update_fields=["result"])
    call_command("recount_achievements")
    assert read_counts(player) == {"bots_beaten": (1, 1)}
    assert not PlayerAchievement.objects.filter(user__is_bot=True).exists()
    assert not AchievementMatch.objects.filter(user__is_bot=True).exists()


@pytest.mark.django_db
def test_cash_matches_and_stand_ins_reach_no_achievements(pair):
    match, winner, loser = pair
    seat = str(require(match.result)["winners"][0])
    match.players[seat]["stand_in"] = True
    match.save(update_fields=["players"])
    assert count_matches() == 1
    assert read_counts(winner) == {}
    assert read_counts(loser) == {"matches": (1, 1)}
    Table.objects.update(currency="INR")
    call_command("recount_achievements")
    assert not PlayerAchievement.objects.exists()


@pytest.mark.django_db
def test_others_see_achievements_as_the_player_chose(pair, client, make_player):
    _match, winner, _loser = pair
    count_matches()
    viewer = make_player()
    client.force_login(viewer)
    assert "Face to face" not in read_page(client, winner)
    User.objects.update(page_shown_to=PageShownTo.EVERYBODY)
    page = read_page(client, winner)
    assert "Face to face" in page
    assert "Gin!" not in page
    client.force_login(winner)
    own = read_page(client, winner)
    assert "4 of 32" in own
    assert "Gin!" in own


@pytest.mark.django_db
def test_the_result_shows_new_achievements_unless_quiet(pair, client):
    match, winner, loser = pair
    count_matches()
    url = reverse("table", args=[match.table_id])
    client.force_login(winner)
    assert "Reached: At home at the table, Winner" in client.get(url).text
    set_preferences(user_id=winner.pk, chosen={"quiet": "on"})
    assert "Reached:" not in client.get(url).text
    client.force_login(loser)
    assert "Reached: At home at the table<" in client.get(url).text
