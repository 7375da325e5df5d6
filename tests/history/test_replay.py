"""Replays of deals, which show only what players were sent, and no money."""

import json

import pytest

from games.registry import get_game
from history.models import MatchLink
from history.replay import build_replay
from tables.play.cancelling import cancel_match
from tests.given import reload, require
from tests.tables.driving import (
    act,
    game_view,
    get_match,
    hand_of,
    play_a_turn,
    play_to_the_end,
    start_match,
)
from tests.tables.pools import FEE
from tests.tables.records import check_records, list_frames

pytestmark = pytest.mark.django_db
SECRETS = ("stack", "settled", "gross", "amount", "buy_in", "point_value", "entry_fee", "rake")


@pytest.fixture
def finished(players, make_table):
    """A finished deal of three, and its players. After two turns, bots played it to the end."""
    table = start_match(make_table(max_seats=3), *players[:3])
    play_a_turn(table)
    play_a_turn(table)
    return play_to_the_end(table), players[:3]


def test_the_last_frame_is_the_final_state_of_the_table(finished):
    match, _players = finished
    replay = build_replay(match, number=1)
    *_, (game, hands) = list_frames(replay)
    indian = get_game("indian")
    state = indian.stored.load(bytes(match.table.state))
    assert game == json.loads(json.dumps(indian.view.public(state)))
    for seat, hand in hands.items():
        private = indian.view.private(state, int(seat))
        assert hand["groups"] == json.loads(json.dumps(private["groups"]))


def test_a_replay_has_each_hand_at_each_step_and_nothing_of_money(finished):
    match, players = finished
    replay = require(build_replay(match, number=1))
    assert len(replay["steps"]) > 4
    assert replay["events"][-2]["kind"] == "dealt"
    names = [seat["player"]["name"] for seat in replay["state"]["seats"]]
    assert names == [player.player_name for player in players]
    for game, hands in list_frames(replay):
        assert set(hands) == {"0", "1", "2"}
        for seat, hand in hands.items():
            assert len(hand["hand"]) == game["players"][seat]["cards"]
            assert sorted(hand["hand"]) == sorted(card for g in hand["groups"] for card in g)
    times = [replay["at"], *(step["at"] for step in replay["steps"])]
    assert times == sorted(times)
    # A shoot-out's starting stack comes from the rules.
    assert replay["state"]["rules"].pop("stacks") == []
    text = json.dumps(replay)
    for word in SECRETS:
        assert f'"{word}' not in text, word


def test_an_arrangement_is_shown_with_the_next_step(make_player, make_table):
    table = start_match(make_table(), make_player(), make_player())
    seat = game_view(table)["turn"]
    dealt = hand_of(table, 1 - seat)
    groups = [dealt["hand"][:5], dealt["hand"][5:]]
    act(table, 1 - seat, kind="arrange", rev=1, groups=groups)
    play_a_turn(table)
    act(table, 1 - seat, kind="drop")
    replay = build_replay(get_match(table), number=1)
    seen = [hands[str(1 - seat)]["groups"] for _game, hands in list_frames(replay)]
    assert seen[0] == dealt["groups"] != groups
    assert seen[1] == groups


def test_every_deal_of_a_pool_is_on_record_and_on_the_score_sheet(client, players, make_table):
    table = make_table(preset="pool61", entry_fee=FEE, max_seats=3)
    match = play_to_the_end(start_match(table, *players[:3]))
    check_records(match)
    client.force_login(players[0])
    sheet = client.get(f"/matches/{match.pk}/").context["deals"]
    assert [deal["number"] for deal in sheet] == list(range(1, match.deals.count() + 1))
    assert len(sheet) > 1
    for deal in sheet:
        replay = require(build_replay(match, number=deal["number"]))
        assert replay["state"]["game"]["deal"] == deal["number"]
        assert all(len(hand["hand"]) == 13 for hand in replay["hands"].values())
        assert set(replay["hands"]) == {str(seat) for seat in replay["state"]["game"]["order"]}
        *_, (game, _hands) = list_frames(replay)
        result = game["result"]
        points = {hand["seat"]: hand["points"] for hand in result["hands"]}
        assert deal["cells"] == [(points.get(seat), seat in result["winners"]) for seat in range(3)]
    assert build_replay(match, number=len(sheet) + 1) is None


def test_a_cancelled_deal_is_replayed_as_far_as_it_went(client, players, make_table):
    table = start_match(make_table(), *players[:2])
    play_a_turn(table)
    match = get_match(table)
    cancel_match(match_id=match.pk, reason="a test", staff_id=players[0].pk)
    replay = require(build_replay(reload(match), number=1))
    assert [event["kind"] for event in replay["steps"][-1]["events"]] == ["match_cancelled"]
    *_, (game, _hands) = list_frames(replay)
    assert len(game["discards"]) == 1
    client.force_login(players[1])
    assert client.get(f"/matches/{match.pk}/deals/1/").status_code == 200


def test_a_replay_begins_at_the_viewers_seat(client, finished):
    match, players = finished
    for seat, player in enumerate(players):
        client.force_login(player)
        answer = client.get(f"/matches/{match.pk}/deals/1/")
        chosen = [number for number, _name, is_chosen in answer.context["seats"] if is_chosen]
        assert chosen == [str(seat)]


def test_only_its_players_and_the_link_show_a_replay(client, finished, make_player):
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
