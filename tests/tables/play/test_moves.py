from functools import partial
from uuid import uuid4

import pytest

from tables.models import Change, ChangeKind, Deal, Match, MatchStatus, Seat, Table, TableStatus
from tables.play.move import MoveRequest, play_move
from tables.play.seeds import compute_commitment
from tests.given import reload, require
from tests.tables.driving import (
    act,
    drop,
    end_match,
    game_view,
    hand_of,
    let_time_pass,
    player_at,
    run_out_of_time,
    start_match,
    state_of,
)
from tests.tables.live.scene import read_record
from tests.tables.replaying import replay
from tests.together import run_at_once
from wallet.ledger import chart
from wallet.ledger.balances import balance
from wallet.money import Currency

pytestmark = pytest.mark.django_db


def list_stacks(table):
    seats = Seat.objects.filter(table=table, left_at=None).order_by("number")
    return [balance(chart.seat(s.pk, Currency.CHIPS)) for s in seats]


def test_a_move_raises_the_version_by_one_and_tells_only_its_player_the_card(table):
    seat = game_view(table)["turn"]
    before = table.version
    played = act(table, seat, kind="draw", source="closed")
    (step,) = played.changes
    assert played.version == step.version == before + 1
    assert step.events == [{"kind": "drawn", "seat": seat, "source": "closed"}]
    assert set(step.private) == {str(seat)}
    drawn = step.private[str(seat)]["drawn"]
    assert drawn in hand_of(table, seat)["hand"]
    assert str(drawn) not in str(require(step).patch)


REFUSED_MOVES = [
    ("turn", {"kind": "discard", "card": "7H.0"}, "wrong_step"),
    ("turn", {"kind": "fly"}, "malformed_move"),
    ("turn", {"kind": "draw", "source": "closed", "card": "7H.0"}, "malformed_move"),
    ("turn", {"kind": "declare", "groups": []}, "wrong_step"),
    ("other", {"kind": "draw", "source": "closed"}, "not_your_turn"),
    ("other", {"kind": "drop"}, "not_your_turn"),
    ("stranger", {"kind": "drop"}, "not_seated"),
]


def test_a_refused_move_changes_nothing(table, make_player):
    turn = game_view(table)["turn"]
    users = {
        "turn": player_at(table, turn),
        "other": player_at(table, 1 - turn),
        "stranger": make_player(),
    }
    before = read_record(table)
    for who, move, code in REFUSED_MOVES:
        refusal = require(play_move(MoveRequest(table.pk, users[who].pk, move)).refusal)
        assert refusal.code == code, move
        assert str(refusal.message).endswith(".")
        assert read_record(table) == before, move


def test_r4_9_a_move_after_its_deadline_is_refused_and_the_deadline_has_its_effect(table):
    seat = game_view(table)["turn"]
    run_out_of_time(table)
    played = act(table, seat, kind="draw", source="closed")
    assert require(played.refusal).code == "too_late"
    assert [step.kind for step in played.changes] == [ChangeKind.EXPIRY]
    view = game_view(table)
    assert view["turn"] == 1 - seat
    assert view["players"][str(seat)]["missed"] == 1


def test_an_arrangement_is_saved_without_a_new_version(table):
    hand = hand_of(table, 0)["hand"]
    before = table.version
    assert act(table, 0, kind="arrange", rev=7, groups=[hand[:6], hand[6:]]).refusal is None
    assert hand_of(table, 0)["groups"] == [hand[:6], hand[6:]]
    assert reload(table).version == before
    assert Change.objects.get(move__kind="arrange").version is None


def test_r7_2_a_first_drop_is_settled_in_the_same_step(table):
    loser = game_view(table)["turn"]
    played = act(table, loser, kind="drop")
    (step,) = played.changes
    match = Match.objects.get(table=table)
    assert match.status == MatchStatus.FINISHED
    assert require(match.result)["points"] == {str(loser): 20, str(1 - loser): 0}
    # 20 points at 1 chip, of which the house takes 10 %.
    assert match.settlement == {
        "gross": 20,
        "rake": 2,
        "rake_bps": 1_000,
        "net": 18,
        "winners": [1 - loser],
        "amounts": {str(loser): -20, str(1 - loser): 18},
    }
    assert list_stacks(table) == ([780, 818] if loser == 0 else [818, 780])
    assert balance(chart.rake(table.pk, Currency.CHIPS)) == 2
    assert step.events[-1]["kind"] == "settled"
    assert step.patch["table"]["status"] == "between"


def test_r7_3_the_next_deal_begins_with_another_first_player(table):
    first = game_view(table)["order"][0]
    act(table, first, kind="drop")
    let_time_pass(table)
    view = game_view(table)
    assert Match.objects.filter(table=table).count() == 2
    # R4.1: nobody joined, so there is no toss and the first mover has become the dealer.
    assert view["toss"] is None
    assert view["dealer"] == first


def test_r7_3_a_player_who_cannot_cover_a_full_count_is_stood_up(table):
    Table.objects.filter(pk=table.pk).update(min_buy_in=790)
    loser = drop(table)
    step = require(let_time_pass(table))
    assert step.patch["seats"][loser]["player"] is None
    assert step.patch["table"]["status"] == "waiting"


def test_the_promise_shown_before_a_deal_is_kept(make_player, make_table):
    table = make_table()
    promise = compute_commitment(bytes(table.next_seed))
    start_match(table, make_player(), make_player())
    deal = Deal.objects.get()
    assert deal.commitment == promise == compute_commitment(bytes(deal.seed))
    assert bytes(reload(table).next_seed) != bytes(deal.seed)


def test_a_finished_match_replays_to_its_state_and_settles_to_the_last_chip(make_table, players):
    table = start_match(make_table(max_seats=4), *players)
    match = end_match(table)
    assert match.changes.exclude(kind=ChangeKind.STARTED).exists()
    assert replay(match) == state_of(reload(table))
    settlement = require(match.settlement)
    amounts = settlement["amounts"]
    assert sum(amounts.values()) + settlement["rake"] == 0
    assert list_stacks(table) == [800 + amounts[str(seat)] for seat in range(4)]


@pytest.mark.django_db(transaction=True)
def test_concurrent_declarations_are_played_once(table):
    seat = game_view(table)["turn"]
    act(table, seat, kind="draw", source="closed")
    card = hand_of(table, seat)["drawn"]
    act(table, seat, kind="finish", card=card)
    groups = hand_of(table, seat)["groups"]  # any groups: a wrong declaration ends the deal too
    user = player_at(table, seat).pk
    move = {"kind": "declare", "groups": groups}
    requests = [MoveRequest(table.pk, user, move, move_id=uuid4()) for _ in range(2)]
    outcomes = run_at_once(*(partial(play_move, request) for request in requests))
    refusals = [played.refusal for played in outcomes if played.refusal]
    assert len(refusals) == 1
    assert refusals[0].code in {"no_match", "match_over", "deal_over"}
    assert require(Match.objects.get(table=table).settlement)["gross"] == 80
    assert sorted(list_stacks(table)) == [720, 872]
    assert Table.objects.get(pk=table.pk).status == TableStatus.BETWEEN
