"""Ratings: the arithmetic, and matches that are counted only once."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from core.database.advisory_locks import AdvisoryLock
from players.models import DayTotal, RatingChange
from players.ranking import ratings as service
from players.ranking.glicko import Encounter, Rating, rate, rate_match, rest_rating
from players.ranking.ratings import count_matches
from players.tasks import count_finished_matches
from tables.models import Match, MatchStatus, PlayerRating
from tables.play.cancelling import cancel_match
from tables.seating.hosting.private_tables import open_private
from tables.seating.supply import keep_supplied, open_from
from tests.given import reload
from tests.tables.driving import (
    begin_match,
    drop,
    end_match,
    get_match,
    let_time_pass,
    make_kind,
    play_short_match,
    settle,
    start_match,
)


def test_ratings_match_the_example_of_the_paper():
    """The example is in section 3 of Glickman 2013."""
    player = Rating(1500, 200, 0.06)
    met = ((1400, 30, 1), (1550, 100, 0), (1700, 300, 0))
    after = rate(player, [Encounter(Rating(value, rd, 0.06), won) for value, rd, won in met])
    assert after.value == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_the_deviation_of_an_absent_player_grows():
    """This is step 6 of Glickman 2013."""
    after = rest_rating(Rating(1500, 200, 0.06), periods=1)
    assert after.value == 1500
    assert after.deviation == pytest.approx((200**2 + (0.06 * 173.7178) ** 2) ** 0.5)
    assert after == rate(Rating(1500, 200, 0.06), [], periods=1)
    assert rest_rating(Rating(1500, 200, 0.06), periods=10_000).deviation == 350


def test_a_surprise_makes_a_player_volatile():
    calm = rate(Rating(1500, 60, 0.06), [Encounter(Rating(1500, 60, 0.06), 1)])
    surprised = rate(Rating(1500, 60, 0.06), [Encounter(Rating(2600, 60, 0.06), 1)] * 5)
    assert surprised.volatility > 0.06 > calm.volatility


def test_equal_new_players_exchange_the_same_points():
    after = rate_match({0: Rating(), 1: Rating()}, {0: 1, 1: 2}, {0: 0.0, 1: 0.0})
    assert after[0].value - 1500 == pytest.approx(1500 - after[1].value)
    assert after[0].value == pytest.approx(1662.3, abs=0.1)


def test_a_better_rank_gains_more_and_equal_ranks_the_same():
    fresh, ranks = {seat: Rating() for seat in range(4)}, {0: 1, 1: 2, 2: 2, 3: 4}
    after = rate_match(fresh, ranks, dict.fromkeys(fresh, 0.0))
    assert after[0].value > after[1].value == after[2].value == 1500 > after[3].value
    assert all(rating.deviation < 350 for rating in after.values())
    # The order of seats does not matter.
    turned = rate_match(dict(reversed(fresh.items())), ranks, dict.fromkeys(fresh, 0.0))
    for seat, rating in after.items():
        assert turned[seat].value == pytest.approx(rating.value)


pytestmark = pytest.mark.django_db


@pytest.fixture
def rated_table(make_table):
    return make_table(is_rated=True, max_seats=3)


@pytest.fixture
def finished(rated_table, players):
    """A finished rated match of three, and its players by seat."""
    match = end_match(start_match(rated_table, *players[:3]))
    settle(match)
    return reload(match), players[:3]


def test_a_finished_match_is_rated_once(finished):
    match, players = finished
    assert count_finished_matches() == 1
    changes = {change.user_id: change for change in RatingChange.objects.filter(match=match)}
    assert set(changes) == {player.pk for player in players}
    ranks = {int(seat): rank for seat, rank in match.result["ranks"].items()}
    expected = rate_match({seat: Rating() for seat in ranks}, ranks, dict.fromkeys(ranks, 0.0))
    for seat, player in enumerate(players):
        change, row = changes[player.pk], PlayerRating.objects.get(user=player)
        assert (change.value_before, change.deviation_before) == (1500, 350)
        assert change.value == row.value == pytest.approx(expected[seat].value)
        assert (row.format, row.matches, row.rated_at) == ("POINTS", 1, match.ended_at)
    assert count_finished_matches() == 0
    Match.objects.filter(pk=match.pk).update(counted_at=None)
    with transaction.atomic(), pytest.raises(IntegrityError):
        service._count([match.pk])
    assert RatingChange.objects.count() == 3
    assert PlayerRating.objects.filter(matches=1).count() == 3


def test_a_match_that_cannot_be_counted_does_not_block_others(finished, make_table, caplog):
    match, players = finished
    later = play_short_match(make_table(is_rated=True), *players[:2])
    settle(later)
    Match.objects.filter(pk=match.pk).update(result={"ranks": {}})
    assert count_matches() == 1
    assert f"match {match.pk} cannot be counted" in caplog.text
    assert set(RatingChange.objects.values_list("match_id", flat=True)) == {later.pk}
    assert not DayTotal.objects.filter(matches=2).exists()
    Match.objects.filter(pk=match.pk).update(result=match.result)
    assert count_matches() == 1


def test_matches_are_rated_in_the_order_of_their_ends(make_table, players):
    tables = [start_match(make_table(is_rated=True), *players[:2]) for _ in range(2)]
    for table in tables:
        drop(table)
    first, second = [get_match(table) for table in tables]
    long_ago = timezone.now() - timedelta(days=3)
    Match.objects.filter(pk=first.pk).update(ended_at=long_ago + timedelta(days=1))
    Match.objects.filter(pk=second.pk).update(ended_at=long_ago)
    assert count_matches() == 2
    order = list(RatingChange.objects.order_by("pk").values_list("match_id", flat=True))
    assert order == [second.pk, second.pk, first.pk, first.pk]
    early, late = RatingChange.objects.filter(user=players[0]).order_by("pk")
    assert (late.value_before, late.deviation_before) == (early.value, early.deviation)
    rating = PlayerRating.objects.get(user=players[0])
    assert (rating.value, rating.matches) == (late.value, 2)
    assert rating.rated_at == long_ago + timedelta(days=1)


def test_a_match_that_has_just_ended_waits_for_earlier_ones(rated_table, players, monkeypatch):
    # The match has just ended, even on a slow machine.
    monkeypatch.setattr(service, "SETTLES_WITHIN", timedelta(hours=1))
    match = play_short_match(rated_table, *players[:2])
    assert count_matches() == 0
    Match.objects.filter(pk=match.pk).update(ended_at=Now() - timedelta(hours=1, seconds=1))
    assert count_matches() == 1


def test_unrated_and_cancelled_matches_change_no_rating(make_table, make_player):
    unrated = play_short_match(make_table(), make_player(), make_player())
    cancelled = begin_match(make_table(is_rated=True), make_player(), make_player())
    cancel_match(match_id=cancelled.pk, reason="a test", staff_id=1)
    settle(unrated, cancelled)
    assert count_matches() == 1
    assert not RatingChange.objects.exists()
    assert not PlayerRating.objects.exists()
    assert (reload(cancelled).status, cancelled.counted_at) == (MatchStatus.CANCELLED, None)


def test_bots_are_never_rated(make_table, make_player):
    for make in (make_kind, make_table):
        with transaction.atomic(), pytest.raises(IntegrityError, match="is_not_rated"):
            make(bots_wanted=1, is_rated=True)
    match = play_short_match(make_table(is_rated=True), make_player(), make_player())
    # A match with a bot counts for no player.
    match.players["1"]["bot"] = True
    match.save(update_fields=["players"])
    settle(match)
    assert count_matches() == 1
    assert not RatingChange.objects.exists()


def test_a_rated_template_opens_only_rated_public_tables(make_player, fees):
    template = make_kind(name="Neem", is_rated=True)
    assert open_from(template).is_rated
    keep_supplied()
    assert not open_private(template_id=template.pk, user_id=make_player().pk).is_rated


def test_a_match_is_rated_if_its_table_was_when_it_began(make_table, make_player):
    table = start_match(make_table(is_rated=True), make_player(), make_player())
    type(table).objects.filter(pk=table.pk).update(is_rated=False)
    drop(table)
    assert get_match(table).is_rated
    let_time_pass(table)
    drop(table)
    assert not get_match(table).is_rated


def test_nothing_is_counted_while_another_process_counts(finished, other_connection):
    match, _players = finished
    with other_connection.cursor() as cursor:
        cursor.execute("BEGIN; SELECT pg_advisory_xact_lock(%s)", [AdvisoryLock.COUNTING_MATCHES])
        assert count_matches() == 0
        assert not RatingChange.objects.exists()
        cursor.execute("COMMIT")
    assert count_matches() == 1
    assert reload(match).counted_at is not None


def test_a_move_costs_no_more_queries_at_a_rated_table(make_table, make_player):
    counted = []
    for is_rated in (False, True):
        table = start_match(make_table(is_rated=is_rated), make_player(), make_player())
        with CaptureQueriesContext(connection) as queries:
            drop(table)
        counted.append(len(queries))
    assert counted[0] == counted[1]


def test_ratings_are_shown_in_history_and_on_the_profile(client, finished):
    match, players = finished
    client.force_login(players[0])
    profile = f"/players/{players[0].pk}/"
    assert "Points" not in client.get(profile).text.split("Last matches", maxsplit=1)[0]
    count_matches()
    rating = PlayerRating.objects.get(user=players[0])
    shown = f"{round(rating.value)}?"
    page = client.get(f"/matches/{match.pk}/").text
    assert f"1500? → {shown}" in page
    assert page.count("1500? →") == 3
    assert f"{shown} ({round(rating.value) - 1500:+d})" in client.get("/matches/").text
    page = client.get(profile).text
    assert "Indian rummy · Points" in page.split("Last matches", maxsplit=1)[0]
    assert shown in page
    PlayerRating.objects.update(deviation=110)
    assert shown not in client.get(profile).text


def test_many_matches_cost_as_many_queries_as_one(make_table, players, settings):
    settings.TABLES_AT_ONCE = 10
    costs = []
    for number in (1, 4):
        matches = [play_short_match(make_table(is_rated=True), *players[:2]) for _ in range(number)]
        settle(*matches)
        with CaptureQueriesContext(connection) as queries:
            assert count_matches() == number
        costs.append(len(queries))
    assert costs[0] == costs[1]
    assert DayTotal.objects.get(user=players[0]).rated_matches == 5
    # Each rating begins where the one before has ended.
    changes = RatingChange.objects.filter(user=players[1]).order_by("match__ended_at", "match_id")
    assert [c.value_before for c in changes][1:] == [c.value for c in changes][:-1]
    rating = PlayerRating.objects.get(user=players[1])
    assert (rating.matches, rating.value) == (5, list(changes)[-1].value)
