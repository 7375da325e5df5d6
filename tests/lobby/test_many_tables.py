"""The lobby of a site with many tables."""

import re

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from lobby import selectors
from lobby.selectors import (
    LobbyFilter,
    count_people_playing,
    count_people_seated,
    list_lobby_tables,
)
from tables.learning.lessons import begin_lesson
from tables.models import Seat, Table, TableStatus
from tables.seating.supply import open_from, play_now
from tests.given import reload
from tests.tables.driving import make_kind, open_and_sit, seat_all

pytestmark = pytest.mark.django_db


@pytest.fixture
def template(fees):
    return make_kind(name="Many")


class TestSeatsTaken:
    def test_seats_taken_follows_rows_written_in_bulk(self, template, make_player):
        tables = [open_from(template) for _ in range(3)]
        people = [make_player() for _ in range(2)]
        Seat.objects.bulk_create(
            Seat(table=table, number=number, user=user)
            for table in tables[:2]
            for number, user in enumerate(people)
        )
        assert [reload(table).seats_taken for table in tables] == [2, 2, 0]
        Seat.objects.filter(table=tables[0]).delete()
        Seat.objects.filter(table=tables[1], number=1).update(left_at=tables[1].created_at)
        assert [reload(table).seats_taken for table in tables] == [0, 1, 0]
        Seat.objects.filter(table=tables[1], number=1).update(left_at=None)
        assert reload(tables[1]).seats_taken == 2

    def test_a_seat_that_was_left_does_not_count(self, template, make_player):
        table, asha = open_from(template), make_player()
        Seat.objects.create(table=table, number=0, user=asha, left_at=table.created_at)
        assert reload(table).seats_taken == 0
        Seat.objects.filter(table=table).delete()
        assert reload(table).seats_taken == 0


class TestList:
    def test_the_list_keeps_tables_with_a_free_seat(self, template, make_player, monkeypatch):
        monkeypatch.setattr(selectors, "TABLES_SHOWN", 3)
        tables = [open_from(template) for _ in range(5)]
        for table in tables[:3]:
            seat_all(table, make_player(), make_player(), amount=80)
        listed = list_lobby_tables()
        assert [entry.table for entry in listed.entries] == [tables[0], *tables[3:]]
        assert [entry.seated for entry in listed.entries] == [2, 0, 0]
        assert listed.has_more
        free = list_lobby_tables(LobbyFilter(free_only=True))
        assert [entry.table for entry in free.entries] == tables[3:]
        assert not free.has_more

    def test_empty_tables_leave_no_room_to_those_where_somebody_sits(
        self, template, make_player, monkeypatch
    ):
        monkeypatch.setattr(selectors, "TABLES_SHOWN", 2)
        tables = [open_from(template) for _ in range(4)]
        seat_all(tables[3], make_player(), amount=80)
        assert tables[3] in [entry.table for entry in list_lobby_tables().entries]
        occupied = list_lobby_tables(LobbyFilter(occupied_only=True))
        assert [entry.table for entry in occupied.entries] == [tables[3]]
        assert not occupied.has_more

    def test_the_page_says_that_there_are_more_tables(
        self, template, client, make_player, monkeypatch
    ):
        client.force_login(make_player())
        for _ in range(3):
            open_from(template)
        page = client.get(reverse("all_tables") + "?free=1").text
        assert "There are more tables than these." not in page
        monkeypatch.setattr(selectors, "TABLES_SHOWN", 2)
        page = client.get(reverse("all_tables") + "?free=1").text
        assert "There are more tables than these." in page
        assert len(re.findall('data-table="', page)) == 2
        answer = client.get("/api/v1/lobby/").json()
        assert (len(answer["tables"]), answer["more_tables"]) == (2, True)


