"""My matches, the page of a match, who may see it, and links to it."""

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from tables.history.replay import replay_of
from tables.models import Match, MatchLink
from tables.seating.closing import cancel_match
from tests.tables.driving import (
    act,
    drop,
    end_match,
    game_view,
    let_time_pass,
    play_to_the_end,
    seat_all,
    start_match,
)
from tests.tables.history.test_records import verify
from tests.tables.history.test_replay import frames
from tests.tables.pools import FEE

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(make_player, make_table):
    """A deal for points at 2 chips each, dropped by whoever is first; the players by seat."""
    table, players = make_table(point_value=2), [make_player(), make_player()]
    start_match(table, *players)
    drop(table)
    return Match.objects.get(table=table), players


def page_of(client, address):
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.text


def loser_and_winner(match, players):
    (winner,) = match.settlement["winners"]
    return players[1 - winner], players[winner]


def test_what_was_won_and_lost_is_said_with_its_currency(client, played):
    match, players = played
    loser, winner = loser_and_winner(match, players)
    client.force_login(loser)
    assert "\N{MINUS SIGN}40 chips" in page_of(client, "/matches/")
    client.force_login(winner)
    net = match.settlement["net"]
    assert f"+{net} chips" in page_of(client, "/matches/")
    page = page_of(client, f"/matches/{match.pk}/")
    assert "\N{MINUS SIGN}40 chips" in page
    assert f"+{net} chips" in page
    assert "40 chips were played for" in page


def test_matches_are_found_by_game_and_currency(client, played, make_table):
    match, players = played
    table = make_table(preset="pool61", entry_fee=FEE)
    seat_all(table, *players, amount=FEE)
    let_time_pass(table)
    pool = end_match(table)
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
        page = page_of(client, f"/matches/{query}")
        assert {address for address in both if address in page} == shown, query
    for query in ("?game=CHESS", "?money=USD"):
        assert client.get(f"/matches/{query}").status_code == 404


def test_a_page_of_a_filter_leads_to_the_next_of_the_same_filter(client, played, monkeypatch):
    monkeypatch.setattr("tables.history.views.MATCHES_ON_A_PAGE", 1)
    match, players = played
    let_time_pass(match.table)
    act(match.table, game_view(match.table)["turn"], kind="drop")
    later = Match.objects.latest("pk")
    client.force_login(players[0])
    page = page_of(client, "/matches/?game=POINTS")
    assert f"?game=POINTS&amp;before={later.pk}" in page
    page = page_of(client, f"/matches/?game=POINTS&before={later.pk}")
    assert f"/matches/{match.pk}/" in page
    assert f"/matches/{later.pk}/" not in page


def test_a_cancelled_match_is_there_too(client, make_player, make_table):
    table, players = make_table(), [make_player(), make_player()]
    start_match(table, *players)
    match = Match.objects.get(table=table)
    client.force_login(players[0])
    assert f"/matches/{match.pk}/" not in page_of(client, "/matches/")
    cancel_match(match_id=match.pk, reason="a test", staff_id=players[0].pk)
    assert "cancelled" in page_of(client, "/matches/")
    assert "Our staff cancelled this match" in page_of(client, f"/matches/{match.pk}/")


def test_the_score_sheet_holds_every_deal_of_a_pool(client, make_player, make_table):
    table, players = make_table(preset="pool61", entry_fee=FEE), [make_player(), make_player()]
    seat_all(table, *players, amount=FEE)
    let_time_pass(table)
    match = play_to_the_end(table)
    client.force_login(players[0])
    deals = client.get(f"/matches/{match.pk}/").context["deals"]
    assert [deal["number"] for deal in deals] == list(range(1, match.deals.count() + 1))
    assert len(deals) > 1
    for deal in deals:
        *_, (game, _hands) = frames(replay_of(match, number=deal["number"]))
        result = game["result"]
        points = {hand["seat"]: hand["points"] for hand in result["hands"]}
        assert deal["cells"] == [(points[seat], seat in result["winners"]) for seat in (0, 1)]


