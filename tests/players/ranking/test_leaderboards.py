"""Leaderboards: daily totals, the boards made from them, and their page."""

from datetime import UTC, date, datetime, timedelta
from itertools import product
from urllib.parse import parse_qs

import pytest
from django.db.models.functions import Now
from django.utils import timezone

from players.models import Board, DayTotal, LeaderboardPlace, Period
from players.ranking import leaderboards
from players.ranking.leaderboards import LEAST_MATCHES, draw_leaderboards
from players.ranking.ratings import count_matches
from players.ranking.selectors import rank_players
from players.tasks import draw_all_leaderboards
from tables.catalog import list_offered_formats
from tables.models import Match, Table
from tests.given import require
from tests.tables.driving import drop, play_short_match, rate, settle

pytestmark = pytest.mark.django_db
# A Wednesday.
TODAY = date(2026, 3, 18)


def add_day(user, day=TODAY, **values):
    return DayTotal.objects.create(
        user=user, game="indian", day=day, format="POINTS", **{"matches": 1, **values}
    )


def read_board(period=Period.DAY, kind=Board.CHIPS, format="POINTS", user_id=None):
    return rank_players(kind, ("indian", format), period, user_id=user_id)


def list_lines(found):
    return [(row.place, row.user.player_name, row.value, row.matches) for row in found.places]


def test_a_match_counts_for_the_day_on_which_it_ended_here(make_table, players):
    match = play_short_match(make_table(point_value=2), *players[:2])
    # 20:00 in Greenwich is the next day in Kolkata.
    ended_at = datetime(2026, 3, 17, 20, 0, tzinfo=UTC)
    Match.objects.filter(pk=match.pk).update(ended_at=ended_at)
    assert count_matches() == 1
    assert count_matches() == 0
    days = DayTotal.objects.order_by("user_id").values_list(
        "user_id", "format", "day", "chips", "matches", "rated_matches"
    )
    settlement = require(match.settlement)
    amounts = settlement["amounts"]
    assert list(days) == [
        (player.pk, "POINTS", TODAY, amounts[str(seat)], 1, 0)
        for seat, player in enumerate(players[:2])
    ]
    assert {amounts["0"], amounts["1"]} == {-40, settlement["net"]}


@pytest.mark.parametrize(
    "table_is",
    [{"bots_wanted": 1}, {"invite_code": "friends"}, {"event_url": "/tournaments/1/"}],
    ids=["practice", "private", "tournament"],
)
def test_arranged_matches_do_not_count_for_the_boards(table, table_is):
    drop(table)
    Table.objects.filter(pk=table.pk).update(**table_is)
    settle()
    assert count_matches() == 1
    assert not DayTotal.objects.exists()


def test_chips_are_summed_by_day_week_and_all_time(make_player):
    asha, ravi = make_player(), make_player()
    add_day(asha, chips=100)
    add_day(asha, TODAY - timedelta(days=2), chips=-30)  # Monday
    add_day(asha, TODAY - timedelta(days=3), chips=500)  # Sunday, the week before
    add_day(ravi, TODAY - timedelta(days=1), chips=200)
    assert draw_leaderboards(today=TODAY) == 1 + 2 + 2
    one, two = asha.player_name, ravi.player_name
    assert list_lines(read_board(Period.DAY)) == [(1, one, 100, 1)]
    assert list_lines(read_board(Period.WEEK)) == [(1, two, 200, 1), (2, one, 70, 2)]
    assert list_lines(read_board(Period.ALL)) == [(1, one, 570, 3), (2, two, 200, 1)]
    assert list_lines(read_board(format="POOL")) == []


def test_the_board_of_ratings_needs_rated_matches_in_the_period(make_player):
    asha, ravi = make_player(), make_player()
    for user, value in ((asha, 1600.4), (ravi, 1700.0)):
        rate(user, value, 60)
    least = LEAST_MATCHES[Period.DAY]
    add_day(asha, matches=least, rated_matches=least)
    add_day(ravi, matches=50, rated_matches=least - 1)
    draw_leaderboards(today=TODAY)
    assert list_lines(read_board(kind=Board.RATING)) == [(1, asha.player_name, 1600, least)]


