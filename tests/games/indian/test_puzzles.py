"""Puzzles of Indian rummy: exact arrangements, clear decisions, and anonymous players."""

import json
import random
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.analysis import puzzles as common
from games.analysis.judging import Option
from games.analysis.puzzles import Bar, Looks, Worth, mask_deal
from games.cards import CARDS, FACE_RANK, FACE_TEXT, full_deck, parse_face, read_cards, wild_rank
from games.engine.game import BadAnswer
from games.indian.bots.playouts import Hands, make_playouts
from games.indian.game import GAME
from games.indian.lab.analysis.options import IndianMoment
from games.indian.lab.analysis.report import ANALYSIS
from games.indian.lab.puzzles import finding
from games.indian.lab.puzzles.finding import KINDS, PUZZLES, IndianPuzzlePosition, IndianPuzzles
from games.indian.lab.puzzles.tasks import read_laid_groups
from games.indian.rules.ruleset import POINTS
from tests.games.indian.exhaustive import search_least
from tests.games.test_puzzles import records_of
from tests.games.values import replace

RULES = GAME.rules.json(POINTS)
QUICK = IndianPuzzles(looks=Looks(first=4, second=4, last=12))


@pytest.fixture(scope="module")
def records():
    return records_of("indian")


def make_arrange_task(hand, wild, points, *, declarable=False):
    task = {"hand": hand.split(), "wild": wild, "rules": RULES}
    return task, {"points": points, "declarable": declarable}


# --- Anonymity.


def test_a_masked_deal_is_the_same_deal_in_other_suits_and_packs(records):
    """No rule depends on a particular suit, so every hand has the same count."""
    record = records[0]
    hidden = mask_deal(record, 2, random.Random(1))
    assert hidden["hands"] != record["hands"]
    begun = ANALYSIS.begin(record)
    hands = Hands(begun.wild, begun.rules)
    looked_at = 0
    for (_n, _step, own), (_m, _other, other) in zip(
        ANALYSIS.read_situations(record), ANALYSIS.read_situations(hidden), strict=True
    ):
        place = own.position.turn
        assert other.position.turn == place
        assert _ranks(other, place) == _ranks(own, place)
        if len(own.position.hands[place]) == 13:
            assert hands.count_least(own.position.hands[place]) == hands.count_least(
                other.position.hands[place]
            )
            looked_at += 1
    assert looked_at > 5


def _ranks(situation, place):
    return [CARDS[card].rank for card in situation.position.hands[place]]


def test_masking_exchanges_suits_one_for_one(records):
    for seed in range(20):
        hidden = mask_deal(records[1], 2, random.Random(seed))
        suits = {
            (before[1], after[1])
            for seat, cards in records[1]["hands"].items()
            for before, after in zip(cards, hidden["hands"][seat], strict=True)
            if not before.startswith("PJ")
        }
        assert len(suits) == len({before for before, _after in suits}) == 4
        cards = [card for hand in hidden["hands"].values() for card in hand]
        assert len(set(cards)) == len(cards)


def test_a_puzzle_tells_neither_names_nor_numbers_nor_times(records):
    told = {
        **records[0],
        "match": 987654,
        "deal": 3,
        "table": "Banyan Court",
        "players": {"0": "Meera", "1": "Ravi"},
        "seed": "ab" * 32,
        "commitment": "cd" * 32,
        "steps": [{"at_ms": 1_799_999_999_999, **step} for step in records[0]["steps"]],
    }
    written = json.dumps(mask_deal(told, 2, random.Random(2)))
    for secret in ("987654", "Banyan", "Meera", "Ravi", "abab", "cdcd", "1799999999999", "at_ms"):
        assert secret not in written
        assert secret in json.dumps(told)


# --- Arrange this hand.


@given(data=st.data())
def test_only_arrangements_of_the_least_count_are_right(data):
    """Random groups of random hands are judged against the exhaustive search."""
    rng = random.Random(data.draw(st.integers(0, 10**6)))
    faces = [FACE_TEXT[card.face] for card in rng.sample(full_deck(2), 13)]
    wild = rng.choice("A23456789TJQK") + "S"
    rank = wild_rank(read_cards([wild])[0])
    least = search_least(read_cards(faces), rank, POINTS)
    task, solution = make_arrange_task(" ".join(faces), wild, least)
    rng.shuffle(faces)
    ends = sorted(rng.sample(range(14), 3))
    groups = [faces[start:end] for start, end in pairwise(ends) if end > start]
    said = PUZZLES.judge("arrange", task, solution, "|".join(map(" ".join, groups)))
    assert said["points"] >= least
    assert said["right"] is (said["points"] == least)
    assert said["loss"] == said["points"] - least


