from functools import partial
from uuid import uuid4

import pytest

from tables.models import Change, ChangeKind, Deal, Match, MatchStatus, Seat, Table, TableStatus
from tables.play.move import MoveRequest, play_move
from tables.play.seeds import compute_commitment
from tests.given import reload, require
from tests.tables.driving import (
    act,
    end_match,
    game_view,
    hand_of,
    let_time_pass,
    play_a_turn,
    player_at,
    run_out_of_time,
    start_match,
)
from tests.tables.replaying import replay
from tests.together import run_at_once
from wallet.ledger import chart
from wallet.ledger.balances import balance
from wallet.money import Currency

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(make_player, make_table):
    """A table of two in its first turn, one chip a point, 800 chips each."""
    return start_match(make_table(), make_player(), make_player())


def record_of(table):
    """All that a refused move must leave as it was."""
    row = Table.objects.values("version", "state", "deadline_at", "status").get(pk=table.pk)
    return {**row, "state": bytes(require(row["state"]))}, Change.objects.count()


def stacks(table):
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


@pytest.mark.parametrize(
    ("who", "move", "code"),
    [
        ("turn", {"kind": "discard", "card": "7H.0"}, "wrong_step"),
        ("turn", {"kind": "fly"}, "malformed_move"),
        ("turn", {"kind": "draw", "source": "closed", "card": "7H.0"}, "malformed_move"),
        ("turn", {"kind": "declare", "groups": []}, "wrong_step"),
        ("other", {"kind": "draw", "source": "closed"}, "not_your_turn"),
        ("other", {"kind": "drop"}, "not_your_turn"),
    ],
)
def test_a_refused_move_changes_nothing(table, who, move, code):
    turn = game_view(table)["turn"]
    before = record_of(table)
    played = act(table, turn if who == "turn" else 1 - turn, **move)
    assert played.refusal is not None
    assert played.refusal.code == code
    assert str(played.refusal.sentence).endswith(".")
    assert record_of(table) == before


def test_a_card_that_is_not_held_is_refused(table):
    seat = game_view(table)["turn"]
    act(table, seat, kind="draw", source="closed")
    foreign = hand_of(table, 1 - seat)["hand"][0]
    before = record_of(table)
    played = act(table, seat, kind="discard", card=foreign)
    assert played.refusal is not None
    assert played.refusal.code == "card_not_held"
    assert record_of(table) == before


def test_a_stranger_is_refused(table, make_player):
    before = record_of(table)
    stranger = make_player()
    request = MoveRequest(table_id=table.pk, user_id=stranger.pk, move={"kind": "drop"})
    played = play_move(request)
    assert played.refusal is not None
    assert played.refusal.code == "not_seated"
    assert record_of(table) == before


def test_the_same_id_again_is_answered_and_not_played_again(table):
    seat = game_view(table)["turn"]
    request = MoveRequest(
        table_id=table.pk,
        user_id=player_at(table, seat).pk,
        move={"kind": "draw", "source": "closed"},
        seen_version=table.version,
        move_id=uuid4(),
    )
    first = play_move(request)
    before = record_of(table)
    again = play_move(request)
    assert again.refusal is None
    assert again.version == first.version
    assert again.changes == ()
    assert record_of(table) == before


def test_a_move_of_an_earlier_turn_is_stale(table):
    seat, seen = game_view(table)["turn"], table.version
    play_a_turn(table)
    play_a_turn(table)
    assert game_view(table)["turn"] == seat
    before = record_of(table)
    move = {"kind": "draw", "source": "closed"}
    user = player_at(table, seat).pk
    played = play_move(MoveRequest(table.pk, user, move, seen_version=seen))
    assert played.refusal is not None
    assert played.refusal.code == "stale_version"
    assert record_of(table) == before


