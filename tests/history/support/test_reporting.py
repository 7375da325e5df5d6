"""Reports of a player from the player's page, from a match and from its replay."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from config.account_data.closing import close_account
from tables.chat.services import OPEN_REPORTS_ABOUT_ONE
from tables.models import ChatLine, Match, Report, Seat
from tests.given import require
from tests.tables.chat.talking import say_as
from tests.tables.driving import play_short_match

pytestmark = pytest.mark.django_db

TOLD = {"reason": "ABUSE", "words": "They called me a fool."}


@pytest.fixture
def played(players, make_table):
    """A finished match and its two players. The second has insulted the first in the chat and left."""
    table = make_table(point_value=2)
    match = play_short_match(table, *players[:2])
    say_as(players[1], table, "You are a fool")
    Seat.objects.filter(table=table).update(left_at=timezone.now())
    return match, players[:2]


@pytest.fixture
def players(make_player):
    return [make_player() for _ in range(3)]


def test_from_the_page_of_a_player(client, players):
    one, other, _third = players
    client.force_login(one)
    address = reverse("report_person", args=[other.pk])
    assert address in client.get(reverse("players:player", args=[other.pk])).text
    assert "In your words" in client.get(address).text
    answer = client.post(address, TOLD)
    assert answer.url == reverse("players:player", args=[other.pk])
    filed = Report.objects.get()
    assert (filed.reporter, filed.reported, filed.reason) == (one, other, "ABUSE")
    assert (filed.words, filed.table, filed.match, filed.chat) == (TOLD["words"], None, None, [])
    assert other.player_name in client.get("/support/").text


def test_not_oneself_nor_nobody_nor_without_an_account(client, players):
    one, other, closed = players
    close_account(user_id=closed.pk)
    address = reverse("report_person", args=[other.pk])
    assert "/login/" in client.post(address, TOLD).url
    client.force_login(one)
    for person in (one, closed):
        assert client.post(reverse("report_person", args=[person.pk]), TOLD).status_code == 404
    assert address not in client.get(reverse("players:player", args=[one.pk])).text
    client.post(address, {**TOLD, "reason": "BORED"})
    assert not Report.objects.exists()


def test_as_many_as_at_the_table(client, players):
    one, other, _third = players
    client.force_login(one)
    address = reverse("report_person", args=[other.pk])
    for _ in range(OPEN_REPORTS_ABOUT_ONE):
        assert client.post(address, TOLD).status_code == 302
    assert "You have reported a lot already" in client.post(address, TOLD).text
    assert Report.objects.count() == OPEN_REPORTS_ABOUT_ONE


def test_from_a_match_and_its_replay_after_everybody_has_left(client, played):
    match, (one, other) = played
    client.force_login(one)
    address = reverse("report_in_match", args=[match.pk])
    for page in (reverse("match", args=[match.pk]), reverse("deal_replay", args=[match.pk, 1])):
        assert address in client.get(page).text
    form = client.get(address).text
    assert f'<option value="{other.pk}">{other.player_name}</option>' in form
    assert one.player_name not in form.split("<select")[1].split("</select>")[0]
    answer = client.post(address, {**TOLD, "player": other.pk})
    assert answer.url == reverse("match", args=[match.pk])
    filed = Report.objects.get()
    assert (filed.reported, filed.match, filed.table) == (other, match, match.table)
    assert [line["line"] for line in filed.chat] == ["You are a fool"]


def test_the_copy_of_the_chat_ends_with_the_match(client, played):
    match, (one, other) = played
    ChatLine.objects.update(said_at=require(match.ended_at) + timedelta(hours=1))
    client.force_login(one)
    client.post(reverse("report_in_match", args=[match.pk]), {**TOLD, "player": other.pk})
    assert Report.objects.get().chat == []


def test_only_people_of_the_match_about_each_other(client, played, make_player):
    match, (one, other) = played
    stranger = make_player()
    address = reverse("report_in_match", args=[match.pk])
    client.force_login(stranger)
    assert client.get(address).status_code == 404
    assert client.post(address, {**TOLD, "player": other.pk}).status_code == 404
    client.force_login(one)
    for player in (stranger.pk, one.pk, "x", ""):
        assert client.post(address, {**TOLD, "player": player}).status_code == 200
    assert not Report.objects.exists()


def test_a_match_with_nobody_left_has_nobody_to_report(client, played):
    match, (one, other) = played
    close_account(user_id=other.pk)
    client.force_login(one)
    address = reverse("report_in_match", args=[match.pk])
    assert "Nobody else in this match has an account" in client.get(address).text
    client.post(address, {**TOLD, "player": other.pk})
    assert not Report.objects.exists()
    assert Match.objects.filter(pk=match.pk).exists()