@pytest.mark.parametrize(
    "answer",
    [
        "4H 5H 6H 7H|TC JC QC|7S 7D 7C",  # the seven of hearts may be in the run
        "4H 5H 6H|TC JC QC|7S 7D 7C 7H",  # or in the set
        "7D 7S 7H 7C|QC TC JC|6H 4H 5H",
        "4H 5H 6H|TC JC QC|7S 7D 7C 7H|KD 9S|2H",
    ],
)
def test_different_arrangements_of_one_count_are_right(answer):
    task, solution = make_arrange_task("4H 5H 6H 7H TC JC QC 7S 7D 7C KD 9S 2H", "3S", 21)
    assert PUZZLES.judge("arrange", task, solution, answer) == {
        "right": True,
        "loss": 0.0,
        "points": 21,
    }


def test_an_arrangement_that_counts_more_is_judged_by_the_difference():
    """R6.3: without a second sequence only the pure one is free."""
    task, solution = make_arrange_task("4H 5H 6H 7H TC JC QC 7S 7D 7C KD 9S 2H", "3S", 21)
    said = PUZZLES.judge("arrange", task, solution, "4H 5H 6H 7H|7S 7D 7C")
    assert said == {"right": False, "loss": 51.0, "points": 72}
    assert PUZZLES.judge("arrange", task, solution, "")["points"] == 80


def test_a_declarable_hand_must_be_laid_to_declare():
    """A loose joker counts nothing, but R3.1 requires every card to be in a group."""
    hand = "4H 5H 6H TC JC QC 7S 7D 7C KD KS KH PJ"
    task, solution = make_arrange_task(hand, "3S", 0, declarable=True)
    groups = "4H 5H 6H|TC JC QC|7S 7D 7C|KD KS KH"
    assert PUZZLES.judge("arrange", task, solution, groups) == {
        "right": False,
        "loss": 0.0,
        "points": 0,
    }
    assert PUZZLES.judge("arrange", task, solution, f"{groups} PJ")["right"] is True


@pytest.mark.parametrize(
    "answer", ["4H 5H 6H 6H", "4H 5H 8H", "4H||5H", "|", "4h", "[[]]", "4H 5H 6H|4H"]
)
def test_answers_with_other_cards_than_the_hand_are_refused(answer):
    task, solution = make_arrange_task("4H 5H 6H 7H TC JC QC 7S 7D 7C KD 9S 2H", "3S", 21)
    with pytest.raises(BadAnswer):
        PUZZLES.judge("arrange", task, solution, answer)


def test_two_equal_cards_may_both_be_laid():
    groups = read_laid_groups(["4H", "4H", "5H", "6H"], "4H 5H 6H")
    assert [[FACE_TEXT[card.face] for card in group] for group in groups] == [
        ["4H", "5H", "6H"],
        ["4H"],
    ]
    assert len({card for group in groups for card in group}) == 4


# --- Which discard, drop or play.


def worth_of(options, rows):
    """Return the worth of options of a player who may discard or drop."""
    nowhere: Any = None
    return Worth(IndianPuzzlePosition(ANALYSIS, "drop", nowhere, (), {}), options, rows)


def test_an_answer_is_right_if_all_others_are_clearly_worse():
    options = tuple(Option("discard", card) for card in range(4))
    sure = worth_of(options, [[10.0, 7.0, 6.0, 0.0], [12.0, 9.0, 8.0, 2.0]] * 20)
    assert (sure.best, sure.gap(1), sure.gap(2)) == (options[0], 3.0, 4.0)
    assert (
        sure.find_right(Bar(least=2.0))
        == sure.find_right(Bar(least=2.0, most_right=2))
        == options[:1]
    )
    # Up to two nearly equal options may be right; with three there is no puzzle.
    assert sure.find_right(Bar(least=3.5)) == ()
    assert sure.find_right(Bar(least=3.5, most_right=2)) == options[:2]
    assert sure.find_right(Bar(least=4.5, most_right=2)) == ()
    # The mean gaps are the same, but the worlds disagree.
    doubtful = worth_of(options, [[60.0, 7.0, 6.0, 0.0], [-38.0, 9.0, 8.0, 2.0]] * 20)
    assert (doubtful.gap(1), doubtful.gap(2)) == (3.0, 4.0)
    assert doubtful.find_right(Bar(least=2.0, most_right=2)) == ()


def test_playing_on_is_worth_the_better_draw():
    drop, closed, opened = Option("drop"), Option("closed"), Option("open")
    worth = worth_of((drop, closed, opened), [[-20.0, -8.0, -12.0]] * 10)
    assert [(worth.answer(option), worth.loss_of(option)) for option in worth.ranked] == [
        ("play", 0.0),
        ("drop", 12.0),
    ]
    bad = worth_of((drop, closed, opened), [[-20.0, -31.0, -28.0]] * 10)
    assert bad.best == drop
    assert (bad.ranked, bad.gap(1)) == ((drop, opened), 8.0)


