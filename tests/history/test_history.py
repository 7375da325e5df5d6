"""The list of a player's matches, pages of matches, and shared links."""

import pytest
from django.contrib.auth.models import Permission

from accounts.models import User
from history.models import MatchLink
from history.records import deal_record
from history.replay import build_replay
from tables.models import Match
from tables.play.cancelling import cancel_match
from tests.tables.driving import (
    begin_match,
    drop,
    end_match,
    let_time_pass,
    play_short_match,
    start_match,
)
from tests.tables.pools import FEE
from tests.tables.records import verify

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(players, make_table):
    """A dropped deal of points rummy at 2 chips a point, and its players by seat."""
    return play_short_match(make_table(point_value=2), *players[:2]), players[:2]


@pytest.fixture
def running(players, make_table):
    """A match in its first deal, and its players."""
    return begin_match(make_table(), *players[:2]), players[:2]


def read_page(client, address):
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.text


def test_pages_show_what_was_won_and_lost_in_chips(client, played):
    match, players = played
    (winner,) = match.settlement["winners"]
    client.force_login(players[1 - winner])
    assert "\N{MINUS SIGN}40 chips" in read_page(client, "/matches/")
    client.force_login(players[winner])
    won = f"+{match.settlement['net']} chips"
    assert won in read_page(client, "/matches/")
    page = read_page(client, f"/matches/{match.pk}/")
    for words in ("\N{MINUS SIGN}40 chips", won, "The pot was 40 chips"):
        assert words in page
    assert match.deals.get().commitment in page


def test_a_player_is_you_in_the_own_list_of_matches(client, played):
    _match, players = played
    own, other = players
    client.force_login(own)
    page = read_page(client, "/matches/")
    assert "You" in page
    assert own.player_name not in page.partition("<main")[2]
    assert other.player_name in page


def test_matches_are_filtered_by_format_and_currency(client, played, make_table):
    match, players = played
    pool = end_match(start_match(make_table(preset="pool61", entry_fee=FEE), *players))
    client.force_login(players[0])
    both = {f"/matches/{match.pk}/", f"/matches/{pool.pk}/"}
    for query, shown in [
        ("", both),
        ("?game=POINTS", {f"/matches/{match.pk}/"}),
        ("?game=POOL", {f"/matches/{pool.pk}/"}),
        ("?game=DEALS", set()),
        ("?money=CHIPS", both),
        ("?money=INR", set()),
    ]:
        page = read_page(client, f"/matches/{query}")
        assert {address for address in both if address in page} == shown, query
    for query in ("?game=CHESS", "?money=USD"):
        assert client.get(f"/matches/{query}").status_code == 404


@pytest.mark.parametrize("query", ["?game=POINTS&", "?"])
def test_older_matches_are_a_page_away(client, played, monkeypatch, query):
    monkeypatch.setattr("history.pages.views.MATCHES_ON_A_PAGE", 1)
    match, players = played
    let_time_pass(match.table)
    drop(match.table)
    later = Match.objects.latest("pk")
    client.force_login(players[0])
    older = f"{query}before={later.pk}"
    page = read_page(client, f"/matches/{query}")
    assert older.replace("&", "&amp;") in page
    assert f"/matches/{later.pk}/" in page
    assert f"/matches/{match.pk}/" not in page
    page = read_page(client, f"/matches/{older}")
    assert f"/matches/{match.pk}/" in page
    assert f"/matches/{later.pk}/" not in page


@pytest.mark.parametrize("before", ["x", "-1", "१", "9" * 40])
def test_an_invalid_page_of_matches_is_not_found(client, make_player, before):
    client.force_login(make_player())
    assert client.get("/matches/", {"before": before}).status_code == 404


def test_a_cancelled_match_is_listed(client, running):
    match, players = running
    client.force_login(players[0])
    assert f"/matches/{match.pk}/" not in read_page(client, "/matches/")
    cancel_match(match_id=match.pk, reason="a test", staff_id=players[0].pk)
    assert "cancelled" in read_page(client, "/matches/")
    assert "Our staff cancelled this match" in read_page(client, f"/matches/{match.pk}/")


