"""Help of a table with a player's own hand, and where it is refused."""

import pytest

from games.indian.rules.scoring import hand_points
from games.indian.rules.solver.arrangement import arrange
from games.registry import get_game
from tables.models import Change, TableTemplate
from tables.play.move import DraftMove, MoveRequest, play_move
from tables.play.reading import answer_question
from tables.refusals import HelpNotOffered, NoMatch, NotSeated, Refusal
from tables.seating.supply import open_from
from tests.given import reload
from tests.tables.driving import act, game_view, hand_of, player_at, seat_all, start_match, state_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(make_player, make_table):
    """A table of two that offers both kinds of help, in its first turn."""
    opened = make_table(offers_arrangement=True, offers_verdict=True)
    return start_match(opened, make_player(), make_player())


def arrange_best(*, table_id, user_id, rev):
    """As a page does it: it asks, and keeps the answer. The groups, and what became of them."""
    told = answer_question(table_id=table_id, user_id=user_id, question={"kind": "arrange"})
    move = DraftMove(rev=rev, draft=told["groups"])
    return told, play_move(MoveRequest(table_id=table_id, user_id=user_id, move=move))


def verdict(*, table_id, user_id, groups):
    question = {"kind": "judge", "groups": groups}
    return answer_question(table_id=table_id, user_id=user_id, question=question)


def deal_of(table):
    return get_game("indian").stored.load(state_of(reload(table))).deal


def record_of(table):
    return reload(table).version, state_of(table), Change.objects.filter(table=table).count()


def test_the_best_arrangement_is_saved_as_the_players_own(table):
    before = hand_of(table, 0)
    move, played = arrange_best(table_id=table.pk, user_id=player_at(table, 0).pk, rev=7)
    assert played.refusal is None
    saved = hand_of(table, 0)
    assert saved["groups"] == move["groups"]
    assert saved["rev"] == 7
    assert sorted(saved["hand"]) == sorted(before["hand"])


def test_it_counts_as_little_as_the_hand_can(table):
    deal = deal_of(table)
    player, rules = deal.player(1), get_game("indian").rules.preset("points")
    least = arrange(player.hand, deal.wild_rank, rules).points
    arrange_best(table_id=table.pk, user_id=player_at(table, 1).pk, rev=1)
    assert hand_points(deal_of(table).player(1).groups, deal.wild_rank, rules) == least


def test_of_fourteen_cards_the_one_to_discard_comes_last(table):
    seat = game_view(table)["turn"]
    act(table, seat, kind="draw", source="closed")
    arrange_best(table_id=table.pk, user_id=player_at(table, seat).pk, rev=1)
    groups = hand_of(table, seat)["groups"]
    assert len(groups[-1]) == 1
    assert sum(map(len, groups)) == 14
    assert act(table, seat, kind="discard", card=groups[-1][0]).refusal is None


def test_an_older_revision_does_not_undo_what_the_player_has_laid_since(table):
    user = player_at(table, 0).pk
    hand = hand_of(table, 0)["hand"]
    assert act(table, 0, kind="arrange", rev=9, groups=[hand]).refusal is None
    arrange_best(table_id=table.pk, user_id=user, rev=9)
    assert hand_of(table, 0)["groups"] == [hand]


def test_without_the_operators_leave_there_is_no_help(make_player, make_table):
    table = start_match(make_table(), make_player(), make_player())
    user, groups = player_at(table, 0).pk, hand_of(table, 0)["groups"]
    before = record_of(table)
    with pytest.raises(HelpNotOffered):
        arrange_best(table_id=table.pk, user_id=user, rev=1)
    with pytest.raises(HelpNotOffered):
        verdict(table_id=table.pk, user_id=user, groups=groups)
    assert record_of(table) == before


def test_practice_tables_help_always(make_table):
    table = make_table(bots_wanted=1)
    assert table.helps_to_arrange
    assert table.helps_to_declare


def test_a_table_keeps_what_its_template_offered(make_table):
    make_table()  # and with it the fees
    template = TableTemplate.objects.create(
        game="indian", preset="points", name="Lotus", point_value=1, offers_arrangement=True
    )
    opened = open_from(template)
    assert opened.helps_to_arrange
    assert not opened.helps_to_declare


def test_who_does_not_sit_there_is_not_helped(table, make_player):
    before = record_of(table)
    for user_id in (make_player().pk, None):
        with pytest.raises(NotSeated):
            arrange_best(table_id=table.pk, user_id=user_id, rev=1)
        with pytest.raises(NotSeated):
            verdict(table_id=table.pk, user_id=user_id, groups=[])
    assert record_of(table) == before


def test_before_the_cards_are_dealt_there_is_nothing_to_help_with(make_player, make_table):
    table = make_table(bots_wanted=1)
    player = make_player()
    seat_all(table, player)
    with pytest.raises(NoMatch):
        arrange_best(table_id=table.pk, user_id=player.pk, rev=1)


def test_the_verdict_is_that_of_the_declaration(table):
    """The declaration counts what the preview of the groups said."""
    seat = game_view(table)["turn"]
    user = player_at(table, seat).pk
    act(table, seat, kind="draw", source="closed")
    groups = hand_of(table, seat)["groups"]
    finish_card = groups[-1][-1]
    groups = [group for group in [*groups[:-1], groups[-1][:-1]] if group]
    before = record_of(table)
    told = verdict(table_id=table.pk, user_id=user, groups=groups)
    assert record_of(table) == before
    assert told["valid"] is False
    assert told["points"] == table.rules["wrong_declaration_points"]

    act(table, seat, kind="finish", card=finish_card)
    assert verdict(table_id=table.pk, user_id=user, groups=groups) == told
    act(table, seat, kind="declare", groups=groups)
    judged = game_view(table)["declaration"]
    fields = ("valid", "kinds", "reason", "failed_group")
    assert {name: judged[name] for name in fields} == {name: told[name] for name in fields}


@pytest.mark.parametrize("wrong", ["twelve", "twice", "foreign", "rubbish"])
def test_only_thirteen_of_ones_own_cards_are_judged(table, wrong):
    user, hand = player_at(table, 0).pk, hand_of(table, 0)["hand"]
    foreign = hand_of(table, 1)["hand"]
    groups = {
        "twelve": [hand[1:]],
        "twice": [hand[1:], hand[1:2]],
        "foreign": [hand[1:], foreign[:1]],
        "rubbish": [["11X"]],
    }[wrong]
    before = record_of(table)
    with pytest.raises(Refusal) as refused:
        verdict(table_id=table.pk, user_id=user, groups=groups)
    code = "malformed_move" if wrong == "rubbish" else "groups_not_your_hand"
    assert refused.value.code == code
    assert record_of(table) == before


def test_who_is_out_of_the_deal_is_not_helped(table):
    seat = game_view(table)["turn"]
    user = player_at(table, seat).pk
    act(table, seat, kind="drop")
    with pytest.raises(Refusal):
        arrange_best(table_id=table.pk, user_id=user, rev=1)
