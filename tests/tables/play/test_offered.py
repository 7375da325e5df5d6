"""The games that a site offers to its players."""

from typing import Any

import pytest
from django.urls import reverse

from games.engine.base import InvalidRules
from games.engine.game import guard_game
from games.registry import GAMES
from tables.catalog import (
    check_game_pages,
    check_games_installed,
    get_default_game,
    has_page,
    is_choice,
    list_game_choices,
    list_offered_formats,
    list_offered_games,
    title_of_format,
)
from tables.seating.supply import check_stakes
from tests.games.highest_card import GAME as HIGHEST
from wallet.fees.formats import find_charged_format


@pytest.fixture(autouse=True)
def _installed(monkeypatch):
    monkeypatch.setitem(GAMES, "highest", guard_game(HIGHEST))


def test_by_default_every_game_with_a_page_is_offered(settings):
    settings.GAMES_OFFERED = []
    assert list(list_offered_games()) == [code for code in GAMES if has_page(code)]
    assert {"indian", "gin"} <= set(list_offered_games())
    assert "highest" not in list_offered_games()  # this game has no page
    assert get_default_game() is GAMES["indian"]
    assert check_games_installed() == check_game_pages() == []


def test_a_site_of_one_game_names_only_formats(settings):
    settings.GAMES_OFFERED = ["indian"]
    assert [title_of_format(*one) for one in list_offered_formats()] == ["Points", "Pool", "Deals"]


def test_a_site_of_several_games_names_them(settings):
    settings.GAMES_OFFERED = ["highest", "indian"]
    assert get_default_game() is GAMES["highest"]
    assert list_game_choices() == [("highest", "Highest card"), ("indian", "Indian rummy")]
    assert title_of_format("indian", "POOL") == "Indian rummy · Pool"
    assert find_charged_format("highest", "POT") is not None


def test_a_choice_is_an_offered_game_or_format(settings):
    settings.GAMES_OFFERED = ["indian"]
    read = [
        value
        for value in ("indian", "indian:POOL", "POOL", "gin", "gin:POINTS", "indian:POT", "")
        if is_choice(value)
    ]
    assert read == ["indian", "indian:POOL", "POOL"]


def test_an_unknown_offered_game_stops_the_site(settings):
    settings.GAMES_OFFERED = ["indian", "whist"]
    [error] = check_games_installed()
    assert (error.id, "highest" in str(error.hint)) == ("tables.E001", True)


@pytest.mark.parametrize(
    ("terms", "sentence"),
    [
        ({"seats": 7}, "is for 2 to 6 players"),
        ({"point_value": 0}, "need a point value"),
    ],
)
def test_a_template_must_fit_the_rules_of_its_game(terms, sentence):
    rules = GAMES["indian"].rules.preset("points")
    good: dict[str, Any] = {"game": "indian", "rules": rules, "seats": 6, "point_value": 1}
    check_stakes(**good)
    with pytest.raises(InvalidRules, match=sentence):
        check_stakes(**{**good, **terms})


@pytest.mark.django_db
def test_old_addresses_of_a_format_still_work(client):
    for address in (
        "/leaderboards/?game=POOL",
        reverse("all_tables") + "?game=POOL",
        reverse("all_tables") + "?game=indian:POOL",
    ):
        assert client.get(address).status_code == 200
    assert client.get("/leaderboards/?game=whist:POOL").status_code == 404