def test_r4_9_a_move_after_its_deadline_is_refused_and_the_deadline_has_its_effect(table):
    seat = game_view(table)["turn"]
    run_out_of_time(table)
    played = act(table, seat, kind="draw", source="closed")
    assert played.refusal is not None
    assert played.refusal.code == "too_late"
    assert [step.kind for step in played.changes] == [ChangeKind.EXPIRY]
    view = game_view(table)
    assert view["turn"] == 1 - seat
    assert view["players"][str(seat)]["missed"] == 1


def test_an_arrangement_is_saved_and_nobody_is_told(table):
    hand = hand_of(table, 0)["hand"]
    before = table.version
    played = act(table, 0, kind="arrange", rev=7, groups=[hand[:6], hand[6:]])
    assert played.refusal is None
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
    assert stacks(table) == ([780, 818] if loser == 0 else [818, 780])
    assert balance(chart.rake(table.pk, Currency.CHIPS)) == 2
    assert step.events[-1]["kind"] == "settled"
    assert step.patch["table"]["status"] == "between"


def test_r7_3_the_next_deal_begins_by_itself_with_another_first_player(table):
    first = game_view(table)["order"][0]
    act(table, first, kind="drop")
    let_time_pass(table)
    view = game_view(table)
    assert Match.objects.filter(table=table).count() == 2
    # R4.1: nobody joined, so there is no toss and the first mover has become the dealer.
    assert view["toss"] is None
    assert view["dealer"] == first


def test_r7_3_who_cannot_cover_a_full_count_is_stood_up(make_player, make_table):
    table = make_table()
    start_match(table, make_player(), make_player())
    Table.objects.filter(pk=table.pk).update(min_buy_in=790)
    loser = game_view(table)["turn"]
    act(table, loser, kind="drop")
    step = let_time_pass(table)
    assert require(step).patch["seats"][loser]["player"] is None
    assert require(step).patch["table"]["status"] == "waiting"


def test_the_promise_shown_before_a_deal_is_kept(make_player, make_table):
    table = make_table()
    promise = compute_commitment(bytes(table.next_seed))
    start_match(table, make_player(), make_player())
    deal = Deal.objects.get()
    assert deal.commitment == promise == compute_commitment(bytes(deal.seed))
    assert bytes(reload(table).next_seed) != bytes(deal.seed)


def test_seeds_and_changes_replay_to_the_stored_state(make_player, make_table):
    table = make_table(max_seats=4)
    start_match(table, *(make_player() for _ in range(4)))
    match = end_match(table)
    assert match.changes.exclude(kind=ChangeKind.STARTED).exists()
    assert replay(match) == bytes(reload(table).state)


def test_a_match_of_bots_settles_to_the_last_chip(make_player, make_table):
    table = make_table(max_seats=4)
    start_match(table, *(make_player() for _ in range(4)))
    match = end_match(table)
    amounts = require(match.settlement)["amounts"]
    assert sum(amounts.values()) + require(match.settlement)["rake"] == 0
    assert stacks(table) == [800 + amounts[str(seat)] for seat in range(4)]


@pytest.mark.django_db(transaction=True)
def test_two_connections_race_with_the_same_finishing_move(make_player, make_table):
    """A double declaration: one is played, the other finds the deal over; money moves once."""
    table = start_match(make_table(), make_player(), make_player())
    seat = game_view(table)["turn"]
    act(table, seat, kind="draw", source="closed")
    card = hand_of(table, seat)["drawn"]
    act(table, seat, kind="finish", card=card)
    groups = hand_of(table, seat)["groups"]  # whatever they are: a wrong declaration ends it too
    user = player_at(table, seat).pk
    move = {"kind": "declare", "groups": groups}
    requests = [MoveRequest(table.pk, user, move, move_id=uuid4()) for _ in range(2)]
    outcomes = run_at_once(*(partial(play_move, request) for request in requests))
    refusals = [played.refusal for played in outcomes if played.refusal]
    assert len(refusals) == 1
    assert refusals[0].code in {"no_match", "match_over", "deal_over"}
    assert require(Match.objects.get(table=table).settlement)["gross"] == 80
    assert sorted(stacks(table)) == [720, 872]
    assert Table.objects.get(pk=table.pk).status == TableStatus.BETWEEN
