"""Contract Rummy at tables: the offer of the upcard. test_every_game.py has the rest."""

import random

import pytest
from django.db import IntegrityError

from tables.models import Change
from tables.play.move import MoveRequest, play_move
from tests.given import reload, require
from tests.tables.driving import (
    act,
    expire_turn,
    game_view,
    get_match,
    hand_of,
    let_time_pass,
    play_for_a_player,
    player_at,
    seat_a_bot,
    seat_all,
    start_match,
)
from tests.tables.records import check_records
from wallet.ledger.checks import reconcile

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(make_table, make_player):
    opened = make_table(game="contract", preset="single", point_value=2, max_seats=3)
    return start_match(opened, *(make_player() for _ in range(3)))


def refuse_upcard(table):
    """Let the current player draw from the closed deck. Return their seat and the seats that may buy the upcard."""
    turn = game_view(table)["turn"]
    assert act(table, turn, kind="draw", source="closed").refusal is None
    view = game_view(table)
    assert (view["phase"], view["turn"]) == ("buy", turn)
    return turn, view["buying"]["seats"]


def test_a_table_has_no_ninth_seat(make_table):
    with pytest.raises(IntegrityError, match="two_to_eight_seats"):
        make_table(game="contract", preset="single", point_value=2, max_seats=9)


def test_players_answer_the_offer_of_a_card_in_secret(table):
    turn, (first, second) = refuse_upcard(table)
    before = (reload(table).version, game_view(table))
    # The second player in order of play buys, in secret.
    assert act(table, second, kind="buy").refusal is None
    assert (reload(table).version, game_view(table)) == before
    assert hand_of(table, second)["answer"] == "buy"
    assert hand_of(table, first)["asked"] is True
    [row] = Change.objects.filter(table=table, version=None)
    assert (row.events, row.patch, set(row.private)) == ([], {}, {str(second)})
    for seat in (second, turn):
        assert require(act(table, seat, kind="buy").refusal).code == "not_asked"
    assert act(table, first, kind="pass").refusal is None
    view = game_view(table)
    assert (view["phase"], view["step"], view["buying"]) == ("turn", "discard", None)
    assert view["players"][str(second)]["cards"] == 12
    assert view["players"][str(second)]["buys_left"] == 2
    assert hand_of(table, turn)["drawn"] is not None


def test_the_offer_of_a_card_ends_by_its_clock(table):
    refuse_upcard(table)
    expire_turn(table)
    change = Change.objects.filter(table=table).latest("pk")
    assert [event["kind"] for event in change.events] == ["unsold", "drawn"]


def test_bots_answer_the_offer_of_a_card_one_after_the_other(make_table, make_player):
    """The first bot's answer changes nothing that the second one can see."""
    table = make_table(game="contract", preset="single", max_seats=3, bots_wanted=2)
    seat_all(table, make_player())
    _let_bots_move(table, until=lambda: table.status == "PLAYING")
    assert act(table, 0, kind="never_buy", on=True).refusal is None
    _let_bots_move(table, until=lambda: game_view(table)["turn"] == 0)
    _, asked = refuse_upcard(table)
    assert set(asked) == {1, 2}
    _let_bots_move(table, until=lambda: game_view(table)["phase"] != "buy")
    assert (game_view(table)["turn"], game_view(table)["step"]) == (0, "discard")


def _let_bots_move(table, *, until):
    for _ in range(60):
        table.refresh_from_db()
        if until():
            return
        if table.status != "PLAYING" and table.bot_due_at is None:
            let_time_pass(table)
            continue
        assert table.bot_due_at is not None
        seat_a_bot(table)
    raise AssertionError("the bots do not come to it")


def test_a_player_who_never_buys_is_not_waited_for(table):
    turn = game_view(table)["turn"]
    others = [seat for seat in (0, 1, 2) if seat != turn]
    for seat in others:
        assert act(table, seat, kind="never_buy", on=True).refusal is None
    assert act(table, turn, kind="draw", source="closed").refusal is None
    assert game_view(table)["phase"] == "turn"
    assert game_view(table)["step"] == "discard"


def test_a_player_says_at_any_time_that_they_never_buy(table):
    """`never_buy` is never stale, even if a turn has begun since the player's last version."""
    turn, seen = game_view(table)["turn"], table.version
    seat = next(seat for seat in (0, 1, 2) if seat != turn)
    refuse_upcard(table)
    user = player_at(table, seat).pk
    for move in ({"kind": "pass"}, {"kind": ["never_buy"], "on": True}):
        refused = play_move(MoveRequest(table.pk, user, move, seen_version=seen))
        assert require(refused.refusal).code == "stale_version"
    assert hand_of(table, seat)["answer"] is None

    said = {"kind": "never_buy", "on": True}
    assert play_move(MoveRequest(table.pk, user, said, seen_version=seen)).refusal is None
    assert (hand_of(table, seat)["never_buy"], hand_of(table, seat)["answer"]) == (True, "pass")


def test_missed_offers_and_missed_turns_are_on_record(table):
    rng = random.Random(3)
    for _ in range(3_000):
        table.refresh_from_db()
        if table.status != "PLAYING":
            break
        view = game_view(table)
        if view["turn"] == 0 or view["phase"] == "buy":
            expire_turn(table)
            continue
        play_for_a_player(table, strength="hard", rng=rng)
    match = get_match(table)
    changes = Change.objects.filter(match=match)
    kinds = {event["kind"] for change in changes for event in change.events}
    assert {"missed_turn", "absent"} <= kinds
    check_records(match)
    assert reconcile().findings == ()
