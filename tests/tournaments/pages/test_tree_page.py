"""The bracket as a tree: who meets whom, the viewer's path, and one number for each round."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.tournaments.browsing import read_region, read_tournament, sign_in
from tests.tournaments.driving import (
    begin,
    end_break,
    enter,
    open_tables,
    play_round,
    play_table,
    play_to_the_end,
)
from tournaments.models import EntrantState, RoundTable
from tournaments.pages.shown_tree import build_shown_tree
from tournaments.running.tick import tick

pytestmark = pytest.mark.django_db
DUEL = {"format": "heads-up", "seats": 2, "qualifiers": 1, "break_seconds": 0}


def build(tournament, user=None):
    return build_shown_tree(tournament, user_id=user and user.pk, now=timezone.now())


def list_ranked(round_number, number):
    table = RoundTable.objects.get(round__number=round_number, number=number)
    seats = table.seats.order_by("rank", "entrant__seeding").select_related("entrant__user")
    return [seat.entrant.user for seat in seats]


def describe(slot):
    """Return the names at a table, or a list of the seats for which a future table waits."""
    if slot.table is not None:
        return sorted(seat.name for seat in slot.table.seats)
    return [feed.seat.name if feed.seat else (feed.is_loser, feed.table) for feed in slot.feeds]


def test_a_bracket_of_eight_is_a_tree_of_three_rounds(start_tournament):
    cup = start_tournament(8, **DUEL)
    tree = build(cup)
    assert [(r.number, r.is_final, len(r.slots)) for r in tree.rounds] == [
        (1, False, 4),
        (2, False, 2),
        (3, True, 1),
    ]
    assert [[slot.weight for slot in r.slots] for r in tree.rounds] == [[1, 1, 1, 1], [2, 2], [4]]
    assert [slot.end for slot in tree.rounds[0].slots] == ["first", "last"] * 2
    assert tree.rounds[-1].slots[0].end == ""
    second, final = tree.rounds[1].slots, tree.rounds[2].slots
    assert [describe(slot) for slot in second] == [
        [(False, 1), (False, 2)],
        [(False, 3), (False, 4)],
    ]
    assert describe(final[0]) == [(False, 1), (False, 2)]
    assert describe(tree.third) == [(True, 1), (True, 2)]


def test_winners_and_losers_stand_where_they_play_next(start_tournament):
    cup = start_tournament(4, **DUEL)
    play_table(RoundTable.objects.get(number=1).table)
    tick()
    winner, loser = list_ranked(1, 1)
    tree = build(cup)
    assert describe(tree.rounds[1].slots[0]) == [winner.player_name, (False, 2)]
    assert describe(tree.third) == [loser.player_name, (True, 2)]
    play_table(RoundTable.objects.get(number=2).table)
    tick()
    others = list_ranked(1, 2)
    tree = build(cup)
    final, third = tree.rounds[1].slots[0], tree.third
    assert describe(final) == sorted([winner.player_name, others[0].player_name])
    assert describe(third) == sorted([loser.player_name, others[1].player_name])
    assert final.table is not None


def test_byes_have_their_place_in_the_tree(start_tournament):
    cup = start_tournament(5, **DUEL)
    first = build(cup).rounds[0].slots
    assert sorted(slot.is_bye for slot in first) == [False, True, True, True]
    byes = cup.entrants.filter(seats__round__number=1, seats__round_table=None)
    names = sorted(describe(slot)[0] for slot in first if slot.is_bye)
    assert names == sorted(entrant.user.player_name for entrant in byes.select_related("user"))


def test_a_tree_of_threes_has_shares_of_its_heights(start_tournament):
    """The heights are shares, because each slot's weight is the number of first tables that lead to it."""
    cup = start_tournament(12, seats=3, qualifiers=1, seats_early=True)
    tree = build(cup)
    assert [[slot.weight for slot in r.slots] for r in tree.rounds] == [[1, 1, 1, 1], [2, 2], [4]]
    assert tree.third is None


def test_of_a_large_field_the_last_rounds_are_a_tree(client, start_tournament):
    cup = start_tournament(20, **DUEL)
    assert [len(r.slots) for r in build(cup).rounds] == [8, 4, 2, 1]
    assert build(cup).first == 2
    body = read_tournament(client, cup)
    # The first round is a list of tables, after the tree.
    assert body.index('class="tree"') < body.index('class="bracket__round"')
    assert body.count('id="round-1"') == 1


@pytest.mark.parametrize(
    "terms",
    [
        {"seats": 6, "qualifiers": 2, "seats_early": True},
        {"seats": 3, "qualifiers": 1, "seats_early": False},
        {"seats": 3, "qualifiers": 1, "seats_early": True, "late_seconds": 600},
        {"format": "shoot-out", "seats": 4},
    ],
)
def test_without_a_tree_the_tables_are_listed(client, start_tournament, terms):
    cup = start_tournament(12, **terms)
    assert build(cup) is None
    body = read_tournament(client, cup)
    assert 'class="tree"' not in body
    assert 'class="bracket__round"' in body