def test_equal_players_share_a_place(make_player):
    for chips in (50, 80, 50, 20):
        add_day(make_player(), chips=chips)
    draw_leaderboards(today=TODAY)
    assert [(row.place, row.value) for row in read_board().places] == [
        (1, 80), (2, 50), (2, 50), (4, 20),
    ]  # fmt: skip


def test_bots_and_closed_accounts_are_not_shown(make_player):
    for field in ("is_bot", "is_active"):
        user = make_player()
        setattr(user, field, field == "is_bot")
        user.save(update_fields=[field])
        add_day(user, chips=100)
    assert draw_leaderboards(today=TODAY) == 0
    assert not LeaderboardPlace.objects.exists()


def test_redrawing_replaces_the_boards(make_player):
    user = make_player()
    add_day(user, chips=100)
    assert draw_leaderboards(today=TODAY) == draw_leaderboards(today=TODAY) == 3
    DayTotal.objects.update(chips=40)
    draw_leaderboards(today=TODAY)
    assert list_lines(read_board()) == [(1, user.player_name, 40, 1)]


def test_the_players_own_line_is_always_shown(client, players, monkeypatch):
    monkeypatch.setattr("players.ranking.selectors.PLACES_SHOWN", 2)
    for place, player in enumerate(players):
        add_day(player, chips=100 - 40 * place)
    draw_leaderboards(today=TODAY)
    address = "/leaderboards/?by=CHIPS&game=POINTS&period=DAY"
    page = client.get(address).text
    assert [f"Player {number}" in page for number in (1, 2, 3, 4)] == [True, True, False, False]
    assert "+100 chips" in page
    client.force_login(players[3])
    page = client.get(address).text
    assert "Player 4</strong>" in page
    assert "\N{MINUS SIGN}20 chips" in page
    assert "Player 3" not in page
    client.force_login(players[0])
    assert client.get(address).text.count("<tr data-own>") == 1


def test_every_tab_leads_to_a_board(client, make_player):
    client.force_login(make_player())
    waiting, boards = [""], set()
    while waiting:
        answer = client.get(f"/leaderboards/{waiting.pop()}")
        assert "Nobody is listed here yet." in answer.text
        for choice in [choice for row in answer.context["rows"] for choice in row]:
            asked = parse_qs(choice.address.removeprefix("?"))
            read_board = asked["by"][0], asked["game"][0], asked["period"][0]
            if read_board not in boards:
                boards.add(read_board)
                waiting.append(choice.address)
    games = [":".join(game) for game in list_offered_formats()]
    assert boards == {*product(Board.values, games, Period.values)}
    for query in ("?by=CASH", "?game=CHESS", "?period=YEAR"):
        assert client.get(f"/leaderboards/{query}").status_code == 404


def test_a_long_board_is_drawn_less_often(make_player, monkeypatch):
    monkeypatch.setattr(leaderboards, "REST_FOR_A_PLACE", timedelta(seconds=30))
    people = [make_player() for _ in range(3)]
    today = timezone.localdate()
    for chips, user in enumerate(people, 1):
        add_day(user, day=today, chips=chips)
    assert draw_all_leaderboards() == 9  # three periods of one board
    newcomer = make_player()
    add_day(newcomer, day=today, chips=9)
    assert draw_leaderboards() == 0
    assert read_board().places[0].value == 3
    LeaderboardPlace.objects.update(drawn_at=Now() - timedelta(seconds=91))  # 3 places
    assert draw_leaderboards() == 12
    assert read_board().places[0].value == 9


def test_a_new_day_begins_with_an_empty_board(make_player, monkeypatch):
    monkeypatch.setattr(leaderboards, "REST_FOR_A_PLACE", timedelta(days=1))
    today = timezone.localdate()
    add_day(make_player(), day=today, chips=5)
    assert draw_leaderboards(today=today) == 3
    assert draw_leaderboards(today=today + timedelta(days=1)) >= 1
    assert read_board(Period.DAY).places == []