class TestPlayNow:
    def test_play_now_costs_the_same_queries_however_many_tables_are_full(
        self, template, make_player
    ):
        asked = []
        for number in range(2):
            kind = make_kind(name="Full")
            for _ in range(number * 4):
                table = open_from(kind)
                seat_all(table, make_player(), make_player(), amount=80)
            open_from(kind)
            asha = make_player()
            with CaptureQueriesContext(connection) as queries:
                play_now(template_id=kind.pk, user_id=asha.pk)
            asked.append(len(queries))
        assert asked[0] == asked[1]

    def test_play_now_opens_a_table_when_those_tried_refuse(
        self, template, make_player, monkeypatch
    ):
        monkeypatch.setattr("tables.seating.supply.TABLES_TRIED", 1)
        asha = make_player()
        first, second = open_from(template), open_from(template)
        Table.objects.filter(pk=first.pk).update(removed=[asha.pk])
        play_now(template_id=template.pk, user_id=asha.pk)
        assert [reload(first).seats_taken, reload(second).seats_taken] == [0, 0]
        assert Seat.objects.get(user=asha).table_id not in {first.pk, second.pk}


class TestPeople:
    def test_few_people_are_counted_each_time(self, template, make_player):
        assert count_people_playing() == 0
        seat_all(open_from(template), make_player(), amount=80)
        assert count_people_playing() == 1
        assert count_people_seated().by_template == {template.pk: 1}

    def test_a_game_counts_people_in_lessons_and_at_private_tables(self, template, make_player):
        seat_all(open_from(template), make_player(), amount=80)
        open_and_sit(template, make_player())
        begin_lesson(user_id=make_player().pk, game=template.game)
        assert count_people_playing() == 3
        assert count_people_seated().by_game == {template.game: 3}

    def test_people_at_tables_of_the_lobby_wait_until_the_match_begins(self, template, make_player):
        waiting, playing = open_from(template), open_from(template)
        seat_all(waiting, make_player(), amount=80)
        seat_all(playing, make_player(), make_player(), amount=80)
        Table.objects.filter(pk=playing.pk).update(status=TableStatus.PLAYING)
        open_and_sit(template, make_player())  # a private table
        people = count_people_seated()
        assert people.waiting_by_game == {template.game: 1}
        assert people.by_game == {template.game: 4}

    def test_bots_are_not_counted_as_people(self, template, make_player):
        table = open_from(template)
        seat_all(table, make_player(), amount=80)
        Table.objects.filter(pk=table.pk).update(bot_seats=[1])
        bot = make_player()
        Seat.objects.create(table=table, number=1, user=bot)
        assert count_people_seated().by_template == {template.pk: 1}


class TestCrowded:
    @pytest.fixture(autouse=True)
    def few(self, monkeypatch):
        monkeypatch.setattr(selectors, "SMALL", 2)
        cache.clear()

    def test_large_figures_are_counted_once_in_a_while(self, monkeypatch):
        figures = iter([5, 7, 1, 1])
        now = [1_000.0]
        monkeypatch.setattr("lobby.selectors.time.time", lambda: now[0])

        def ask():
            return selectors.count_seldom("figures", lambda: next(figures), size=int)

        assert [ask(), ask()] == [5, 5]
        now[0] += selectors.SHOWN_FOR_SECONDS
        assert [ask(), ask()] == [7, 7]
        now[0] += selectors.SHOWN_FOR_SECONDS
        assert [ask(), ask()] == [1, 1]  # small figures are counted each time
        assert list(figures) == []

    def test_one_process_counts_and_the_others_show_the_last_figure(self, monkeypatch):
        now = [1_000.0]
        monkeypatch.setattr("lobby.selectors.time.time", lambda: now[0])
        assert selectors.count_seldom("figures", lambda: 5, size=int) == 5
        now[0] += selectors.SHOWN_FOR_SECONDS

        def counts_while_another_asks():
            assert selectors.count_seldom("figures", lambda: 9, size=int) == 5
            return 6

        assert selectors.count_seldom("figures", counts_while_another_asks, size=int) == 6
        assert selectors.count_seldom("figures", lambda: 9, size=int) == 6
