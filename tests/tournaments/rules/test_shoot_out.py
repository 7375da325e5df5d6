"""R10.11: a fixed number of rounds, rising stakes, kept chips, a final of those with most of them."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.rules.bracket import Exit, Finisher, Structure, TableEnded, split_into_tables
from tournaments.rules.formats import SHOOT_OUT
from tournaments.rules.payouts import (
    PayoutTable,
    PayoutTableKind,
    Rung,
    compute_prizes,
    share_prizes,
)
from tournaments.rules.shoot_out import InvalidStakes, parse_stakes, stakes_text

# Two deals a round at 1, 2 and 4 chips a point.
THREE = Structure(6, 2, (160, 320, 640))


def chips(*stacks, first=0):
    return tuple(Finisher(seeding, 1, stack) for seeding, stack in enumerate(stacks, start=first))


def list_left(number, *tables, byes=(), structure=THREE):
    ended = [TableEnded(len(table), table) for table in tables]
    return SHOOT_OUT.list_left_after(ended, byes, number=number, structure=structure)


def test_all_players_play_every_round_and_the_richest_play_the_final():
    assert SHOOT_OUT.rounds(20, THREE) == (20, 20, 6)
    assert SHOOT_OUT.rounds(4, THREE) == (4, 4, 4)
    assert SHOOT_OUT.rounds(1, THREE) == ()


def test_only_the_last_round_is_the_final():
    for number, is_final in ((1, False), (2, False), (3, True)):
        assert SHOOT_OUT.will_be_final(2, number=number, structure=THREE) is is_final
        assert SHOOT_OUT.was_final(number=number, tables=1, byes=0, structure=THREE) is is_final


def test_a_player_who_cannot_pay_for_the_next_round_is_out():
    assert list_left(1, chips(700, 320, 319), chips(0, 1_000, first=3)) == (4, 0, 1)


def test_a_player_with_a_bye_keeps_their_chips():
    assert list_left(1, chips(700, 10), byes=(Finisher(9, 0, 400),)) == (0, 9)


def test_the_final_takes_as_many_players_as_a_table_has_seats():
    tables = chips(900, 800, 700, 650), chips(2_000, 640, 640, 639, first=4)
    assert list_left(2, *tables) == (4, 0, 1, 2, 3, 5)


def test_the_draw_decides_between_equal_chips_for_the_final():
    structure = Structure(2, 1, (80, 80))
    assert list_left(1, chips(80, 80, 80), structure=structure) == (0, 1)


def test_a_round_may_leave_no_player():
    assert list_left(1, chips(300, 20)) == ()


def test_a_shoot_out_has_no_tree():
    assert SHOOT_OUT.count_going_on(5, THREE) == 5
    assert not SHOOT_OUT.has_tree(THREE, early=True)


@pytest.mark.parametrize(
    ("text", "stakes"),
    [("1,2,4", (1, 2, 4)), (" 5 , 5", (5, 5)), ("1, 2, 3, 9999", (1, 2, 3, 9_999))],
)
def test_stakes_are_written_with_commas(text, stakes):
    assert parse_stakes(text) == stakes
    assert parse_stakes(stakes_text(stakes)) == stakes


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1",
        "1, 0",
        "1; 2",
        "1, -2",
        "1, 2.5",
        "2, 1",
        "1, 10000",
        "\u0661, \u0662",
        ", ".join("1" * 13),
    ],
)
def test_invalid_stakes_are_refused(text):
    with pytest.raises(InvalidStakes):
        parse_stakes(text)


def play_out(field, structure, start, rng):
    """Play out a shoot-out at which nobody loses more than a round can cost. Return its exits."""
    stacks = dict.fromkeys(range(field), start)
    exits: dict[int, Exit] = {}
    number, before = 0, 0
    while len(stacks) > 1:
        number += 1
        seating = SHOOT_OUT.seat(sorted(stacks), structure=structure, had_bye=(), rng=rng)
        brought = sum(stacks.values())
        tables = []
        for table in seating.tables:
            winner = rng.choice(table)
            for player in set(table) - {winner}:
                lost = rng.randint(0, structure.costs[number - 1])
                stacks[player] -= lost
                stacks[winner] += lost
            ranked = sorted(table, key=lambda player: -stacks[player])
            tables.append(
                TableEnded(
                    len(table),
                    tuple(Finisher(p, ranked.index(p) + 1, stacks[p]) for p in table),
                )
            )
        assert sum(stacks.values()) == brought
        assert min(stacks.values()) >= 0
        byes = tuple(Finisher(player, 0, stacks[player]) for player in seating.byes)
        final = SHOOT_OUT.was_final(
            number=number, tables=len(tables), byes=len(byes), structure=structure
        )
        staying = (
            ()
            if final
            else SHOOT_OUT.list_left_after(tables, byes, number=number, structure=structure)
        )
        for finisher in (*byes, *(f for table in tables for f in table.finishers)):
            if finisher.seeding not in staying:
                exits[finisher.seeding] = Exit(
                    finisher.seeding, finisher.rank, finisher.chips, number, final
                )
        stacks = {player: stacks[player] for player in staying}
        if final:
            assert len(tables) == 1
            break
        before = number
    for player, stack in stacks.items():
        exits[player] = Exit(player, 1, stack, before + 1, False)
    return exits


@given(
    st.integers(2, 80),
    st.integers(2, 6),
    st.lists(st.integers(1, 9), min_size=2, max_size=5),
    st.integers(1, 8),
    st.integers(0, 10**9),
    st.randoms(use_true_random=False),
)
def test_chips_are_neither_made_nor_lost_and_the_prizes_are_the_pool(
    field, seats, stakes, stacks_of_first, pool, rng
):
    costs = tuple(80 * stake for stake in sorted(stakes))
    structure = Structure(seats, 1, costs)
    start = costs[0] * stacks_of_first
    exits = play_out(field, structure, start, random.Random(rng.randint(0, 10**9)))
    assert len(exits) == field
    placed = SHOOT_OUT.placings(exits)
    assert sorted(place.place for place in placed.values()) == list(range(1, field + 1))
    for player, place in placed.items():
        assert place.rank == 1 + sum(other.rank < place.rank for other in placed.values())
        assert exits[player].chips >= 0
    table = PayoutTable(PayoutTableKind.PERCENT, (Rung(1, 5_000), Rung(2, 2_500)))
    shared = share_prizes(
        compute_prizes(pool, payout_table=table, field=field),
        {place.place: place.rank for place in placed.values()},
    )
    assert sum(shared.values()) == pool


def test_players_with_chips_for_all_rounds_reach_the_end():
    """With the chips of all rounds nobody runs out, so everybody plays all deals before it."""
    field, rng = 37, random.Random(4)
    exits = play_out(field, THREE, sum(THREE.costs), rng)
    assert sum(exit_.round == 3 for exit_ in exits.values()) == 6
    assert sum(exit_.round == 2 for exit_ in exits.values()) == 31
    assert all(sum(split_into_tables(n, 6)) == n for n in (37, 6))
