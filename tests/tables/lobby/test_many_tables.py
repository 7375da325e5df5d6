"""The lobby of a site with more tables than anybody reads."""

import re

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tables.learning.lessons import begin_lesson
from tables.lobby import selectors
from tables.lobby.selectors import (
    LobbyFilter,
    count_people_playing,
    count_people_seated,
    list_kinds,
    list_lobby_tables,
)
from tables.models import Seat, Table, TableStatus
from tables.seating.sitting import take_seat
from tables.seating.supply import keep_supplied, open_from, play_now
from tests.tables.driving import leave, make_kind, open_and_sit
from wallet import api as wallet

pytestmark = pytest.mark.django_db


@pytest.fixture
def template():
    wallet.set_starting_fees(valid_from=timezone.now())
    return make_kind(name="Many")


def sit(table, user):
    take_seat(table_id=table.pk, user_id=user.pk, amount=80)


def count_taken(table):
    return Table.objects.values_list("seats_taken", flat=True).get(pk=table.pk)


class TestSeatsTaken:
    def test_follow_who_comes_and_goes(self, template, make_player):
        table, asha, bela = open_from(template), make_player(), make_player()
        assert count_taken(table) == 0
        sit(table, asha)
        assert count_taken(table) == 1
        sit(table, bela)
        assert count_taken(table) == 2
        leave(table, asha)
        seated = Seat.objects.filter(table=table, left_at=None).count()
        assert count_taken(table) == seated < 2

    def test_of_many_rows_at_once(self, template, make_player):
        tables = [open_from(template) for _ in range(3)]
        people = [make_player() for _ in range(2)]
        Seat.objects.bulk_create(
            Seat(table=table, number=number, user=user)
            for table in tables[:2]
            for number, user in enumerate(people)
        )
        assert [count_taken(table) for table in tables] == [2, 2, 0]
        Seat.objects.filter(table=tables[0]).delete()
        Seat.objects.filter(table=tables[1], number=1).update(left_at=tables[1].created_at)
        assert [count_taken(table) for table in tables] == [0, 1, 0]
        Seat.objects.filter(table=tables[1], number=1).update(left_at=None)
        assert count_taken(tables[1]) == 2

    def test_who_has_left_long_ago_counts_for_nothing(self, template, make_player):
        table, asha = open_from(template), make_player()
        Seat.objects.create(table=table, number=0, user=asha, left_at=table.created_at)
        assert count_taken(table) == 0
        Seat.objects.filter(table=table).delete()
        assert count_taken(table) == 0


class TestList:
    def test_of_too_many_tables_shows_those_with_a_free_seat(
        self, template, make_player, monkeypatch
    ):
        monkeypatch.setattr(selectors, "TABLES_SHOWN", 3)
        tables = [open_from(template) for _ in range(5)]
        for table in tables[:3]:
            for user in (make_player(), make_player()):
                sit(table, user)
        listed = list_lobby_tables()
        assert [entry.table for entry in listed.entries] == [tables[0], *tables[3:]]
        assert [entry.seated for entry in listed.entries] == [2, 0, 0]
        assert listed.has_more
        free = list_lobby_tables(LobbyFilter(free_only=True))
        assert [entry.table for entry in free.entries] == tables[3:]
        assert not free.has_more

    def test_says_that_there_are_more(self, template, client, make_player, monkeypatch):
        client.force_login(make_player())
        for _ in range(3):
            open_from(template)
        page = client.get(reverse("tables:all")).text
        assert "There are more tables than this." not in page
        monkeypatch.setattr(selectors, "TABLES_SHOWN", 2)
        page = client.get(reverse("tables:all")).text
        assert "There are more tables than this." in page
        assert len(re.findall('data-table="', page)) == 2
        answer = client.get("/api/v1/lobby/").json()
        assert (len(answer["tables"]), answer["more_tables"]) == (2, True)