ADDRESSES = ("/matches/{}/", "/matches/{}/deals/1.json")


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_match_is_seen_by_its_players_and_by_staff_alone(client, played, make_player, address):
    match, players = played
    address = address.format(match.pk)
    for player in players:
        client.force_login(player)
        page_of(client, address)
    client.force_login(make_player())
    assert client.get(address).status_code == 404
    client.logout()
    assert client.get(address).status_code in (302, 404)
    staff = User.objects.create_user(
        "staff@example.com", None, player_name="Supporter", is_staff=True
    )
    client.force_login(staff)
    assert client.get(address).status_code == 404
    staff.user_permissions.add(Permission.objects.get(codename="view_match"))
    page_of(client, address)


def test_a_link_shows_cards_and_points_and_never_money(client, played):
    match, players = played
    client.force_login(players[0])
    assert "Make a link" in page_of(client, f"/matches/{match.pk}/")
    assert client.post(f"/matches/{match.pk}/share/").status_code == 302
    token = MatchLink.objects.get().token
    assert len(token) >= 22
    assert f"/shared/{token}/" in page_of(client, f"/matches/{match.pk}/")
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


def test_the_players_record_holds_the_settlement(client, played):
    match, players = played
    client.force_login(players[0])
    record = client.get(f"/matches/{match.pk}/deals/1.json").json()
    assert [e for step in record["steps"] for e in step["events"] if e["kind"] == "settled"]


def test_a_withdrawn_link_leads_nowhere_and_the_next_is_another(client, played):
    match, players = played
    client.force_login(players[0])
    client.post(f"/matches/{match.pk}/share/")
    client.post(f"/matches/{match.pk}/share/")
    first = MatchLink.objects.get().token
    client.post(f"/matches/{match.pk}/unshare/")
    for address in (f"/shared/{first}/", f"/shared/{first}/deals/1.json"):
        assert client.get(address).status_code == 404
    client.post(f"/matches/{match.pk}/share/")
    assert MatchLink.objects.get().token != first


def test_each_player_has_a_link_of_his_own(client, played):
    match, players = played
    for player in players:
        client.force_login(player)
        client.post(f"/matches/{match.pk}/share/")
    assert MatchLink.objects.filter(match=match).count() == 2
    client.post(f"/matches/{match.pk}/unshare/")
    assert MatchLink.objects.get(match=match).made_by == players[0]


def test_nobody_shares_a_match_that_he_did_not_play(client, played, make_player):
    match, _players = played
    client.force_login(make_player())
    assert client.post(f"/matches/{match.pk}/share/").status_code == 404
    client.logout()
    assert client.post(f"/matches/{match.pk}/share/").status_code == 302
    assert not MatchLink.objects.exists()
    assert client.get("/shared/nothing/").status_code == 404


def test_a_running_deal_is_in_no_page_of_a_link(client, make_player, make_table):
    table, players = make_table(), [make_player(), make_player()]
    start_match(table, *players)
    match = Match.objects.get(table=table)
    client.force_login(players[0])
    client.post(f"/matches/{match.pk}/share/")
    token = MatchLink.objects.get().token
    for address in (f"/matches/{match.pk}/", f"/shared/{token}/"):
        page = page_of(client, address)
        assert "No deal is over yet." in page
        assert match.deals.get().commitment not in page
        assert client.get(f"{address}deals/1.json").status_code == 404


def test_a_match_of_a_tournament_leads_back_to_it(client, played):
    match, players = played
    match.table.event_url = "/tournaments/7/"
    match.table.save(update_fields=["event_url"])
    client.force_login(players[0])
    for address in ("/matches/", f"/matches/{match.pk}/"):
        assert 'href="/tournaments/7/"' in page_of(client, address)


def test_the_pages_cost_the_same_queries_however_much_was_played(client, played):
    match, players = played
    client.force_login(players[0])
    client.get("/rules/")  # the first request of a session is noted
    counted = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as many:
            client.get("/matches/")
        with CaptureQueriesContext(connection) as one:
            client.get(f"/matches/{match.pk}/")
        counted.append((len(many), len(one)))
        let_time_pass(match.table)
        act(match.table, game_view(match.table)["turn"], kind="drop")
    # Session, user and balance, then the matches; or the match, its deals, their ends, the link, the faces.
    assert counted == [(4, 9), (4, 9)]
