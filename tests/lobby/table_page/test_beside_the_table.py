"""Parts of the table page that load later: the list of moves and players' cards."""

import pytest

from accounts.models import PageShownTo, User
from tables.chat.services import ignore
from tests.tables.driving import drop, game_view, play_a_turn, player_at, rate, seat_all

pytestmark = pytest.mark.django_db


def read_moves(client, table, version=None):
    version = table.version if version is None else version
    return client.get(f"/tables/{table.pk}/moves/?v={version}").json()["events"]


def test_a_player_gets_the_events_of_the_match_in_order(client, table):
    seat = game_view(table)["turn"]
    play_a_turn(table)
    drawn = game_view(table)["open_pile"][-1]
    client.force_login(player_at(table, seat))
    events = read_moves(client, table)
    kinds = [event["kind"] for event in events]
    assert kinds[0] == "match_started"
    assert kinds.index("dealt") < kinds.index("drawn") < kinds.index("discarded")
    assert events[kinds.index("drawn")] == {"kind": "drawn", "seat": seat, "source": "closed"}
    assert {"kind": "discarded", "seat": seat, "card": drawn} in events
    assert "hand" not in str(events)


def test_events_after_the_version_of_the_page_are_left_to_the_socket(client, table):
    version = table.version
    client.force_login(player_at(table, 0))
    before = read_moves(client, table)
    play_a_turn(table)
    assert read_moves(client, table, version) == before
    assert len(read_moves(client, table, version + 1)) > len(before)


@pytest.mark.parametrize("version", ["", "x", "-1", "9" * 5000, "٣"])
def test_a_malformed_version_is_no_error(client, table, version):
    client.force_login(player_at(table, 0))
    assert client.get(f"/tables/{table.pk}/moves/?v={version}").status_code == 200


def test_only_players_of_the_table_get_its_events(client, table, make_player):
    assert read_moves(client, table) == []
    client.force_login(make_player())
    assert read_moves(client, table) == []
    assert client.get(f"/tables/{2**70}/moves/?v=1").json() == {"events": []}


def test_the_card_of_a_player_shows_figures_only_if_they_agree(client, table):
    for _ in range(2):
        play_a_turn(table)
    drop(table)
    other = player_at(table, 1)
    rate(other, 1662, 150)
    client.force_login(player_at(table, 0))
    page = read_card(client, table, 1)
    assert other.player_name in page
    assert f'href="/players/{other.pk}/"' in page
    assert "1662?" not in page, "nobody sees their figures unless they want it"
    assert "Matches played" not in page
    User.objects.filter(pk=other.pk).update(page_shown_to=PageShownTo.EVERYBODY)
    page = read_card(client, table, 1)
    assert f"{other.date_joined:%B %Y}" in page
    assert "<dd>1</dd>" in page.replace(" ", "")
    assert "1662?" in page
    assert f'name="player" value="{other.pk}"' in page
    assert 'name="listen"' not in page
    ignore(user_id=player_at(table, 0).pk, ignored_id=other.pk, table_id=table.pk)
    assert 'name="listen" value="yes"' in read_card(client, table, 1)


def read_card(client, table, seat):
    page = client.get(f"/tables/{table.pk}/players/{seat}/").text
    return " ".join(page.split())


def test_a_card_has_no_form_for_oneself_or_without_an_account(client, table):
    assert "<form" not in client.get(f"/tables/{table.pk}/players/0/").text
    client.force_login(player_at(table, 0))
    assert "<form" not in client.get(f"/tables/{table.pk}/players/0/").text
    assert "<form" in client.get(f"/tables/{table.pk}/players/1/").text


def test_an_empty_seat_or_a_hidden_table_has_no_card(client, make_player, make_table):
    table = make_table()
    assert client.get(f"/tables/{table.pk}/players/0/").status_code == 404
    assert client.get(f"/tables/{table.pk}/players/{2**70}/").status_code == 404
    private = make_table(invite_code="abcdefgh", opened_by_id=make_player().pk)
    guest = make_player()
    seat_all(private, guest)
    assert client.get(f"/tables/{private.pk}/players/0/").status_code == 404
    client.force_login(guest)
    assert client.get(f"/tables/{private.pk}/players/0/").status_code == 200


def test_only_seats_of_a_rated_table_show_ratings(client, make_player, make_table):
    rated, plain = make_table(is_rated=True), make_table()
    players = [make_player(), make_player()]
    for user, deviation in zip(players, (50, 200), strict=True):
        rate(user, 1661.6, deviation)
    new = make_player()
    seat_all(rated, *players)
    seat_all(plain, new, players[0])
    assert read_ratings(client, rated) == ["1662", "1662?"]
    assert read_ratings(client, plain) == [None, None]


def read_ratings(client, table):
    seats = client.get(f"/tables/{table.pk}/").context["snapshot"]["state"]["seats"]
    return [seat["player"].get("rating") for seat in seats]
