"""The analysis of a deal of gin: hidden worlds, knocks and answers, luck (../test_analysis.py)."""

import random
from statistics import stdev

import pytest

from games.analysis.judging import Effort, evaluate_choice
from games.analysis.report import compute_outcome
from games.cards import CARD_BY_TEXT
from games.gin.bots.playouts import GinPlayouts
from games.gin.game import GAME
from games.gin.lab.analysis.options import GinMoment, find_choice
from games.gin.lab.analysis.report import ANALYSIS
from games.gin.rules.melding import BIT, cards_of, mask_of
from tests.games.gin.scenes import NOTHING
from tests.games.records import discard, draw, end_deal, name_cards, write_record, write_step
from tests.games.test_analysis import GIN, read_reasons

ALL = (1 << 52) - 1


def deal(first, second, upcard, *steps):
    return write_record(GAME, [first, second], steps, open=f"{upcard}.0")


def knock(seat, card, melds, loose, points, *more):
    groups = [name_cards(group) for group in melds.split("|")]
    how = "knock" if points else "gin"
    shown = {"groups": groups, "loose": name_cards(loose), "points": points}
    event = {"kind": "knocked", "how": how, **shown}
    return write_step(seat, "knock", event, *more, card=f"{card}.0", groups=groups)


# --- Worlds and playouts.


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_sampled_world_agrees_with_everything_that_the_seat_saw(number):
    looked_at = 0
    for _n, step, situation in ANALYSIS.read_situations(GIN.record(number)):
        if step["move"]["kind"] not in ("draw", "discard", "pass"):
            continue
        looked_at += 1
        known, place = situation.position, situation.position.turn
        world = GinMoment(situation, place, None, random.Random(looked_at)).sample_world()
        other = known.hands[1 - place]
        assert world.hands[place] == known.hands[place]
        assert world.open_pile == known.open_pile
        assert world.hands[1 - place].bit_count() == other.bit_count()
        assert situation.held[1 - place] & ~world.hands[1 - place] == 0
        cards = [*world.closed, *world.open_pile, *cards_of(world.hands[0] | world.hands[1])]
        assert sorted(cards) == list(range(52))
    assert looked_at > 10


def test_the_record_is_read_as_the_deal_was():
    record = GIN.record(4)
    hands = dict(record["hands"])
    for number, step, situation in ANALYSIS.read_situations(record):
        place = situation.position.turn
        if step["move"]["kind"] in ("discard", "knock"):
            assert situation.position.hands[place].bit_count() == 11
        if number == 0:
            first = record["order"][0]
            assert situation.position.hands[0] == mask_of(
                CARD_BY_TEXT[card] for card in hands[str(first)]
            )
        held = sum(hand.bit_count() for hand in situation.position.hands)
        assert len(situation.list_closed()) + len(situation.position.open_pile) + held == 52


# --- Losses.


def test_a_loss_never_depends_on_hidden_cards():
    """With the same hand and upcard, shuffling all other cards does not change the verdict at all."""
    begun = ANALYSIS.begin(GIN.record(1))
    own = begun.position.hands[0]
    hidden = list(cards_of(ALL & ~own & ~BIT[begun.upcard]))
    verdicts = set()
    for number in range(4):
        random.Random(number).shuffle(hidden)
        begun.position.hands[1] = mask_of(hidden[:10])
        playing = GinPlayouts(begun.rules, begun.upcard)
        choice = find_choice(begun, {"kind": "pass"}, playing)
        assert choice is not None
        nets = GinMoment(begun, 0, playing, random.Random(3)).nets
        verdicts.add(evaluate_choice(choice, nets, Effort().scale(0.3)))
    assert len(verdicts) == 1


def test_throwing_gin_away_is_a_costly_decision():
    thrown = deal(
        "5H 6H 7H|KS KD KC|9D TD JD|2C",
        NOTHING,
        "8H",
        draw(0, "8H", "open"),
        discard(0, "5H", end_deal(20, 0)),
    )
    report = GIN.report(thrown)
    decision = report["decisions"][-1]
    assert decision["kind"] == "knock"
    assert decision["loss"] > 30
    best = decision["options"][decision["best"]]["text"]
    assert best["message"] % best["values"] == "Discard the 2♣ for gin"
    assert read_reasons(decision) == ["It was gin: with the 2♣ discarded, nothing was left over."]


