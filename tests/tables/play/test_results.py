"""The names in the result of a finished match, and its webhook."""

import json

import pytest

from core.models import Webhook, WebhookDelivery
from tables.models import Match
from tables.play.reading import snapshot
from tests.api_program import list_faults_of_payload
from tests.given import require
from tests.tables.driving import act, game_view, leave, seat_all, start_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def ended(make_table, make_player):
    """A match that ended because the current player left."""
    Webhook.objects.create(name="Board", url="https://b.example/", events=["match.ended"])
    table = start_match(make_table(name="Peepal Room"), make_player(), make_player())
    assert not WebhookDelivery.objects.exists()
    act(table, game_view(table)["turn"], kind="leave")
    return Match.objects.get(table=table)


def test_the_webhook_of_a_finished_match_says_nothing_of_money(ended):
    [delivery] = WebhookDelivery.objects.all()
    told = json.loads(delivery.body)
    assert list_faults_of_payload(told) == []
    data = told["data"]
    assert (told["type"], data["match"], data["game"]) == ("match.ended", ended.pk, "indian")
    assert data["format"] == "POINTS"
    assert data["table"]["name"] == "Peepal Room"
    assert [player["seat"] for player in data["players"]] == [0, 1]
    assert {player["name"] for player in data["players"]} == {"Player 1", "Player 2"}
    [winner] = data["winners"]
    assert next(p for p in data["players"] if p["seat"] == winner)["rank"] == 1
    assert not {"amounts", "pot", "stake", "net"} & set(json.dumps(data).replace('"', " ").split())


def read_names(table):
    return require(snapshot(table_id=table.pk, user_id=None)).state["table"]["names"]


def test_a_result_names_players_who_have_left_and_nobody_who_came_later(make_table, players):
    first, second, newcomer, _fourth = players
    table = make_table()
    assert read_names(table) == {}
    start_match(table, first, second)
    names = {"0": "Player 1", "1": "Player 2"}
    assert read_names(table) == names
    leave(table, first)
    leave(table, second)
    assert read_names(table) == names
    seat_all(table, newcomer)
    assert read_names(table) == names
