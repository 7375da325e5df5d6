"""The lobby: tiles of games, "Play now", and the player's own tables."""

import json
import re
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.urls import reverse

from games.registry import GAMES
from lobby.selectors import LobbyFilter, list_kinds
from players.clubs.services import found_club
from tables.catalog import has_template
from tables.models import JoinBy, Table, TableStatus, TableTemplate
from tables.seating.supply import play_now
from tests.given import require
from tests.tables.driving import make_cup, make_kind, seat_all
from tournaments.running.tick import tick

pytestmark = pytest.mark.django_db


@pytest.fixture
def several(transactional_db, settings, fees) -> list[TableTemplate]:
    settings.GAMES_OFFERED = ["indian", "gin"]
    return [
        make_kind(preset="pool101", entry_fee=200, bots_wanted=1),
        make_kind(point_value=5),
        make_kind(bots_wanted=1),
        make_kind(game="gin"),
    ]


def read_tiles(page: str) -> dict[str, list[dict[str, Any]]]:
    """Return the offers on each tile, by game."""
    found = re.findall(
        r'data-tile="(\w+)".*?<script type="application/json">(.*?)</script>', page, re.S
    )
    return {game: json.loads(options) for game, options in found}


def read_target_of_play_now(page: str) -> str:
    """Return the address to which the first "Play now" of the page leads."""
    return require(re.search(r'class="game".*?action="([^"]+)"', page, re.S))[1]


def test_there_is_a_tile_for_each_game_that_is_offered(several, client):
    found = read_tiles(client.get("/").text)
    assert list(found) == ["indian", "gin"]
    pool, dear, practice, gin = several
    # The game's usual format first, then the cheapest.
    assert [option["id"] for option in found["indian"]] == [practice.pk, dear.pk, pool.pk]
    assert [option["id"] for option in found["gin"]] == [gin.pk]
    assert found["indian"][0] == {
        "id": practice.pk,
        "code": "POINTS",
        "told": True,
        "format": "Points",
        "seats": 2,
        "players": "2 players",
        "summary": "Points · 2 players · 1 chip a point",
        "stake": "1 chip a point",
        "value": 1,
        "money": "CHIPS",
        "practice": True,
        "brings": "You bring up to 160 chips",
        "facts": "practice with bots",
        "rules": "",
    }
    assert found["indian"][2]["stake"] == "Entry 200 chips"
    assert [kind.template for kind in list_kinds(LobbyFilter(game="gin"))] == [gin]


def test_a_game_that_is_not_offered_or_has_no_kind_has_no_tile(several, client, settings):
    settings.GAMES_OFFERED = ["indian"]
    assert list(read_tiles(client.get("/").text)) == ["indian"]
    settings.GAMES_OFFERED = list(GAMES)
    TableTemplate.objects.filter(game="indian").update(is_open=False)
    assert list(read_tiles(client.get("/").text)) == ["gin"]


def test_cash_is_offered_only_where_cash_play_is_on(several, client, settings):
    cash = make_kind(currency="INR", point_value=10)
    settings.CASH_PLAY = "off"
    page = client.get("/").text
    assert cash.pk not in [option["id"] for option in read_tiles(page)["indian"]]
    assert 'data-wish="money"' not in page
    settings.CASH_PLAY = "sandbox"
    page = client.get("/").text
    (option,) = (option for option in read_tiles(page)["indian"] if option["id"] == cash.pk)
    assert (option["stake"], option["money"]) == ("₹0.10 a point", "INR")
    assert 'data-wish="money"' in page


def test_play_now_offers_practice_first_and_then_the_last_kind_played(several, client, make_player):
    player = make_player()
    pool, _dear, practice, gin = several
    client.force_login(player)
    page = client.get("/").text
    assert read_target_of_play_now(page) == reverse("tables:play", args=[practice.pk])
    assert "Learn in one deal" in page
    for template in (pool, gin):
        play_now(template_id=template.pk, user_id=player.pk)
        assert read_target_of_play_now(client.get("/").text) == reverse(
            "tables:play", args=[template.pk]
        )
    TableTemplate.objects.filter(pk=gin.pk).update(is_open=False)
    assert read_target_of_play_now(client.get("/").text) == reverse("tables:play", args=[pool.pk])


def test_tables_of_the_player_come_first_and_say_return(several, client, make_player, make_table):
    player = make_player()
    seat_all(make_table(name="Sal Room"), player, make_player())
    make_table(name="Teak Room")
    client.force_login(player)
    page = client.get("/").text
    assert page.index("Sal Room") < page.index("Choose your game")
    assert "Teak Room" not in page
    assert read_ways(client.get(reverse("all_tables")).text) == {"Sal Room": "Return"}
    with_a_free_seat = client.get(reverse("all_tables") + "?free=1").text
    assert read_ways(with_a_free_seat)["Teak Room"] == "Join"
    client.logout()
    assert read_ways(client.get(reverse("all_tables")).text) == {"Sal Room": "Watch"}


