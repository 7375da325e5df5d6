"""Previews of links in messengers: the first page, tournaments, replays."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from tables.history.replay import share_match
from tests.e2e.world import make_player, play_a_match
from tournaments.models import TournamentTemplate
from tournaments.running.scheduling import make_tournament
from wallet import api as wallet

pytestmark = pytest.mark.django_db


def said(client, path: str) -> dict[str, str]:
    page = client.get(path).content.decode()
    return dict(re.findall(r'<meta property="og:(\w+)"\s+content="([^"]*)"', page))


def test_the_first_page(client):
    tags = said(client, "/")
    assert tags["title"] == "OpenRummy: rummy with friends, strangers or practice bots"
    assert tags["url"] == "http://testserver/"
    assert tags["image"].startswith("http://testserver/static/img/social")


def test_a_tournament(client):
    template = TournamentTemplate.objects.create(
        game="indian", preset="deals2", name="Monsoon Cup", seats=3, qualifiers=1, deals=1
    )
    now = timezone.now()
    row = make_tournament(template, starts_at=now + timedelta(minutes=30), now=now)
    tags = said(client, f"/tournaments/{row.pk}/")
    assert tags["title"] == "Monsoon Cup"
    assert "Free entry, up to 600 players." in tags["description"]
    assert tags["image"].startswith("http://testserver/static/img/social")


def test_a_replay_that_somebody_shares(client):
    wallet.set_starting_fees(valid_from=timezone.now())
    nila = make_player("Nila")
    match = play_a_match(nila, make_player("Ravi"))
    link = share_match(match_id=match.pk, user_id=nila.pk)
    assert link is not None
    tags = said(client, f"/shared/{match.links.get().token}/deals/1/")
    assert tags["title"] == "Points at Mango Grove, deal 1"
    assert "card by card" in tags["description"]
    assert "Nila" not in "".join(tags.values())
