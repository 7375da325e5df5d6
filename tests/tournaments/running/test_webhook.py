"""The webhook of a finished tournament."""

import json

import pytest

from core.models import Webhook, WebhookDelivery
from tests.api_program import list_faults_of_payload
from tests.tournaments.driving import play_to_the_end

pytestmark = pytest.mark.django_db


def test_the_webhook_of_a_finished_tournament_is_as_described(start_tournament, make_player):
    Webhook.objects.create(name="Cups", url="https://c.example/", events=["tournament.ended"])
    players = [make_player(), make_player()]
    tournament = play_to_the_end(start_tournament(players))
    [delivery] = WebhookDelivery.objects.all()
    told = json.loads(delivery.body)
    assert list_faults_of_payload(told) == []
    assert (told["data"]["tournament"], told["data"]["entrants"]) == (tournament.pk, 2)
    assert [place["place"] for place in told["data"]["places"]] == [1, 2]
    del told["data"]["name"]
    assert list_faults_of_payload(told) != []