def read_ways(page: str) -> dict[str, str]:
    """Return the action (Return, Watch or Join) offered for each table on the page of all tables, by table name."""
    found = re.findall(
        r'>\s*(Return|Watch|Join)\s*<span class="visually-hidden">([^<]+)</span>', page
    )
    return {name: way for way, name in found}


def test_a_table_in_the_list_shows_its_game_and_who_sits_there(
    several, client, make_player, make_table
):
    asha, ravi = make_player(), make_player()
    seat_all(make_table(name="Sal Room", max_seats=4), asha, ravi)
    row = require(re.search(r'class="table-row".*?</li>', client.get("/tables/").text, re.S))[0]
    assert re.search(r"Indian rummy · Points", row)
    assert [row.count(words) for words in ("2 of 4", 'class="free-seat"', 'class="face')] == [
        1,
        2,
        2,
    ]
    assert row.index(asha.player_name) < row.index(ravi.player_name)


def test_an_empty_list_says_why_and_what_to_do(several, client):
    page = client.get(reverse("all_tables")).text
    assert "Nobody sits at a table like that just now." in page
    for address in (reverse("lobby"), reverse("tables:host", args=["indian"]), "?free=1"):
        assert f'href="{address}"' in page
    page = client.get(reverse("all_tables") + "?game=gin&free=1").text
    assert "No table like that has a free seat now." in page
    assert f'href="{reverse("tables:host", args=["gin"])}"' in page


def test_a_tile_says_who_waits_or_plays_or_that_bots_are_ready(
    several, client, make_player, make_table
):
    def read_badges():
        found = re.findall(r'id="live-(\w+)"[^>]*>([^<]*)<', client.get("/").text)
        return dict(found)

    assert read_badges() == {"indian": "bots ready", "gin": ""}
    table = make_table(name="Sal Room")
    seat_all(table, make_player())
    assert read_badges()["indian"] == "1 waiting"
    Table.objects.filter(pk=table.pk).update(status=TableStatus.PLAYING)
    assert read_badges()["indian"] == "1 playing"
    # The lobby's refresh, every few seconds, includes the badges.
    answer = client.get("/", headers={"HX-Request": "true"}).text
    assert re.search(r'id="live-indian" hx-swap-oob="true"\s*>1 playing<', answer)


def test_every_game_brings_its_picture_and_one_without_has_backs(several, client, settings):
    settings.GAMES_OFFERED = list(GAMES)
    for code in GAMES:
        assert has_template(code, "_art")
    page = client.get("/").text
    assert page.count('class="art ') == 2
    picture = render_to_string(("games/none/_art.html", "games/_art.html"))
    assert "card--back" in picture


def test_what_waits_for_the_player_stands_before_the_games(several, client, make_player):
    player = make_player()
    cup = make_cup(minutes=30, name="Monsoon Cup")
    tick()
    client.force_login(player)
    waiting = client.get("/").text.split('class="games-head"')[0]
    assert "Play a first deal" in waiting
    assert "Monsoon Cup" not in waiting
    client.post(reverse("tournaments:register", args=[cup.pk]))
    waiting = client.get("/").text.split('class="games-head"')[0]
    assert "Monsoon Cup" in waiting


def test_a_tournament_is_entered_from_the_lobby(several, client, make_player):
    cup = make_cup(minutes=30)
    tick()
    entering = f'action="{reverse("tournaments:register", args=[cup.pk])}"'
    assert entering not in client.get("/").text  # a visitor is first shown the game's page
    client.force_login(make_player())
    assert entering in client.get("/").text
    client.post(reverse("tournaments:register", args=[cup.pk]))
    assert entering not in client.get("/").text


def test_friends_and_clubs_stand_beside_the_games(several, client, make_player):
    player = make_player()
    client.force_login(player)
    page = client.get("/").text
    assert "No friend is online." in page
    club = found_club(
        user_id=player.pk, name="Family club", about="", icon="lotus", join_by=JoinBy.LINK
    )
    page = client.get("/").text
    assert "Family club" in page
    assert f'href="{reverse("clubs:club", args=[club.pk])}"' in page


def test_a_player_at_two_tables_is_counted_once(several, client, make_player, make_table):
    first, second = make_player(), make_player()
    for _ in range(2):
        seat_all(make_table(), first, second)
    for headers in ({}, {"HX-Request": "true"}):
        page = client.get("/", headers=headers).text
        assert re.search(r"<strong>2</strong>\s*people are playing now", page)
        assert ("<html" in page) == ("data-tile" in page) == (not headers)


def test_the_next_tournaments_are_shown_in_order_of_their_start(several, client):
    later, sooner = make_cup(minutes=30), make_cup(minutes=20)
    page = client.get("/").text
    starts = [int(ms) for ms in re.findall(r'data-starts="(\d+)"', page)]
    assert starts == [round(row.starts_at.timestamp() * 1000) for row in (sooner, later)]
