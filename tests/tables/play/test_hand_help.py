"""Help with the player's own hand."""

import pytest

from core.refusals import Refusal
from games.indian.rules.scoring import hand_points
from games.indian.rules.solver.arrangement import arrange
from games.registry import get_game
from tables.play.move import DraftMove, MoveRequest, play_move
from tables.play.reading import answer_question
from tables.refusals import NO_MATCH, NotSeated
from tables.seating.supply import open_from
from tests.given import reload
from tests.refusals import refused
from tests.tables.driving import (
    act,
    drop,
    game_view,
    hand_of,
    make_kind,
    player_at,
    seat_all,
    start_match,
    state_of,
)
from tests.tables.live.scene import read_record

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(make_player, make_table):
    """A table of two that offers both kinds of help, in its first turn."""
    opened = make_table(offers_arrangement=True, offers_verdict=True)
    return start_match(opened, make_player(), make_player())


def arrange_best(table, seat, rev, *, user_id=None):
    """Ask for the best groups and save them, as a page does. Return both answers."""
    user_id = user_id or player_at(table, seat).pk
    told = answer_question(table_id=table.pk, user_id=user_id, question={"kind": "arrange"})
    move = DraftMove(rev=rev, draft=told["groups"])
    return told, play_move(MoveRequest(table_id=table.pk, user_id=user_id, move=move))


def judge(table, seat, groups):
    question = {"kind": "judge", "groups": groups}
    return answer_question(table_id=table.pk, user_id=player_at(table, seat).pk, question=question)


def get_deal(table):
    return get_game("indian").stored.load(state_of(reload(table))).deal


def test_the_best_arrangement_counts_the_fewest_points(table):
    deal = get_deal(table)
    player, rules = deal.player(1), get_game("indian").rules.preset("points")
    least = arrange(player.hand, deal.wild_rank, rules).points
    arrange_best(table, 1, rev=1)
    assert hand_points(get_deal(table).player(1).groups, deal.wild_rank, rules) == least


def test_the_card_to_discard_of_fourteen_comes_last(table):
    seat = game_view(table)["turn"]
    act(table, seat, kind="draw", source="closed")
    arrange_best(table, seat, rev=1)
    groups = hand_of(table, seat)["groups"]
    assert len(groups[-1]) == 1
    assert sum(map(len, groups)) == 14
    assert act(table, seat, kind="discard", card=groups[-1][0]).refusal is None


def test_help_of_an_older_revision_does_not_overwrite_the_players_groups(table):
    hand = hand_of(table, 0)["hand"]
    assert act(table, 0, kind="arrange", rev=9, groups=[hand]).refusal is None
    arrange_best(table, 0, rev=9)
    assert hand_of(table, 0)["groups"] == [hand]


def test_practice_tables_help_and_others_as_their_template_says(make_table):
    practice = make_table(bots_wanted=1)
    assert (practice.helps_to_arrange, practice.helps_to_declare) == (True, True)
    opened = open_from(make_kind(offers_arrangement=True))
    assert (opened.helps_to_arrange, opened.helps_to_declare) == (True, False)


@pytest.mark.parametrize("is_signed_in", [True, False])
def test_only_seated_players_get_help(table, make_player, is_signed_in):
    before, user_id = read_record(table), make_player().pk if is_signed_in else None
    for question in ({"kind": "arrange"}, {"kind": "judge", "groups": []}):
        with pytest.raises(NotSeated):
            answer_question(table_id=table.pk, user_id=user_id, question=question)
    assert read_record(table) == before


def test_help_before_the_deal_is_refused(make_player, make_table):
    table = make_table(bots_wanted=1)
    seat_all(table, make_player())
    with refused(NO_MATCH):
        arrange_best(table, 0, rev=1)


def test_the_verdict_is_that_of_the_declaration(table):
    seat = game_view(table)["turn"]
    act(table, seat, kind="draw", source="closed")
    *groups, last = hand_of(table, seat)["groups"]
    *kept, finish_card = last
    groups = [group for group in [*groups, kept] if group]
    before = read_record(table)
    told = judge(table, seat, groups)
    assert read_record(table) == before
    assert told["valid"] is False
    assert told["points"] == table.rules["wrong_declaration_points"]

    act(table, seat, kind="finish", card=finish_card)
    assert judge(table, seat, groups) == told
    act(table, seat, kind="declare", groups=groups)
    judged = game_view(table)["declaration"]
    for name in ("valid", "kinds", "reason", "failed_group"):
        assert judged[name] == told[name]


@pytest.mark.parametrize("wrong", ["twelve", "twice", "foreign", "rubbish"])
def test_only_thirteen_of_the_players_own_cards_are_judged(table, wrong):
    hand, foreign = hand_of(table, 0)["hand"], hand_of(table, 1)["hand"]
    groups = {
        "twelve": [hand[1:]],
        "twice": [hand[1:], hand[1:2]],
        "foreign": [hand[1:], foreign[:1]],
        "rubbish": [["11X"]],
    }[wrong]
    before = read_record(table)
    with pytest.raises(Refusal) as refused:
        judge(table, 0, groups)
    code = "malformed_move" if wrong == "rubbish" else "groups_not_your_hand"
    assert refused.value.code == code
    assert read_record(table) == before


def test_a_player_out_of_the_deal_gets_no_help(table):
    seat, user_id = game_view(table)["turn"], player_at(table, game_view(table)["turn"]).pk
    drop(table)
    with pytest.raises(Refusal):
        arrange_best(table, seat, rev=1, user_id=user_id)
