"""A second game, from the template to the leaderboard. Only its own file adds it to the site."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from core.threads import in_thread
from games.engine.game import guard_game
from games.registry import GAMES
from history.records import deal_record
from history.replay import build_replay
from players.models import Board, DayTotal, Period
from players.ranking.leaderboards import draw_leaderboards
from players.ranking.ratings import count_matches
from players.ranking.selectors import rank_players
from tables.catalog import check_game_pages
from tables.models import Change, Match, MatchStatus, PlayerRating, Table
from tables.seating.supply import keep_supplied, play_now
from tests.games.highest_card import GAME as HIGHEST
from tests.tables.driving import (
    act,
    chips_of,
    expire_turn,
    game_view,
    get_match,
    make_kind,
    player_at,
    seat_a_bot,
    start_match,
    start_with_a_bot,
)
from tests.tables.live.programs import await_state, connect, is_own_turn, make_tokens
from wallet.ledger.checks import reconcile

UP = {"kind": "turn_up"}


@pytest.fixture(autouse=True)
def game(monkeypatch, settings):
    settings.GAMES_OFFERED = ["indian", "highest"]
    monkeypatch.setitem(GAMES, "highest", guard_game(HIGHEST))
    return GAMES["highest"]


def turn_all_up(table):
    for seat in game_view(table)["order"]:
        assert act(table, seat, kind="turn_up").refusal is None
    return Match.objects.get(table=table, status=MatchStatus.FINISHED)


@pytest.mark.django_db
def test_a_kind_of_the_game_is_supplied_and_listed_in_the_lobby(client, make_player, fees):
    kind = make_kind(game="highest", name="Sal Grove", point_value=3)
    keep_supplied()
    table = Table.objects.get(template=kind)
    assert (table.game, table.format, table.rules["name"]) == ("highest", "POINTS", "points")
    assert table.min_buy_in == 240  # the largest loss, eighty points, at three chips
    page = client.get(reverse("all_tables"), {"game": "highest:POINTS", "free": "1"}).text
    assert "Sal Grove" in page
    assert re.search(r'aria-current="page">Highest card</a>', page)
    assert (
        "Sal Grove" not in client.get(reverse("all_tables"), {"game": "indian", "free": "1"}).text
    )
    play_now(template_id=kind.pk, user_id=make_player().pk)
    assert table.sittings.count() == 1
    # The game has no page, which a check reports at start.
    assert client.get(reverse("table", args=[table.pk])).status_code == 404
    assert [warning.id for warning in check_game_pages()] == ["tables.W001"]


@pytest.mark.django_db
def test_points_are_settled_shown_replayed_and_rated(client, make_player, make_table):
    table = make_table(game="highest", point_value=3, is_rated=True)
    players = [make_player(), make_player()]
    before = sum(map(chips_of, players))
    start_match(table, *players)
    match = turn_all_up(table)
    assert match.settlement["gross"] == 30
    winner = match.result["winners"][0]
    assert match.settlement["amounts"][str(winner)] == match.settlement["net"]
    assert match.settlement["amounts"][str(1 - winner)] == -30
    assert reconcile().findings == ()
    assert sum(map(chips_of, players)) <= before

    client.force_login(player_at(table, 0))
    assert "Highest card" in client.get(f"/matches/{match.pk}/").text
    assert "Highest card" in client.get("/matches/?game=highest:POINTS").text
    record: Any = deal_record(match_id=match.pk, number=1)
    assert record["game"] == "highest"
    assert [step["move"] for step in record["steps"]] == [UP, UP]
    replay: Any = build_replay(match, number=1)
    assert [len(step["events"]) for step in replay["steps"]] == [1, 3]
    assert client.get(f"/matches/{match.pk}/deals/1/").status_code == 404

    Match.objects.update(ended_at=timezone.now() - timedelta(minutes=1))
    assert count_matches() == 1
    ratings = PlayerRating.objects.values_list("game", "format", "matches")
    assert list(ratings) == [("highest", "POINTS", 1)] * 2
    assert set(DayTotal.objects.values_list("game", "format")) == {("highest", "POINTS")}
    draw_leaderboards()
    best = rank_players(Board.CHIPS, ("highest", "POINTS"), Period.ALL, user_id=None)
    assert [row.user_id for row in best.places] == [player_at(table, winner).pk]
    indian = rank_players(Board.CHIPS, ("indian", "POINTS"), Period.ALL, user_id=None)
    assert indian.places == []


@pytest.mark.django_db
def test_a_pot_of_the_game_is_settled(make_player, make_table):
    opened = make_table(game="highest", preset="pot", entry_fee=100, max_seats=3)
    table = start_match(opened, *(make_player() for _ in range(3)))
    match = turn_all_up(table)
    assert match.settlement["gross"] == 300
    assert match.settlement["amounts"][str(match.result["winners"][0])] == (
        match.settlement["net"] - 100
    )
    assert reconcile().findings == ()


@pytest.mark.django_db
def test_bots_play_the_game_and_silent_players_are_played_for(make_player, make_table):
    table = make_table(game="highest", bots_wanted=1)
    [bots_seat] = start_with_a_bot(table, make_player()).bot_seats
    while (turn := game_view(table)["turn"]) is not None:
        move = seat_a_bot if turn == bots_seat else expire_turn
        assert move(table) is not None
    match = get_match(table)
    assert match.status == MatchStatus.FINISHED
    causes = Change.objects.filter(match=match).order_by("pk").values_list("kind", "seat")
    assert set(causes) == {("STARTED", None), ("MOVE", bots_seat), ("EXPIRY", None)}


async def test_two_people_play_the_game_over_sockets(
    live_site, transactional_db, make_player, make_table
):
    def begin():
        opened = make_table(game="highest", allows_api_players=True)
        table = start_match(opened, make_player(), make_player())
        return table, make_tokens(table)

    table, tokens = await in_thread(begin)
    async with (
        connect(live_site, table, tokens[0]) as first,
        connect(live_site, table, tokens[1]) as second,
    ):
        states = [await await_state(one) for one in (first, second)]
        turn = states[0]["game"]["turn"]
        assert states[turn]["you"]["legal"] == [{"kind": "turn_up"}, {"kind": "leave"}]
        assert states[1 - turn]["you"]["legal"] == [{"kind": "leave"}]
        assert states[0]["you"]["hand"] != states[1]["you"]["hand"]
        mover, other = ((first, second), (second, first))[turn]
        await mover.act(UP)
        await await_state(other, is_own_turn)
        await other.act(UP)
    finished = await in_thread(Match.objects.get, table=table)
    assert finished.status == MatchStatus.FINISHED