@pytest.mark.parametrize(
    ("address", "signed_out"), [("/matches/{}/", 302), ("/matches/{}/deals/1.json", 404)]
)
def test_only_its_players_and_staff_see_a_match(client, played, make_player, address, signed_out):
    match, players = played
    address = address.format(match.pk)
    for player in players:
        client.force_login(player)
        read_page(client, address)
    client.force_login(make_player())
    assert client.get(address).status_code == 404
    client.logout()
    assert client.get(address).status_code == signed_out
    staff = User.objects.create_user(
        "staff@example.com", None, player_name="Supporter", is_staff=True
    )
    client.force_login(staff)
    assert client.get(address).status_code == 404
    staff.user_permissions.add(Permission.objects.get(codename="view_match"))
    read_page(client, address)


def test_a_link_shows_cards_and_points_and_never_money(client, played):
    match, players = played
    client.force_login(players[0])
    assert "Make a link" in read_page(client, f"/matches/{match.pk}/")
    assert client.post(f"/matches/{match.pk}/share/").status_code == 302
    token = MatchLink.objects.get().token
    assert len(token) >= 22
    assert f"/shared/{token}/" in read_page(client, f"/matches/{match.pk}/")
    client.logout()
    answer = client.get(f"/shared/{token}/")
    page = answer.text
    assert "Player 1" in page
    assert answer["X-Robots-Tag"] == "noindex, nofollow"
    assert "chips" not in page
    assert "Won or lost" not in page
    assert "Make a link" not in page
    record = client.get(f"/shared/{token}/deals/1.json").json()
    kinds = {event["kind"] for step in record["steps"] for event in step["events"]}
    assert "deal_over" in kinds
    assert "settled" not in kinds
    assert verify(record)[0] == 0
    client.force_login(players[0])
    record = client.get(f"/matches/{match.pk}/deals/1.json").json()
    assert "settled" in {event["kind"] for step in record["steps"] for event in step["events"]}


def test_a_withdrawn_link_stops_working_and_is_never_reused(client, played):
    match, players = played
    client.force_login(players[0])
    client.post(f"/matches/{match.pk}/share/")
    client.post(f"/matches/{match.pk}/share/")
    first = MatchLink.objects.get().token
    client.force_login(players[1])
    client.post(f"/matches/{match.pk}/share/")
    client.force_login(players[0])
    client.post(f"/matches/{match.pk}/unshare/")
    other = MatchLink.objects.get()
    assert (other.match, other.made_by) == (match, players[1])
    for address in (f"/shared/{first}/", f"/shared/{first}/deals/1.json"):
        assert client.get(address).status_code == 404
    client.post(f"/matches/{match.pk}/share/")
    assert MatchLink.objects.exclude(pk=other.pk).get().token not in {first, other.token}


def test_only_players_of_a_match_share_it(client, played, make_player):
    match, _players = played
    client.force_login(make_player())
    assert client.post(f"/matches/{match.pk}/share/").status_code == 404
    client.logout()
    assert client.post(f"/matches/{match.pk}/share/").status_code == 302
    assert not MatchLink.objects.exists()
    assert client.get("/shared/nothing/").status_code == 404


def test_a_running_deal_is_in_no_page_record_or_replay(client, running):
    match, players = running
    assert deal_record(match_id=match.pk, number=1) is None
    assert build_replay(match, number=1) is None
    client.force_login(players[0])
    client.post(f"/matches/{match.pk}/share/")
    token = MatchLink.objects.get().token
    for address in (f"/matches/{match.pk}/", f"/shared/{token}/"):
        page = read_page(client, address)
        assert "No deal is over yet." in page
        assert match.deals.get().commitment not in page
        for part in ("1.json", "2.json", "1/", "2/", "1/verify/"):
            assert client.get(f"{address}deals/{part}").status_code == 404
    assert client.get("/matches/404/deals/1.json").status_code == 404


def test_a_match_of_a_tournament_links_back_to_it(client, played):
    match, players = played
    match.table.event_url = "/tournaments/7/"
    match.table.save(update_fields=["event_url"])
    client.force_login(players[0])
    for address in ("/matches/", f"/matches/{match.pk}/"):
        assert 'href="/tournaments/7/"' in read_page(client, address)
