"""The analysis of a deal of Indian rummy: hidden worlds, luck, shows and finishes (../test_analysis.py)."""

import json
import random
from collections import Counter

import pytest

from games.analysis.judging import Effort, evaluate_choice
from games.cards import CARD_BY_TEXT, CARDS, full_deck
from games.indian.bots.playouts import Hands, make_playouts
from games.indian.lab.analysis.options import (
    IndianMoment,
    find_choice,
    find_finishing_card,
)
from games.indian.lab.analysis.report import ANALYSIS
from games.indian.rules.ruleset import POINTS
from games.indian.rules.solver.arrangement import arrange, arrange_fourteen
from tests.games.test_analysis import INDIAN, read_reasons
from tests.games.values import replace


@pytest.fixture(scope="module")
def record():
    return INDIAN.record(1)


# --- Playouts and worlds.


@pytest.mark.parametrize("players", [2, 4, 6])
def test_a_playout_neither_makes_nor_loses_points_or_cards(players):
    rng = random.Random(players)
    for number in range(5):
        begun = ANALYSIS.begin(INDIAN.record(number, players=players))
        world = begun.reshuffle(rng)
        nets = make_playouts(POINTS, begun.wild, rng).play_out(world)
        assert sum(nets) == pytest.approx(0)
        assert max(nets) > 0
        cards = [card for hand in world.hands for card in hand]
        cards += [*world.closed, *world.open_pile, begun.wild_card]
        assert sorted(cards) == list(full_deck(2))


def test_counts_of_playouts_are_those_of_the_solver():
    rng = random.Random(5)
    hands = Hands(7, POINTS)
    no_cap = replace(POINTS, max_points=1_000)
    for _ in range(50):
        cards = rng.sample(CARDS[:106], 14)
        assert hands.count_least(cards[:13]) == arrange(cards[:13], 7, no_cap).points
        best = arrange_fourteen(cards, 7, no_cap)
        assert hands.find_best_of_fourteen(cards)[0] == best.points
        assert (find_finishing_card(cards, hands) is not None) == best.declarable


@pytest.mark.parametrize(("players", "strength"), [(2, "medium"), (6, "waiting")])
def test_a_sampled_world_agrees_with_everything_that_the_seat_saw(players, strength):
    """Six waiting players use up the deck. After the reshuffle, hands hold cards that were never seen."""
    looked_at = reshuffles = 0
    for _n, step, situation in ANALYSIS.read_situations(INDIAN.record(1, strength, players)):
        if step["move"]["kind"] not in ("draw", "discard"):
            continue
        looked_at += 1
        known, place = situation.position, situation.position.turn
        world = IndianMoment(situation, place, None, random.Random(looked_at)).sample_world()
        assert world.hands[place] == known.hands[place]
        assert world.open_pile == known.open_pile
        assert [len(hand) for hand in world.hands] == [len(hand) for hand in known.hands]
        for hand, taken in zip(world.hands, situation.taken, strict=True):
            assert Counter(taken) <= Counter(hand)
        cards = [*world.closed, *world.open_pile, situation.wild_card]
        cards += [card for hand in world.hands for card in hand]
        assert sorted(cards) == sorted(situation.deck)
        if situation.reshuffles:
            reshuffles += 1
            assert set(world.closed) <= situation.thrown
    assert looked_at > 10
    assert (reshuffles > 0) is (players == 6)


# --- Losses.


def test_a_loss_never_depends_on_hidden_cards(record):
    """With the same hand and open card, shuffling all other cards does not change the verdict at all."""
    begun = ANALYSIS.begin(record)
    own = begun.position.hands[0]
    seen = {*own, *begun.position.open_pile, begun.wild_card}
    hidden: list[int] = [card for card in begun.deck if card not in seen]
    verdicts = set()
    for number in range(4):
        random.Random(number).shuffle(hidden)
        begun.position.hands[1] = hidden[:13]
        begun.position.closed = hidden[13:]
        rng = random.Random(3)
        playing = make_playouts(begun.rules, begun.wild, rng)
        choice = find_choice(begun, {"kind": "drop"}, playing)
        assert choice is not None
        nets = IndianMoment(begun, 0, playing, rng).nets
        verdicts.add(evaluate_choice(choice, nets, Effort().scale(0.1)))
    assert len(verdicts) == 1


# --- The report.


def find_shown(record):
    return next((step for step in record["steps"] if step["move"]["kind"] == "show"), None)


def test_the_loss_of_a_badly_laid_hand_is_exact():
    record = INDIAN.record(4)
    laid = json.loads(json.dumps(record))
    step = find_shown(laid)
    assert step is not None
    seat = step["seat"]
    hand = [card for group in step["move"]["groups"] for card in group]
    step["move"]["groups"] = [hand]
    report = INDIAN.report(laid, seat=seat)
    shown = [decision for decision in report["decisions"] if decision["kind"] == "show"]
    wild = ANALYSIS.begin(record).wild
    cards = [CARD_BY_TEXT[card] for card in hand]
    everything = sum(max(0, Hands(wild, POINTS).points[card]) for card in cards)
    least = arrange(cards, wild, POINTS).points
    assert everything > least
    assert [decision["loss"] for decision in shown] == [min(80, everything) - least]


def test_r3_4_finishing_without_a_valid_hand_is_a_costly_decision(record):
    wrong = json.loads(json.dumps(record))
    first = next(
        n
        for n, step in enumerate(wrong["steps"])
        if step["seat"] == 0 and step["move"]["kind"] == "discard"
    )
    card = wrong["steps"][first]["move"]["card"]
    end = {"kind": "deal_over", "winners": [1], "points": {"0": 80, "1": 0}}
    wrong["steps"] = [
        *wrong["steps"][:first],
        {
            "seat": 0,
            "move": {"kind": "finish", "card": card},
            "events": [{"kind": "finished", "seat": 0, "card": card}, end],
        },
    ]
    report = INDIAN.report(wrong)
    decision = report["decisions"][-1]
    assert decision["kind"] == "finish"
    assert decision["loss"] > 30
    assert decision["options"][decision["chosen"]]["text"]["message"] == "Declare"
    assert read_reasons(decision)[1] == "A wrong declaration costs 80 points."