def find_first_turn(records, hand):
    """Return a record up to its first draw, with this hand and wild kings."""
    cards = list(map(str, read_cards(hand.split())))
    order = records[0]["order"]
    assert records[0]["steps"][0]["move"]["kind"] == "draw"
    return {
        **records[0],
        "wild": "KH.1",
        "open": "9S.1",
        "hands": {**records[0]["hands"], str(order[0]): cards},
        "steps": records[0]["steps"][:1],
    }


@pytest.mark.parametrize(
    ("hand", "right", "searches"),
    [
        # Six pairs of equal cards, and no two cards that fit together.
        ("AS AS QD QD TC TC 7H 7H 4S 4S JD JD 2C", "drop", 1.0),
        # A pure sequence, and two cards that wait for a second sequence.
        ("4H 5H 6H 8C 9C JD QD 2S 2D 7S TH AC KD", "play", 0.0),
    ],
)
def test_drop_or_play_has_two_answers_and_the_price_of_the_drop(
    records, monkeypatch, hand, right, searches
):
    monkeypatch.setattr(finding, "_SEARCHES_FOR_DROPS", searches)
    bar = replace(PUZZLES.bars["drop"], largest=1_000)
    monkeypatch.setattr(IndianPuzzles, "bars", {"drop": bar})
    puzzle = PUZZLES.find(find_first_turn(records, hand), "drop", rng=random.Random(1))
    assert puzzle is not None
    task, solution = puzzle["task"], puzzle["solution"]
    assert solution["right"] == [right]
    assert {option["answer"] for option in solution["options"]} == {"drop", "play"}
    assert len(task["hand"]) == 13
    assert (task["turn"], task["drop_points"]) == (1, 20)  # R5.2
    for option in solution["options"]:
        said = PUZZLES.judge("drop", task, solution, option["answer"])
        assert said == {"right": option["answer"] == right, "loss": option["loss"]}
        assert option["reasons"]
    with pytest.raises(BadAnswer):
        PUZZLES.judge("drop", task, solution, "KH")


def test_no_drop_puzzle_comes_from_a_pool_or_best_of_deals(records):
    for name in ("pool101", "deals2"):
        record = {**records[0], "rules": GAME.rules.json(GAME.rules.preset(name))}
        assert QUICK.find(record, "drop", rng=random.Random(5)) is None


def test_hidden_cards_do_not_change_the_worth_of_options(records):
    """The worth is judged without hindsight, so another hidden hand gives the same result."""
    compared = 0
    for record in records:
        number = next(
            n
            for n, step in enumerate(record["steps"])
            if step["seat"] == 0 and step["move"]["kind"] == "discard"
        )
        begun = {**record, "steps": record["steps"][: number + 1]}
        named = json.dumps(begun)
        hidden = next(card for card in map(str, full_deck(2)) if card not in named)
        played_already = json.dumps(begun["steps"])
        own = record["hands"]["1"]
        exchanged = next(card for card in own if card not in played_already)
        hand = [hidden if card == exchanged else card for card in own]
        other = {**begun, "hands": {**begun["hands"], "1": hand}}
        nets = []
        for deal in (begun, other):
            rng = random.Random(6)
            situation = common.find_situation(ANALYSIS.read_situations(deal), number)
            options = tuple(Option("discard", card) for card in situation.position.hands[0][:13])
            playing = make_playouts(situation.rules, situation.wild, rng)
            moment = IndianMoment(situation, 0, playing, rng)
            nets.append([moment.nets(options) for _world in range(5)])
        assert nets[0] == nets[1]
        compared += 1
    assert compared == len(records)


def test_a_late_position_or_one_after_a_drop_makes_no_puzzle(records):
    number = next(
        n for n, step in enumerate(records[0]["steps"]) if step["move"]["kind"] == "discard"
    )
    situation = common.find_situation(ANALYSIS.read_situations(records[0]), number)
    playing = make_playouts(situation.rules, situation.wild, random.Random(1))
    assert PUZZLES.list_options(situation, "discard", playing)
    for change in ("turns", "playing", "reshuffles"):
        changed = common.find_situation(ANALYSIS.read_situations(records[0]), number)
        if change == "turns":
            changed.position.turns[changed.position.turn] = 7
        elif change == "playing":
            changed.position.playing[1 - changed.position.turn] = False
        else:
            changed.reshuffles = 1
        assert PUZZLES.list_options(changed, "discard", playing) == ()


def test_every_kind_has_a_title_and_doubt_is_of_jokers_and_crossing_cards():
    assert set(KINDS) == {"arrange", "discard", "drop"}
    hands = Hands(3, replace(POINTS))

    def doubt(texts):
        return finding._count_doubtful([int(parse_face(text)) for text in texts.split()], hands)

    assert doubt("4H 5H 6H 9S KD") == 0
    assert doubt("4H 5H 6H 6S 6D") == 1
    assert doubt("4H 5H 6H 6S 6D PJ 3C") == 3
    assert doubt("QH KH AH AS AD") == 0  # the ace is counted low here
    assert FACE_RANK[parse_face("AH")] == 1