def test_the_final_alone_is_no_tree(start_tournament):
    assert build(start_tournament(2, **DUEL)) is None


def test_a_disqualified_winner_leaves_the_next_place_empty(start_tournament):
    cup = start_tournament(4, **DUEL)
    play_table(RoundTable.objects.get(number=1).table)
    tick()
    winner = list_ranked(1, 1)[0]
    cup.entrants.filter(user=winner).update(state=EntrantState.DISQUALIFIED)
    (empty, waiting) = build(cup).rounds[1].slots[0].feeds
    assert (empty.seat, empty.table) == (None, None)
    assert waiting.table == 2


def test_the_readers_way_is_marked_to_its_end(client, make_player, start_tournament):
    people = [make_player() for _ in range(4)]
    cup = start_tournament(people, **DUEL)
    sign_in(client, people[0])
    body = read_tournament(client, cup)
    # The table in the tree, without a separate list of the same tables.
    assert body.count("bracket__table--own") == 1
    assert "Your path" not in body
    play_table(RoundTable.objects.get(seats__entrant__user=people[0]).table)
    tick()
    tree = build(cup, people[0])
    own = [slot.is_own for r in tree.rounds for slot in r.slots] + [tree.third.is_own]
    assert sum(own) == 2  # the table, and the final or the match for third place
    assert read_tournament(client, cup).count("bracket__table--own") == 2


def test_a_semi_final_says_who_plays_for_third_place(client, start_tournament):
    cup = start_tournament(4, **DUEL)
    play_table(RoundTable.objects.get(number=1).table)
    tick()
    _winner, loser = list_ranked(1, 1)
    body = read_tournament(client, cup)
    seats = re.findall(r'<li class="(bracket__seat[^"]*)">(.*?)</li>', body)
    places = [(css, text) for css, text in seats if loser.player_name in text]
    assert "Third place" in places[0][1]
    assert "bracket__seat--on" not in places[0][0]
    assert "Loser of table 2" in body


def test_the_round_has_one_number_in_every_part(client, make_player, start_tournament):
    """Two rounds run at the same time. Each viewer sees the number of their own round everywhere."""
    people = [make_player() for _ in range(8)]
    cup = start_tournament(people, **DUEL)
    for number in (1, 2):
        play_table(RoundTable.objects.get(round__number=1, number=number).table)
        tick()
    cup.refresh_from_db()
    assert cup.round_number == 2
    ahead = RoundTable.objects.get(round__number=2).seats.all()[0].entrant.user
    behind = RoundTable.objects.get(round__number=1, number=3).seats.all()[0].entrant.user
    for user, number in ((ahead, 2), (behind, 1), (None, 1)):
        client.logout()
        if user is not None:
            sign_in(client, user)
        assert f"Round {number} of 3" in read_region(client, cup, "round")
        assert f"Round {number} of 3" in read_tournament(client, cup, show="table")
        head = read_tournament(client, cup).split('class="tabs"')[0]
        assert re.findall(r"Round (\d)", head) == [str(number)]


def test_a_player_who_is_out_is_told_in_a_sentence(client, start_tournament):
    cup = start_tournament(8, **DUEL)
    play_table(open_tables(cup)[0])
    tick()
    out = cup.entrants.filter(state=EntrantState.OUT).first()
    sign_in(client, out.user)
    part = read_tournament(client, cup).split('id="take-part"')[1].split("</section>")[0]
    assert "You are out of the tournament. You will see your place when it is over." in part


def test_the_tree_stays_after_the_end(client, start_tournament):
    cup = play_to_the_end(start_tournament(4, **DUEL))
    body = read_tournament(client, cup)
    assert body.count("🏆") >= 1
    assert "Winner of table" not in body
    assert "Round" not in re.sub("<[^>]+>", " ", body.split('class="tabs"')[0])


def test_a_tree_takes_as_few_queries_for_many_as_for_few(client, make_tournament_of, make_player):
    counted = []
    for field in (8, 600):
        cup = make_tournament_of(bots_to=field, max_entrants=600, **DUEL)
        me = make_player()
        enter(cup, me)
        begin(cup)
        sign_in(client, me)
        read_tournament(client, cup)
        with CaptureQueriesContext(connection) as queries:
            answer = client.get(cup.get_absolute_url())
        assert len(answer.content) <= 150_000
        counted.append(len(queries))
    few, many = counted
    assert many <= few + 6, counted


def test_played_rounds_keep_their_slots(start_tournament):
    cup = start_tournament(8, **DUEL)
    play_round(cup)
    end_break(cup)
    tree = build(cup)
    assert [slot.table is not None for slot in tree.rounds[0].slots] == [True] * 4
    assert [slot.table is not None for slot in tree.rounds[1].slots] == [True] * 2
    assert tree.rounds[2].slots[0].table is None
