"""The list of public tables to watch."""

import pytest
from django.core.cache import cache
from django.utils import timezone, translation

from lobby import watching
from lobby.watching import list_tables_to_watch
from tables.live import presence
from tables.models import Seat, Table
from tests.tables.driving import player_at, rate, start_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def begin(make_table, make_player):
    def begin(name, *ratings, **terms):
        table = make_table(name=name, **terms)
        players = [make_player() for _ in range(2)]
        for player, rating in zip(players, ratings, strict=False):
            rate(player, rating)
        return start_match(table, *players)

    return begin


@pytest.fixture
def spectators(monkeypatch):
    counts: dict[int, int] = {}
    monkeypatch.setattr(presence, "count_spectators_now", lambda _tables: counts)
    return counts


def list_names():
    return [shown.name for shown in list_tables_to_watch()]


def test_the_most_watched_come_first_and_then_the_best_rated(begin, spectators):
    begin("Nobody is rated")
    best = begin("Best", 1_801, 1_700.2)
    begin("Good", 1_720)
    watched = begin("Watched", 1_400)
    spectators[watched.pk] = 3
    assert list_names() == ["Watched", "Best", "Good", "Nobody is rated"]
    first, second, third, last = list_tables_to_watch()
    assert (first.spectators, second.spectators) == (3, 0)
    assert (second.rating, third.rating, last.rating) == (1_751, 1_720, None)
    assert second.players == [player_at(best, seat).player_name for seat in (0, 1)]
    assert (second.title, second.url) == ("Points", f"/tables/{best.pk}/")


@pytest.mark.parametrize(
    "change",
    [
        {"invite_code": "abcdefghijkl"},
        {"allows_watchers": False, "invite_code": "abcdefghijkl", "admission": "ANYBODY"},
        {"broken_at": timezone.now(), "deadline_at": None},
        {"status": "BETWEEN", "deadline_at": None},
        {"closing_at": timezone.now()},
    ],
    ids=["private", "without watchers", "out of order", "between matches", "closing"],
)
def test_only_public_tables_in_play_are_shown(begin, spectators, change):
    table = begin("Teak")
    assert list_names() == ["Teak"]
    Table.objects.filter(pk=table.pk).update(**change)
    assert list_names() == []


def test_a_table_of_one_person_and_bots_is_not_shown(begin, spectators):
    table = begin("Teak")
    bot = Seat.objects.get(table=table, number=1).user
    bot.is_bot = True
    bot.save(update_fields=["is_bot"])
    assert list_names() == []


def test_many_tables_are_read_in_two_queries_and_then_in_none(
    begin, spectators, django_assert_num_queries, monkeypatch
):
    monkeypatch.setattr(watching, "SECONDS_SHOWN", 10)
    for number in range(3):
        begin(f"Room {number}", 1_500 + number)
    with django_assert_num_queries(2):
        read = list_tables_to_watch()
    assert [shown.name for shown in read] == ["Room 2", "Room 1", "Room 0"]
    with django_assert_num_queries(0):
        assert list_tables_to_watch() == read
    with translation.override("hi"), django_assert_num_queries(2):
        assert [shown.title for shown in list_tables_to_watch()] == ["पॉइंट्स"] * 3
    cache.clear()


def test_the_page_lists_all_tables_and_the_lobby_only_the_best(begin, spectators, client):
    assert "There is no public table to watch now." in client.get("/tables/watch/").text
    begin("Teak", 1_700)
    begin("Rosewood", 1_800)
    page = client.get("/tables/watch/").text
    assert page.index("Rosewood") < page.index("Teak")
    assert "rated 1800 on average" in page
    lobby = client.get("/").text
    assert "Rosewood" in lobby
    assert "Teak" not in lobby
