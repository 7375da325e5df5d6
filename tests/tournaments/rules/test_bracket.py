"""R10.3, R10.4, R10.6: every entrant has one seat a round, and a place at the end."""

import random
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.rules.bracket import (
    Exit,
    Finisher,
    Seating,
    Structure,
    count_left_after_round,
    count_rounds,
    draw,
    find_qualified,
    is_final,
    rank_finishers,
    seat_players,
    separate_pairs,
    split_into_tables,
)

FIELDS = st.integers(2, 10_000)
SMALL_FIELDS = st.integers(2, 400)
STRUCTURES = st.integers(2, 8).flatmap(
    lambda seats: st.integers(1, seats - 1).map(lambda best: Structure(seats, best))
)


@given(FIELDS, st.integers(2, 8))
def test_r10_3_table_sizes_differ_by_at_most_one_and_are_never_one(field, seats):
    sizes = split_into_tables(field, seats)
    assert max(sizes) <= seats
    assert max(sizes) - min(sizes) <= 1
    assert min(sizes) >= 2
    byes = field - sum(sizes)
    assert byes == (field % 2 if seats == 2 else 0)
    assert len(sizes) == -(-(field - byes) // seats)


@pytest.mark.parametrize(
    ("field", "seats", "sizes"),
    [
        (7, 6, (4, 3)),
        (4, 3, (2, 2)),
        (13, 6, (5, 4, 4)),
        (6, 6, (6,)),
        (5, 2, (2, 2)),
        (2, 2, (2,)),
    ],
)
def test_r10_3_table_sizes(field, seats, sizes):
    assert split_into_tables(field, seats) == sizes


def test_a_single_player_cannot_be_seated():
    with pytest.raises(ValueError, match="alone"):
        split_into_tables(1, 6)


@given(FIELDS, st.integers(2, 8), st.integers())
def test_every_player_is_seated_exactly_once(field, seats, seed):
    players = range(field)
    seating = seat_players(players, seats=seats, rng=random.Random(seed))
    seated = [player for table in seating.tables for player in table]
    assert sorted([*seated, *seating.byes]) == list(players)
    assert [len(table) for table in seating.tables] == list(split_into_tables(field, seats))
    assert seating.is_final == (field <= seats)


def test_byes_go_to_the_best_seeded_players_without_one():
    players = [3, 5, 8, 13, 21]
    chance = random.Random(1)
    assert seat_players(players, seats=2, rng=chance).byes == (3,)
    assert seat_players(players, seats=2, had_bye=[3, 5], rng=chance).byes == (8,)
    assert seat_players(players, seats=2, had_bye=players, rng=chance).byes == (3,)


def test_seating_is_random_and_the_same_for_the_same_seed():
    players = range(60)
    first, again, other = (
        seat_players(players, seats=6, rng=random.Random(seed)) for seed in (1, 1, 2)
    )
    assert first == again != other
    assert draw(100, rng=random.Random(1)) == draw(100, rng=random.Random(1))


@given(FIELDS)
def test_the_draw_is_a_permutation(field):
    assert sorted(draw(field, rng=random.Random(field))) == list(range(field))


@given(FIELDS, STRUCTURES)
def test_fewer_are_left_every_round_until_a_final(field, structure):
    played = count_rounds(field, structure)
    assert played[0] == field
    assert is_final(played[-1], structure)
    for players, left in pairwise(played):
        assert not is_final(players, structure)
        assert 2 <= left < players
        assert left == count_left_after_round(players, structure)


def test_a_single_player_needs_no_rounds():
    assert count_rounds(1, Structure(6, 2)) == ()


@pytest.mark.parametrize(("seats", "best"), [(1, 1), (9, 2), (6, 6), (6, 0)])
def test_a_structure_lets_some_go_on_and_some_not(seats, best):
    with pytest.raises(ValueError, match="table"):
        Structure(seats, best)


def test_r10_4_equal_results_are_decided_by_the_draw():
    table = [Finisher(9, 1, 300), Finisher(4, 2, 160), Finisher(7, 2, 160), Finisher(1, 4, 20)]
    assert find_qualified(table, 2) == (9, 4)
    assert find_qualified(table, 3) == (9, 4, 7)


def play_out(field, structure, rng):
    """Play out a tournament with random results at its tables. Return its exits."""
    seeding, exits, number = {p: p for p in range(field)}, {}, 0
    left = list(range(field))
    had_bye: set[int] = set()
    while left:
        number += 1
        seating = seat_players(left, seats=structure.seats, had_bye=had_bye, rng=rng)
        had_bye |= set(seating.byes)
        going_on = set(seating.byes)
        for table in seating.tables:
            chips = {player: rng.randrange(0, 400, 40) for player in table}
            ranks = {p: 1 + sum(chips[o] > chips[p] for o in table) for p in table}
            ended = [Finisher(seeding[p], ranks[p], chips[p]) for p in table]
            best = (
                ()
                if seating.is_final
                else find_qualified(ended, structure.count_going_on(len(table)))
            )
            going_on |= set(best)
            for finisher in ended:
                if finisher.seeding not in best:
                    exits[finisher.seeding] = Exit(
                        finisher.seeding, finisher.rank, finisher.chips, number, seating.is_final
                    )
        left = sorted(going_on)
    return exits


@given(SMALL_FIELDS, STRUCTURES, st.integers())
def test_r10_6_places_are_a_permutation_that_agrees_with_the_rounds(field, structure, seed):
    exits = play_out(field, structure, random.Random(seed))
    places = rank_finishers(exits)
    assert sorted(place.place for place in places.values()) == list(range(1, field + 1))
    by_place = sorted(places, key=lambda player: places[player].place)
    for better, worse in pairwise(by_place):
        first, second = exits[better], exits[worse]
        assert first.round >= second.round
        if first.round == second.round and first.in_final:
            assert first.rank <= second.rank
        elif first.round == second.round:
            assert first.chips >= second.chips
        assert places[better].rank <= places[worse].rank
    counted = Counter(place.rank for place in places.values())
    for rank, sharing in counted.items():
        assert {p.place for p in places.values() if p.rank == rank} == set(
            range(rank, rank + sharing)
        )


def test_r10_6_chips_rank_the_players_of_a_round_across_its_tables():
    exits = {
        "winner": Exit(0, 1, 320, 2, True),
        "second": Exit(1, 2, 0, 2, True),
        "rich": Exit(3, 3, 150, 1, False),
        "poor": Exit(2, 3, 40, 1, False),
        "as poor": Exit(4, 2, 40, 1, False),
    }
    places = {player: (place.place, place.rank) for player, place in rank_finishers(exits).items()}
    assert places == {
        "winner": (1, 1),
        "second": (2, 2),
        "rich": (3, 3),
        "poor": (4, 4),
        "as poor": (5, 4),
    }


@given(SMALL_FIELDS, STRUCTURES, st.integers())
def test_r10_13_a_pool_is_ranked_by_the_place_at_the_table_then_by_score(field, structure, seed):
    rng = random.Random(seed)
    exits = {
        player: replace(exit_, chips=0, points=rng.randrange(0, 140, 20))
        for player, exit_ in play_out(field, structure, rng).items()
    }
    places = rank_finishers(exits)
    assert sorted(place.place for place in places.values()) == list(range(1, field + 1))
    by_place = sorted(places, key=lambda player: places[player].place)
    for better, worse in pairwise(by_place):
        first, second = exits[better], exits[worse]
        at_table = [(one.rank, 0 if one.in_final else one.points) for one in (first, second)]
        ahead = (-first.round, at_table[0]), (-second.round, at_table[1])
        assert ahead[0] <= ahead[1]
        shares = places[better].rank == places[worse].rank
        assert shares is (ahead[0] == ahead[1])
        if shares:
            assert first.seeding < second.seeding


def test_r10_13_a_player_who_went_out_earlier_ranks_lower_despite_a_lower_score():
    exits = {
        "winner": Exit(0, 1, 0, 2, True, 60),
        "second": Exit(1, 2, 0, 2, True, 20),
        "long in": Exit(3, 2, 0, 1, False, 140),
        "as long": Exit(4, 2, 0, 1, False, 101),
        "short": Exit(2, 3, 0, 1, False, 101),
        "as short": Exit(5, 3, 0, 1, False, 101),
    }
    places = {player: (place.place, place.rank) for player, place in rank_finishers(exits).items()}
    assert places == {
        "winner": (1, 1), "second": (2, 2), "as long": (3, 3), "long in": (4, 4),
        "short": (5, 5), "as short": (6, 5),
    }  # fmt: skip


# --- Kept apart.


@given(
    st.integers(6, 60),
    st.integers(2, 8),
    st.lists(st.tuples(st.integers(0, 59), st.integers(0, 59)), max_size=4),
    st.integers(0, 5),
)
def test_separating_pairs_keeps_table_sizes_and_every_player_seated(field, seats, wanted, seed):
    apart = [frozenset(pair) for pair in wanted if pair[0] != pair[1]]
    seating = seat_players(range(field), seats=seats, rng=random.Random(seed))
    changed = separate_pairs(seating, apart)
    assert sorted(sum(changed.tables, ())) == sorted(sum(seating.tables, ()))
    assert [len(table) for table in changed.tables] == [len(table) for table in seating.tables]
    assert changed.byes == seating.byes
    before = sum(pair <= set(table) for table in seating.tables for pair in apart)
    after = sum(pair <= set(table) for table in changed.tables for pair in apart)
    assert after <= before
    if len(apart) == 1 and len(seating.tables) > 1:
        assert after == 0
    if before == 0:
        assert changed == seating


def test_a_pair_meets_at_the_only_table():
    final = Seating(((3, 1, 2),))
    assert separate_pairs(final, [frozenset({1, 2})]) == final