class TestPlayNow:
    def test_reads_only_tables_with_a_free_seat(self, template, make_player):
        """As many questions and rows, however many full tables there are."""
        asked = []
        for number in range(2):
            kind = make_kind(name="Full")
            for _ in range(number * 4):
                table = open_from(kind)
                for user in (make_player(), make_player()):
                    sit(table, user)
            open_from(kind)
            asha = make_player()
            with CaptureQueriesContext(connection) as queries:
                play_now(template_id=kind.pk, user_id=asha.pk)
            asked.append(len(queries))
        assert asked[0] == asked[1]

    def test_opens_a_table_where_all_that_were_tried_refuse(
        self, template, make_player, monkeypatch
    ):
        monkeypatch.setattr("tables.seating.supply.TABLES_TRIED", 1)
        asha = make_player()
        first, second = open_from(template), open_from(template)
        Table.objects.filter(pk=first.pk).update(removed=[asha.pk])
        play_now(template_id=template.pk, user_id=asha.pk)
        assert [count_taken(first), count_taken(second)] == [0, 0]
        assert Seat.objects.get(user=asha).table_id not in {first.pk, second.pk}

    def test_supply_keeps_one_empty_table_and_none_beside_one_that_is_waited_at(
        self, template, make_player
    ):
        tables = [open_from(template) for _ in range(3)]
        keep_supplied()
        open_ones = Table.objects.filter(template=template).exclude(status=TableStatus.CLOSED)
        assert list(open_ones.all()) == [tables[0]]
        other = open_from(template)
        sit(other, make_player())
        keep_supplied()
        assert list(open_ones.all()) == [other]


class TestPeople:
    def test_are_counted_each_time_where_they_are_few(self, template, make_player):
        assert count_people_playing() == 0
        sit(open_from(template), make_player())
        assert count_people_playing() == 1
        assert count_people_seated().by_template == {template.pk: 1}

    def test_the_game_of_a_tile_counts_lessons_and_private_tables_too(self, template, make_player):
        sit(open_from(template), make_player())
        open_and_sit(template, make_player())
        begin_lesson(user_id=make_player().pk, game=template.game)
        assert count_people_playing() == 3
        assert count_people_seated().by_game == {template.game: 3}
        assert {kind.people_of_game for kind in list_kinds()} == {3}

    def test_bots_are_none(self, template, make_player):
        table = open_from(template)
        sit(table, make_player())
        Table.objects.filter(pk=table.pk).update(bot_seats=[1])
        bot = make_player()
        Seat.objects.create(table=table, number=1, user=bot)
        assert count_people_seated().by_template == {template.pk: 1}


class TestCrowded:
    @pytest.fixture(autouse=True)
    def few(self, monkeypatch):
        monkeypatch.setattr(selectors, "SMALL", 2)
        cache.clear()

    def test_much_is_counted_once_in_a_while(self, monkeypatch):
        figures = iter([5, 7, 1, 1])
        now = [1_000.0]
        monkeypatch.setattr("tables.lobby.selectors.time.time", lambda: now[0])

        def ask():
            return selectors.count_seldom("figures", lambda: next(figures), size=int)

        assert [ask(), ask()] == [5, 5]
        now[0] += selectors.SHOWN_FOR_SECONDS
        assert [ask(), ask()] == [7, 7]
        now[0] += selectors.SHOWN_FOR_SECONDS
        assert [ask(), ask()] == [1, 1]  # little: counted each time
        assert list(figures) == []

    def test_one_process_counts_and_the_others_show_the_last_figure(self, monkeypatch):
        now = [1_000.0]
        monkeypatch.setattr("tables.lobby.selectors.time.time", lambda: now[0])
        assert selectors.count_seldom("figures", lambda: 5, size=int) == 5
        now[0] += selectors.SHOWN_FOR_SECONDS

        def counts_while_another_asks():
            assert selectors.count_seldom("figures", lambda: 9, size=int) == 5
            return 6

        assert selectors.count_seldom("figures", counts_while_another_asks, size=int) == 6
        assert selectors.count_seldom("figures", lambda: 9, size=int) == 6
