"""The page of a player who waits alone at a public table."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from tables.models import Match, Table, TableTemplate
from tables.seating.supply import open_from, play_now
from tests.tables.driving import make_kind, seat_all, start_match


@pytest.fixture
def people_only(transactional_db, fees) -> TableTemplate:
    return make_kind()


def read_words(client, player, table) -> str:
    """Return the text for a player who waits alone, or an empty string."""
    client.force_login(player)
    page = client.get(f"/tables/{table.pk}/").text
    _, is_there, after = page.partition('data-region="alone"')
    return " ".join(after.split("</div>")[0].split()) if is_there else ""


def sit_down(template, player) -> Table:
    play_now(template_id=template.pk, user_id=player.pk)
    return Table.objects.get(sittings__user=player)


def let_wait(template, *players, minutes: int) -> None:
    """Start a match for which the first player waited this many minutes."""
    table = start_match(open_from(template), *players)
    began = Match.objects.get(table=table).started_at
    table.sittings.filter(user=players[0]).update(joined_at=began - timedelta(minutes=minutes))


def test_the_page_says_how_long_others_have_waited(client, make_player, people_only):
    for minutes in (2, 3, 40):
        let_wait(people_only, make_player(), make_player(), minutes=minutes)
    player = make_player()
    said = read_words(client, player, sit_down(people_only, player))
    assert "Players at such tables have lately waited 3 minutes." in said


def test_the_page_says_that_nobody_has_come_lately(client, make_player, people_only):
    let_wait(people_only, make_player(), make_player(), minutes=2)
    Table.objects.update(created_at=timezone.now() - timedelta(days=8))
    player = make_player()
    said = read_words(client, player, sit_down(people_only, player))
    assert "Nobody has played at such a table this week." in said


def test_a_waiting_player_may_play_the_same_kind_with_bots_and_keeps_the_seat(
    client, make_player, people_only
):
    player = make_player()
    table = sit_down(people_only, player)
    assert "<form" not in read_words(client, player, table)
    make_kind(bots_wanted=1, is_open=False)
    gin = make_kind(game="gin", name="Gin", bots_wanted=1)
    bots = make_kind(bots_wanted=1)
    target = reverse("tables:play", args=[bots.pk])
    said = read_words(client, player, table)
    assert f'action="{target}"' in said
    assert reverse("tables:play", args=[gin.pk]) not in said
    client.post(target)
    seats = player.sittings.filter(left_at=None).values_list("table__template", flat=True)
    assert set(seats) == {people_only.pk, bots.pk}


def test_only_a_player_who_waits_alone_for_people_is_told(
    client, make_player, make_table, people_only
):
    first, second = make_player(), make_player()
    table = sit_down(people_only, first)
    assert read_words(client, first, table)
    # Not a visitor, nor two players, nor a player who waits for bots or friends.
    assert read_words(client, second, table) == ""
    assert sit_down(people_only, second) == table
    assert read_words(client, first, table) == ""
    practice, private = make_player(), make_player()
    assert read_words(client, practice, sit_down(make_kind(bots_wanted=1), practice)) == ""
    own = make_table(invite_code="abcdefghijkl")
    seat_all(own, private)
    assert read_words(client, private, own) == ""
