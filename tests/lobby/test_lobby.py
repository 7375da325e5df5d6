"""The lobby: tiles of games, "Play now", the player's own tables."""

import json
import re
from typing import Any

import pytest
from django.urls import reverse

from games.registry import GAMES
from lobby.selectors import LobbyFilter, list_kinds
from tables.models import TableTemplate
from tables.seating.supply import play_now
from tests.given import require
from tests.tables.driving import make_cup, make_kind, seat_all

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
    """Return the offers of each tile, by game."""
    found = re.findall(
        r'data-tile="(\w+)".*?<script type="application/json">(.*?)</script>', page, re.S
    )
    return {game: json.loads(options) for game, options in found}


def read_target_of_play_now(page: str) -> str:
    return require(re.search(r'hero--play.*?action="([^"]+)"', page, re.S))[1]


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
    assert page.index("Sal Room") < page.index("Ready for a deal?")
    assert "Teak Room" not in page
    listed = client.get(reverse("all_tables")).text
    words = {
        name: re.search(rf'>\s*(Return|Watch|Play)\s*<span class="visually-hidden">{name}', listed)
        for name in ("Sal Room", "Teak Room")
    }
    assert {name: require(found)[1] for name, found in words.items()} == {
        "Sal Room": "Return",
        "Teak Room": "Play",
    }
    client.logout()
    assert "Return" not in client.get(reverse("all_tables")).text


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
