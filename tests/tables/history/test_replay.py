"""The replay of a deal: what the page gets is what was sent, and nothing of money."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.registry import get_game
from tables.history.replay import replay_of
from tables.models import Match, MatchLink
from tables.seating.closing import cancel_match
from tests.given import require
from tests.tables.driving import (
    act,
    game_view,
    hand_of,
    let_time_pass,
    play_a_turn,
    play_to_the_end,
    seat_all,
    start_match,
)
from tests.tables.pools import FEE

pytestmark = pytest.mark.django_db
SECRETS = ("stack", "settled", "gross", "amount", "buy_in", "point_value", "entry_fee", "rake")


def frames(replay):
    """Every state of the deal with the hands at it, put together as the page does."""
    game, hands = replay["state"]["game"], replay["hands"]
    yield game, hands
    for step in replay["steps"]:
        game = {**game, **step["game"]}
        hands = {seat: {**hand, **step["hands"].get(seat, {})} for seat, hand in hands.items()}
        yield game, hands


@pytest.fixture
def finished(make_player, make_table):
    """A deal of three: two turns, then played by bots to its end."""
    table, players = make_table(max_seats=3), [make_player() for _ in range(3)]
    start_match(table, *players)
    play_a_turn(table)
    play_a_turn(table)
    return play_to_the_end(table), players


def test_the_last_frame_is_the_state_that_the_table_was_left_in(finished):
    match, _players = finished
    replay = replay_of(match, number=1)
    *_, (game, hands) = frames(replay)
    indian = get_game("indian")
    state = indian.stored.load(bytes(match.table.state))
    assert game == json.loads(json.dumps(indian.view.public(state)))
    for seat, hand in hands.items():
        private = indian.view.private(state, int(seat))
        assert hand["groups"] == json.loads(json.dumps(private["groups"]))


def test_a_replay_has_each_hand_at_each_step_and_nothing_of_money(finished):
    match, players = finished
    replay = replay_of(match, number=1)
    assert len(require(replay)["steps"]) > 4
    assert require(replay)["events"][-2]["kind"] == "dealt"
    assert [seat["player"]["name"] for seat in require(replay)["state"]["seats"]] == [
        player.player_name for player in players
    ]
    for game, hands in frames(replay):
        assert set(hands) == {"0", "1", "2"}
        for seat, hand in hands.items():
            assert len(hand["hand"]) == game["players"][seat]["cards"]
            assert sorted(hand["hand"]) == sorted(card for g in hand["groups"] for card in g)
    times = [require(replay)["at"], *(step["at"] for step in require(replay)["steps"])]
    assert times == sorted(times)
    # A rule: what the players of a shoot-out begin with. Nobody has anything here.
    assert require(replay)["state"]["rules"].pop("stacks") == []
    text = json.dumps(replay)
    for word in SECRETS:
        assert f'"{word}' not in text, word


def test_an_arrangement_is_seen_with_the_next_step(make_player, make_table):
    table = start_match(make_table(), make_player(), make_player())
    seat = game_view(table)["turn"]
    dealt = hand_of(table, 1 - seat)
    groups = [dealt["hand"][:5], dealt["hand"][5:]]
    act(table, 1 - seat, kind="arrange", rev=1, groups=groups)
    play_a_turn(table)
    act(table, 1 - seat, kind="drop")
    replay = replay_of(Match.objects.get(table=table), number=1)
    seen = [hands[str(1 - seat)]["groups"] for _game, hands in frames(replay)]
    assert seen[0] == dealt["groups"] != groups
    assert seen[1] == groups


def test_every_deal_of_a_pool_begins_with_thirteen_cards_each(make_player, make_table):
    table = make_table(preset="pool61", entry_fee=FEE, max_seats=3)
    seat_all(table, *(make_player() for _ in range(3)), amount=FEE)
    let_time_pass(table)
    match = play_to_the_end(table)
    numbers = sorted(match.deals.values_list("number", flat=True))
    assert len(numbers) > 1
    for number in numbers:
        replay = replay_of(match, number=number)
        assert require(replay)["state"]["game"]["deal"] == number
        assert all(len(hand["hand"]) == 13 for hand in require(replay)["hands"].values())
        assert set(require(replay)["hands"]) == {
            str(seat) for seat in require(replay)["state"]["game"]["order"]
        }
        *_, (game, _hands) = frames(replay)
        assert game["deal"] == number
        assert game["result"] is not None
    assert replay_of(match, number=numbers[-1] + 1) is None


def test_a_deal_that_is_being_played_has_no_replay(client, make_player, make_table):
    table, players = make_table(), [make_player(), make_player()]
    start_match(table, *players)
    match = Match.objects.get(table=table)
    assert replay_of(match, number=1) is None
    client.force_login(players[0])
    for number in (1, 2):
        assert client.get(f"/matches/{match.pk}/deals/{number}/").status_code == 404


def test_a_cancelled_deal_can_be_looked_at_as_far_as_it_went(client, make_player, make_table):
    table, players = make_table(), [make_player(), make_player()]
    start_match(table, *players)
    play_a_turn(table)
    match = Match.objects.get(table=table)
    cancel_match(match_id=match.pk, reason="a test", staff_id=players[0].pk)
    replay = replay_of(Match.objects.get(pk=match.pk), number=1)
    assert [event["kind"] for event in require(replay)["steps"][-1]["events"]] == [
        "match_cancelled"
    ]
    *_, (game, _hands) = frames(replay)
    assert len(game["discards"]) == 1
    client.force_login(players[1])
    assert client.get(f"/matches/{match.pk}/deals/1/").status_code == 200


def test_a_replay_begins_at_ones_own_seat_and_costs_a_fixed_number_of_queries(client, finished):
    match, players = finished
    for seat, player in enumerate(players):
        client.force_login(player)
        answer = client.get(f"/matches/{match.pk}/deals/1/")
        chosen = [number for number, _name, is_chosen in answer.context["seats"] if is_chosen]
        assert chosen == [str(seat)]
    with CaptureQueriesContext(connection) as queries:
        client.get(f"/matches/{match.pk}/deals/1/")
    # Session, user and balance; the match, its deals, its changes; the link; the analysis.
    assert len(queries) == 10


def test_a_replay_is_seen_by_its_players_and_by_link(client, finished, make_player):
    match, players = finished
    address = f"/matches/{match.pk}/deals/1/"
    answer = client.get(address)
    assert answer["Location"].startswith("/accounts/login/")
    client.force_login(make_player())
    assert client.get(address).status_code == 404
    client.force_login(players[0])
    answer = client.post(f"/matches/{match.pk}/share/", {"deal": "1"})
    assert answer["Location"] == f"{address}#share"
    token = MatchLink.objects.get().token
    assert f"/shared/{token}/deals/1/" in client.get(address).text
    client.logout()
    answer = client.get(f"/shared/{token}/deals/1/")
    page = answer.text
    assert answer["X-Robots-Tag"] == "noindex, nofollow"
    assert f"/shared/{token}/deals/1.json" in page
    assert f"/matches/{match.pk}/" not in page
    assert client.get(f"/shared/{token}/deals/2/").status_code == 404
