"""Link previews in messengers, and share buttons."""

import re

import pytest

from accounts.models import User
from history.models import Puzzle
from history.puzzles.making import make_starting_puzzles
from history.replay import share_match
from tests.e2e.world import make_player, play_a_match
from tests.tables.driving import make_cup

pytestmark = pytest.mark.django_db


def read_tags(client, path: str) -> dict[str, str]:
    page = client.get(path).text
    return dict(re.findall(r'<meta property="og:(\w+)"\s+content="([^"]*)"', page))


def test_the_first_page_has_a_preview(client):
    tags = read_tags(client, "/")
    assert tags["title"] == "OpenRummy: rummy with friends, strangers or practice bots"
    assert tags["url"] == "http://testserver/"
    assert tags["image"].startswith("http://testserver/static/img/social")


def test_a_tournament_has_a_preview(client):
    tags = read_tags(client, f"/tournaments/{make_cup(minutes=30).pk}/")
    assert tags["title"] == "Monsoon Cup"
    assert "Free entry, up to 600 players." in tags["description"]
    assert tags["image"].startswith("http://testserver/static/img/social")


def list_shared_addresses(client, path: str) -> list[str]:
    """Return the addresses that the share buttons pass on. An empty one means the page's own address."""
    page = client.get(path).text
    found = re.findall(r'data-share="([^"]*)"', page)
    assert ("js/share" in page) == bool(found)
    return found


@pytest.fixture
def match(fees):
    """A match between Nila and Ravi."""
    return play_a_match(make_player("Nila"), make_player("Ravi"))


@pytest.fixture
def nila(match):
    return User.objects.get(player_name="Nila")


def test_a_shared_replay_has_a_preview_without_names(client, match, nila):
    assert share_match(match_id=match.pk, user_id=nila.pk) is not None
    tags = read_tags(client, f"/shared/{match.links.get().token}/deals/1/")
    assert tags["title"] == "Points at Mango Grove, deal 1"
    assert "card by card" in tags["description"]
    assert "Nila" not in "".join(tags.values())


def test_a_result_is_passed_on_by_its_link_alone(client, match, nila):
    client.force_login(nila)
    own = (f"/matches/{match.pk}/", f"/matches/{match.pk}/deals/1/")
    assert [list_shared_addresses(client, path) for path in own] == [[], []]
    share_match(match_id=match.pk, user_id=nila.pk)
    token = match.links.get().token
    assert [list_shared_addresses(client, path) for path in own] == [
        [f"http://testserver/shared/{token}/"],
        [f"http://testserver/shared/{token}/deals/1/"],
    ]
    # The private page has no preview, and that of the shared page has no names.
    assert read_tags(client, own[0]) == {}
    client.logout()
    tags = read_tags(client, f"/shared/{token}/")
    assert tags["title"] == "Points at Mango Grove"
    assert "Nila" not in "".join(tags.values())


def test_a_puzzle_has_a_preview_and_a_share_button(client):
    make_starting_puzzles()
    puzzle = Puzzle.objects.earliest("pk")
    path = f"/puzzles/{puzzle.pk}/"
    tags = read_tags(client, path)
    assert tags["title"].startswith("Indian rummy: ")
    assert tags["url"] == f"http://testserver{path}"
    assert list_shared_addresses(client, path) == [""]


def test_only_a_public_tournament_has_a_share_button(client):
    row = make_cup(minutes=30)
    assert list_shared_addresses(client, f"/tournaments/{row.pk}/") == [""]
    type(row).objects.filter(pk=row.pk).update(invite_code="abcdefghijkl")
    assert list_shared_addresses(client, f"/tournaments/{row.pk}/?invite=abcdefghijkl") == []
