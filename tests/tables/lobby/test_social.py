"""Previews of links in messengers, and the buttons that pass them on: tournaments, results, replays, puzzles."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from tables.history.puzzles.making import make_starting_puzzles
from tables.history.replay import share_match
from tables.models import Puzzle
from tests.e2e.world import make_player, play_a_match
from tournaments.models import TournamentTemplate
from tournaments.running.scheduling import make_tournament
from wallet import api as wallet

pytestmark = pytest.mark.django_db


def read_tags(client, path: str) -> dict[str, str]:
    page = client.get(path).text
    return dict(re.findall(r'<meta property="og:(\w+)"\s+content="([^"]*)"', page))


def test_the_first_page(client):
    tags = read_tags(client, "/")
    assert tags["title"] == "OpenRummy: rummy with friends, strangers or practice bots"
    assert tags["url"] == "http://testserver/"
    assert tags["image"].startswith("http://testserver/static/img/social")


def test_a_tournament(client):
    template = TournamentTemplate.objects.create(
        game="indian", preset="deals2", name="Monsoon Cup", seats=3, qualifiers=1, deals=1
    )
    now = timezone.now()
    row = make_tournament(template, starts_at=now + timedelta(minutes=30), now=now)
    tags = read_tags(client, f"/tournaments/{row.pk}/")
    assert tags["title"] == "Monsoon Cup"
    assert "Free entry, up to 600 players." in tags["description"]
    assert tags["image"].startswith("http://testserver/static/img/social")


def shares(client, path: str) -> list[str]:
    """Return the addresses of the buttons that pass one on; empty: that of the page."""
    page = client.get(path).text
    found = re.findall(r'data-share="([^"]*)"', page)
    assert ("js/share" in page) == bool(found)
    return found


def test_a_replay_that_somebody_shares(client):
    wallet.set_starting_fees(valid_from=timezone.now())
    nila = make_player("Nila")
    match = play_a_match(nila, make_player("Ravi"))
    link = share_match(match_id=match.pk, user_id=nila.pk)
    assert link is not None
    tags = read_tags(client, f"/shared/{match.links.get().token}/deals/1/")
    assert tags["title"] == "Points at Mango Grove, deal 1"
    assert "card by card" in tags["description"]
    assert "Nila" not in "".join(tags.values())


def test_a_result_is_passed_on_by_its_link_alone(client):
    wallet.set_starting_fees(valid_from=timezone.now())
    nila = make_player("Nila")
    match = play_a_match(nila, make_player("Ravi"))
    client.force_login(nila)
    own = (f"/matches/{match.pk}/", f"/matches/{match.pk}/deals/1/")
    assert [shares(client, path) for path in own] == [[], []]
    share_match(match_id=match.pk, user_id=nila.pk)
    token = match.links.get().token
    assert [shares(client, path) for path in own] == [
        [f"http://testserver/shared/{token}/"],
        [f"http://testserver/shared/{token}/deals/1/"],
    ]
    # The private page itself says nothing to messengers, and the shared one names nobody.
    assert read_tags(client, own[0]) == {}
    client.logout()
    tags = read_tags(client, f"/shared/{token}/")
    assert tags["title"] == "Points at Mango Grove"
    assert "Nila" not in "".join(tags.values())


def test_a_puzzle(client):
    make_starting_puzzles()
    puzzle = Puzzle.objects.earliest("pk")
    path = f"/puzzles/{puzzle.pk}/"
    tags = read_tags(client, path)
    assert tags["title"].startswith("Indian rummy: ")
    assert tags["url"] == f"http://testserver{path}"
    assert shares(client, path) == [""]


def test_a_private_tournament_is_passed_on_by_its_host_alone(client):
    template = TournamentTemplate.objects.create(
        game="indian", preset="deals2", name="Monsoon Cup", seats=3, qualifiers=1, deals=1
    )
    now = timezone.now()
    row = make_tournament(template, starts_at=now + timedelta(minutes=30), now=now)
    assert shares(client, f"/tournaments/{row.pk}/") == [""]
    type(row).objects.filter(pk=row.pk).update(invite_code="abcdefghijkl")
    assert shares(client, f"/tournaments/{row.pk}/?invite=abcdefghijkl") == []
