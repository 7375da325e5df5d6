"""R10.4c: which tables feed which is known in advance."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.rules import bracket
from tournaments.rules.bracket import Structure, split_into_tables
from tournaments.rules.formats import HEADS_UP, KNOCK_OUT
from tournaments.rules.tree import (
    BYES,
    AdvancingPlace,
    FinishedTable,
    compute_progress,
    count_going_on_from,
)

TWO_OF_SIX = Structure(6, 2)


def feeds(table, *places):
    return [AdvancingPlace(table, place) for place in places]


def test_r10_4c_neighbouring_tables_meet():
    """From 36 tables of six, two players each go on. Three tables fill one of the next round."""
    levels = KNOCK_OUT.tree([6] * 36, 0, TWO_OF_SIX)
    assert [len(level) for level in levels] == [12, 4, 2, 1]
    assert levels[0][0] == (*feeds(1, 1, 2), *feeds(2, 1, 2), *feeds(3, 1, 2))
    assert levels[0][11] == (*feeds(34, 1, 2), *feeds(35, 1, 2), *feeds(36, 1, 2))
    assert levels[3] == ((*feeds(1, 1, 2), *feeds(2, 1, 2)),)


def test_r10_4c_tables_of_the_next_round_are_of_similar_size():
    """Seven tables send 14 players on to tables of 5, 5 and 4. So two qualifiers of one table may be separated."""
    (level, *_later) = KNOCK_OUT.tree([6] * 7, 0, TWO_OF_SIX)
    assert level == (
        (*feeds(1, 1, 2), *feeds(2, 1, 2), *feeds(3, 1)),
        (*feeds(3, 2), *feeds(4, 1, 2), *feeds(5, 1, 2)),
        (*feeds(6, 1, 2), *feeds(7, 1, 2)),
    )


def test_a_single_table_has_no_tree_unless_there_is_a_bye():
    assert KNOCK_OUT.tree([5], 0, TWO_OF_SIX) == ()
    assert KNOCK_OUT.tree([5], 1, TWO_OF_SIX) == (((*feeds(1, 1, 2), AdvancingPlace(BYES, 1)),),)


@given(
    players=st.integers(3, 3_000),
    seats=st.integers(3, 6),
    qualifiers=st.integers(1, 5),
)
def test_law_a_tree_has_the_rounds_of_r10_3(players, seats, qualifiers):
    structure = Structure(seats, min(qualifiers, seats - 1))
    sizes = split_into_tables(players, seats)
    levels = KNOCK_OUT.tree(sizes, 0, structure)
    played = [sum(map(len, level)) for level in levels]
    assert (players, *played) == bracket.count_rounds(players, structure)
    for level in levels:
        feeds = Counter(feed for table in level for feed in table)
        assert set(feeds.values()) == {1}
        assert [len(table) for table in level] == list(split_into_tables(len(feeds), seats))
        assert count_going_on_from(level) == {
            number: structure.count_going_on(size) for number, size in enumerate(sizes, start=1)
        }
        sizes = tuple(len(table) for table in level)
    assert len(sizes) == 1


@given(players=st.integers(2, 200))
def test_law_heads_up_has_one_winner_and_a_match_for_third_place(players):
    structure = Structure(2, 1)
    seating = HEADS_UP.seat(
        list(range(players)), structure=structure, had_bye=(), rng=random.Random(1)
    )
    assert set(seating.byes) == set(range(len(seating.byes)))  # the best seeded
    levels = HEADS_UP.tree([2] * len(seating.tables), len(seating.byes), structure)
    assert HEADS_UP.rounds(players, structure) == (
        players, *(sum(map(len, level)) for level in levels),
    )  # fmt: skip
    tables = len(seating.tables) + sum(len(level) for level in levels)
    third = 1 if players > 2 else 0
    assert tables == players - 1 + third
    for number, level in enumerate(levels):
        is_last = number == len(levels) - 1
        assert len(level) == (2 if is_last else 2 ** (len(levels) - number - 1))
        winners = [feed for table in level[: 1 if is_last else None] for feed in table]
        assert {feed.place for feed in winners} <= {1} | {
            feed.place for feed in winners if feed.table == BYES
        }


def test_heads_up_of_five():
    """Five players make three byes: one match, then two semi-finals, then the final and a match for third place."""
    structure = Structure(2, 1)
    levels = HEADS_UP.tree([2], 3, structure)
    assert levels == (
        (
            (AdvancingPlace(1, 1), AdvancingPlace(BYES, 1)),
            (AdvancingPlace(BYES, 2), AdvancingPlace(BYES, 3)),
        ),
        (
            (AdvancingPlace(1, 1), AdvancingPlace(2, 1)),
            (AdvancingPlace(1, 2), AdvancingPlace(2, 2)),
        ),
    )


# --- How far play has come ------------------------------------------------------------------------


def ended(*players, at=0.0):
    return FinishedTable(players, at)


def test_r10_4c_a_table_is_ready_when_its_feeding_tables_have_ended():
    levels = KNOCK_OUT.tree([3] * 4, 0, Structure(3, 1))
    first = {1: ended(11, at=5.0), 2: ended(22, at=9.0), 3: None, 4: ended(44)}
    (ready,) = compute_progress(levels, first, {}).ready
    assert (ready.level, ready.number, ready.players, ready.since) == (0, 1, (11, 22), 9.0)
    assert compute_progress(levels, first, {(0, 1): None}).ready == ()
    assert compute_progress(levels, first, {(0, 1): None}).rounds_over == 0
    all_over = {**first, 3: ended(33)}
    assert [table.number for table in compute_progress(levels, all_over, {(0, 1): None}).ready] == [
        2
    ]
    assert compute_progress(levels, all_over, {(0, 1): None}).rounds_over == 1


def test_a_player_without_opponents_passes_through():
    levels = KNOCK_OUT.tree([3] * 4, 0, Structure(3, 1))
    first = {1: ended(None), 2: ended(22), 3: ended(None), 4: ended(None)}
    how_far = compute_progress(levels, first, {})
    assert [(table.level, table.number, table.players) for table in how_far.alone] == [
        (0, 1, (22,)),
        (1, 1, (22,)),
    ]
    assert how_far.ready == ()
    assert how_far.rounds_over == len(levels) + 1


def test_a_tree_without_players_is_over():
    levels = KNOCK_OUT.tree([3] * 2, 0, Structure(3, 1))
    how_far = compute_progress(levels, {1: ended(), 2: ended(None)}, {})
    assert (how_far.ready, how_far.alone, how_far.rounds_over) == ((), (), 2)


@pytest.mark.parametrize("format_", [KNOCK_OUT, HEADS_UP])
@given(number=st.integers(0, 2**32), players=st.integers(2, 60))
def test_law_no_player_waits_for_ever_in_any_order_of_ends(format_, number, players):  # noqa: PLR0915 - one play
    """Tables end in any order, and some players are disqualified meanwhile."""
    rng = random.Random(number)
    structure = Structure(2, 1) if format_ is HEADS_UP else Structure(rng.randint(3, 6), 1)
    seating = format_.seat(list(range(players)), structure=structure, had_bye=(), rng=rng)
    levels = format_.tree([len(t) for t in seating.tables], len(seating.byes), structure)
    gone: set[int] = set()
    known: dict[tuple[int, int], FinishedTable | None] = {}
    sat: Counter[tuple[int, int]] = Counter()
    running = {(-1, n): table for n, table in enumerate(seating.tables, start=1)}
    clock = 0.0

    def end_table(table, players_there):
        depth, table_number = table
        if depth == len(levels) - 1:
            return ()
        places = count_going_on_from(levels[depth + 1])[table_number]
        ranked = [p for p in rng.sample(players_there, len(players_there)) if p not in gone]
        return tuple(ranked[:places])

    outcomes = dict.fromkeys(running)
    while True:
        first = {n: _drop_gone(outcomes[d, n], gone) for (d, n) in outcomes if d < 0}
        if seating.byes:
            first[BYES] = _drop_gone(FinishedTable(seating.byes, 0.0), gone)
        known = {t: _drop_gone(e, gone) for t, e in outcomes.items() if t[0] >= 0}
        how_far = compute_progress(levels, first, known)
        for ready in how_far.ready:
            assert ready.since <= clock
            running[ready.level, ready.number] = ready.players
            outcomes[ready.level, ready.number] = None
            sat.update((ready.level, player) for player in ready.players)
        if how_far.rounds_over == len(levels) + 1:
            break
        assert running, "somebody waits for ever"
        table = rng.choice(sorted(running))
        clock += 1
        there = running.pop(table)
        outcomes[table] = FinishedTable(end_table(table, list(there)), clock)
        if rng.random() < 0.1:
            gone.add(rng.randrange(players))
    assert not running
    assert set(sat.values()) <= {1}


def _drop_gone(ended, gone):
    if ended is None:
        return None
    return FinishedTable(
        tuple(None if player in gone else player for player in ended.going_on), ended.at
    )