def test_a_missed_knock_is_explained_with_its_gain():
    """At the first turn the player could knock with ten, and few cards would lower that."""
    missed = deal(
        "5H 6H|KS KD KC|AS 2C 3D 4S|TC",
        NOTHING.replace("AD", "8C").replace("TC", "TS").replace("4C", "4D"),
        "7H",
        draw(0, "7H", "open"),
        discard(0, "TC", end_deal(20, 0)),
    )
    report = GIN.report(missed, part=0.2)
    decision = report["decisions"][-1]
    assert decision["kind"] == "knock"
    assert decision["loss"] > 5
    sentences = read_reasons(decision)
    assert sentences[0] == "You could have knocked with 10."
    assert "would have undercut you" in sentences[1]


def test_a_knock_with_avoidable_deadwood_is_explained():
    """The player knocked without laying the set of aces."""
    dear = deal(
        "5H 6H|AS AD AC|9D TD JD|2C 4S",
        NOTHING.replace("AD", "2D").replace("4C", "5C"),
        "7H",
        draw(0, "7H", "open"),
        knock(0, "4S", "5H 6H 7H|9D TD JD", "AS AD AC 2C", 5, end_deal(0, 30)),
    )
    report = GIN.report(dear)
    decision = report["decisions"][-1]
    assert decision["kind"] == "knock"
    assert 1.5 <= decision["loss"] <= 6
    assert read_reasons(decision) == ["In other groups you could have knocked with 2 instead of 5."]


def test_an_answer_that_missed_an_undercut_is_counted_exactly():
    """The knocker has ten. The opponent lays none of its melds and pays 88 - 10 instead of winning an undercut."""
    melds = "5H 6H 7H|KS KD KC"
    defence = write_step(1, "defend", end_deal(0, 70), groups=[], lay_offs=[])
    answered = deal(
        "5H 6H|KS KD KC|AS 2C 3D 4S|QC",
        "8H 9H TH|QH QS QD|JH JS JC|AD",
        "7H",
        draw(0, "7H", "open"),
        knock(0, "QC", melds, "AS 2C 3D 4S", 10),
        defence,
    )
    report = GIN.report(answered, seat=1)
    (decision,) = report["decisions"]
    assert decision["kind"] == "defend"
    counted = 8 + 9 + 10 + 30 + 30 + 1
    # With all melded but the ace, it undercuts by nine; laying the run off gives the same count.
    assert decision["loss"] == (10 - 1 + 25) + (counted - 10)
    assert read_reasons(decision) == [
        f"In other groups your hand counts 1 instead of {counted}.",
        "That would have been an undercut.",
    ]


# --- Luck.


def test_the_result_without_luck_varies_less():
    records = [GIN.record(number, "hard") for number in range(25)]
    results = [compute_outcome(record, 0) or 0.0 for record in records]
    left = [
        result - ANALYSIS.estimate_luck(record, 0, random.Random(1), ANALYSIS.effort).total
        for result, record in zip(results, records, strict=True)
    ]
    assert stdev(left) < 0.85 * stdev(results)


def test_a_card_that_makes_gin_is_lucky():
    lucks = []
    for card in ("2S", "4H"):
        won = deal(
            "5H 6H 7H|KS KD KC|9D TD JD|2C",
            NOTHING.replace("KC", "2D"),
            "TH",
            write_step(0, "pass", {"kind": "passed"}, {"kind": "turn", "seat": 1}),
            write_step(1, "pass", {"kind": "passed"}, {"kind": "turn", "seat": 0}),
            draw(0, card),
            discard(0, card, end_deal(0, 50)),
        )
        lucks.append(ANALYSIS.estimate_luck(won, 0, random.Random(1), ANALYSIS.effort).draws)
    assert lucks[1] > lucks[0] + 10
