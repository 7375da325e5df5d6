"""Parts that the table page loads later: the moves of the match, a player's card."""

import pytest

from accounts.models import PageShownTo, User
from tables.chat.services import ignore
from tables.models import PlayerRating
from tables.seating.sitting import take_seat
from tests.tables.driving import drop, game_view, play_a_turn, player_at, seat_all, start_match

pytestmark = pytest.mark.django_db


def moves_at(client, table, version=None):
    version = table.version if version is None else version
    return client.get(f"/tables/{table.pk}/moves/?v={version}").json()["events"]


def test_who_sits_there_gets_the_events_of_the_match_in_order(client, make_player, make_table):
    table = start_match(make_table(), make_player(), make_player())
    seat = game_view(table)["turn"]
    play_a_turn(table)
    drawn = game_view(table)["open_pile"][-1]
    client.force_login(player_at(table, seat))
    events = moves_at(client, table)
    kinds = [event["kind"] for event in events]
    assert kinds[0] == "match_started"
    assert kinds.index("dealt") < kinds.index("drawn") < kinds.index("discarded")
    assert events[kinds.index("drawn")] == {"kind": "drawn", "seat": seat, "source": "closed"}
    assert {"kind": "discarded", "seat": seat, "card": drawn} in events
    assert "hand" not in str(events)


def test_later_ones_are_left_to_the_socket(client, make_player, make_table):
    table = start_match(make_table(), make_player(), make_player())
    version = table.version
    client.force_login(player_at(table, 0))
    before = moves_at(client, table)
    play_a_turn(table)
    assert moves_at(client, table, version) == before
    assert len(moves_at(client, table, version + 1)) > len(before)


@pytest.mark.parametrize("version", ["", "x", "-1", "9" * 5000, "٣"])
def test_any_version_may_be_asked_for(client, make_player, make_table, version):
    table = start_match(make_table(), make_player(), make_player())
    client.force_login(player_at(table, 0))
    assert client.get(f"/tables/{table.pk}/moves/?v={version}").status_code == 200


def test_who_does_not_sit_there_gets_none(client, make_player, make_table):
    table = start_match(make_table(), make_player(), make_player())
    assert moves_at(client, table) == []
    client.force_login(make_player())
    assert moves_at(client, table) == []
    assert client.get(f"/tables/{2**70}/moves/?v=1").json() == {"events": []}


def test_a_card_of_the_player_says_who_sits_there(client, make_player, make_table):
    table = start_match(make_table(), make_player(), make_player())
    for _ in range(2):
        play_a_turn(table)
    drop(table)
    other = player_at(table, 1)
    PlayerRating.objects.create(
        user=other, game="indian", format="POINTS", value=1662, deviation=150, volatility=0.06,
        matches=3, rated_at=other.date_joined,
    )  # fmt: skip
    client.force_login(player_at(table, 0))
    page = card_of(client, table, 1)
    assert other.player_name in page
    assert f'href="/players/{other.pk}/"' in page
    assert "1662?" not in page, "nobody sees their figures unless they want it"
    assert "Matches played" not in page
    User.objects.filter(pk=other.pk).update(page_shown_to=PageShownTo.EVERYBODY)
    page = card_of(client, table, 1)
    assert f"{other.date_joined:%B %Y}" in page
    assert "<dd>1</dd>" in page.replace(" ", "")
    assert "1662?" in page
    assert f'name="player" value="{other.pk}"' in page
    assert 'name="listen"' not in page
    ignore(user_id=player_at(table, 0).pk, ignored_id=other.pk, table_id=table.pk)
    assert 'name="listen" value="yes"' in card_of(client, table, 1)


def card_of(client, table, seat):
    page = client.get(f"/tables/{table.pk}/players/{seat}/").text
    return " ".join(page.split())


def test_nobody_reports_themselves_or_without_an_account(client, make_player, make_table):
    table = start_match(make_table(), make_player(), make_player())
    assert "<form" not in client.get(f"/tables/{table.pk}/players/0/").text
    client.force_login(player_at(table, 0))
    assert "<form" not in client.get(f"/tables/{table.pk}/players/0/").text
    assert "<form" in client.get(f"/tables/{table.pk}/players/1/").text


def test_there_is_no_card_of_an_empty_seat_or_at_a_table_that_is_not_seen(
    client, make_player, make_table
):
    table = make_table()
    assert client.get(f"/tables/{table.pk}/players/0/").status_code == 404
    assert client.get(f"/tables/{table.pk}/players/{2**70}/").status_code == 404
    private = make_table(invite_code="abcdefgh", opened_by_id=make_player().pk)
    guest = make_player()
    take_seat(table_id=private.pk, user_id=guest.pk, number=0, amount=800, invite="abcdefgh")
    assert client.get(f"/tables/{private.pk}/players/0/").status_code == 404
    client.force_login(guest)
    assert client.get(f"/tables/{private.pk}/players/0/").status_code == 200


def test_seats_of_a_rated_table_show_ratings_and_no_others_do(client, make_player, make_table):
    rated, plain = make_table(is_rated=True), make_table()
    players = [make_player(), make_player()]
    for user, deviation in zip(players, (50, 200), strict=True):
        PlayerRating.objects.create(
            user=user, game="indian", format="POINTS", value=1661.6, deviation=deviation,
            volatility=0.06, matches=3, rated_at=user.date_joined,
        )  # fmt: skip
    new = make_player()
    seat_all(rated, *players)
    seat_all(plain, new, players[0])
    assert ratings_in(client, rated) == ["1662", "1662?"]
    assert ratings_in(client, plain) == [None, None]


def ratings_in(client, table):
    seats = client.get(f"/tables/{table.pk}/").context["snapshot"]["state"]["seats"]
    return [seat["player"].get("rating") for seat in seats]
