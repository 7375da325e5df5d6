"""Favours between players in deals written by hand (docs/fair-play.md)."""

import pytest

from games.analysis.fairplay import MOST, list_alternatives
from games.cards import CARD_BY_TEXT
from games.engine.game import PairSums
from games.indian.bots.playouts import Hands
from games.indian.lab.fairplay.tracing import FAIR_PLAY, count_without, usefulness
from games.indian.rules.ruleset import POINTS
from tests.games.indian.fairplay_scenes import (
    FOUR,
    GIVER,
    NOTHING,
    ONE_PURE,
    WAITS,
    as_server,
    declare,
    drop,
    record,
    throw,
)
from tests.games.records import draw, end_deal, name_cards

HANDS = Hands(11, POINTS)
# Seat 0 draws a nine and discards the 8C, which seat 1 takes.
FED = [draw(0, "9H.1"), throw(0, "8C.0", 1), draw(1, "8C.0", "open")]
OVER = {"events": [end_deal(80, 0, 80, 70)]}


def cards(text):
    return [CARD_BY_TEXT[card] for card in name_cards(text)]


def sums_of(steps, hands=FOUR):
    return FAIR_PLAY.compute_sums([record(hands, steps)])


# --- Usefulness and alternatives.


@pytest.mark.parametrize(
    ("hand", "card", "points"),
    [
        (WAITS, "8C", MOST),  # a second sequence: the count falls from 76 to 0
        (WAITS, "5S", 5),  # replaces a king
        (WAITS, "QS", 0),
        (NOTHING, "8C", 2),
        (NOTHING, "7H", 3),
        (ONE_PURE, "QH", MOST),  # a second sequence
        (ONE_PURE, "8C", 2),
    ],
)
def test_a_card_is_as_useful_as_the_points_it_saves(hand, card, points):
    assert usefulness(HANDS, cards(hand), cards(card)[0]) == points


def test_alternatives_cost_little_and_are_no_jokers():
    hand = cards(GIVER.replace("2C", "PJ") + " 9H.1")
    counts = count_without(HANDS, hand, kept=cards("QS")[0])
    assert len(counts) == 12  # without the joker and the card that may not be discarded
    others = list_alternatives(counts, cards("8C")[0])
    assert set(others) == set(cards("TS 9S 7S 5S QH TH 7H AC 9H.1"))
    assert list_alternatives({}, cards("8C")[0]) == []


# --- Feeding.


def test_a_fed_card_counts_beside_the_alternatives_and_the_other_opponents():
    """Compared with the mean of the ten alternatives, the 8C is worth 15 - 1.3 to the next player, 2 - 1.3 to
    the third and 2 - 2.8 to the fourth.
    """
    sums = sums_of([*FED, OVER])
    fed = sums[0, 1]
    assert fed.feeding == pytest.approx(13.7 - (0.7 - 0.8) / 2)
    assert fed.feeding_others == pytest.approx((0.7 - (13.7 - 0.8) / 2, -0.8 - (13.7 + 0.7) / 2))
    assert fed.feeding + sum(fed.feeding_others) == pytest.approx(0)
    assert (fed.offered, fed.picked, fed.picks_due) == (1, 1, 0.99)
    assert [sums[0, taker].withheld for taker in (1, 2, 3)] == [0, -13.75, -13.75]
    for taker in (2, 3):
        assert (sums[0, taker].feeding, sums[0, taker].feeding_others) == (0, ())


def test_discards_by_the_server_are_not_counted_as_feeding():
    steps = [as_server(step) for step in FED[:2]]
    sums = sums_of([*steps, *FED[2:], OVER])
    assert sums[0, 1] == PairSums(paid=80.0, paid_due=sums[0, 1].paid_due)


def test_no_feeding_is_counted_with_one_opponent_left():
    dropped = [drop(0, 20, 1), drop(1, 20, 2), draw(2, "8S.1"), throw(2, "QD.0", 3)]
    sums = sums_of([*dropped, {"events": [end_deal(20, 20, 80, 0)]}])
    assert (sums[2, 3].feeding, sums[2, 3].feeding_others) == (0, ())
    assert (sums[2, 3].decisions, sums[2, 1].decisions) == (1, 0)


def test_a_discard_before_a_drop_is_offered_to_no_player():
    steps = [*FED[:2], drop(1, 20, 2), draw(2, "8C.0", "open")]
    sums = sums_of([*steps, OVER])
    assert (sums[0, 1].offered, sums[0, 2].offered, sums[0, 2].picked) == (0, 0, 0)


def test_the_discards_stand_with_both_hands():
    (delivery,) = FAIR_PLAY.list_deliveries(record(FOUR, [*FED, OVER]), 0, 1)
    assert (delivery.step, delivery.card, delivery.usefulness) == (1, "8♣", MOST)
    assert (delivery.beyond, delivery.was_taken) == (13.75, True)
    giver, taker = " ".join(delivery.giver_hand), " ".join(delivery.taker_hand)
    assert giver == "3♠ 5♠ 7♠ 9♠ 10♠ Q♠ 7♥ 9♥ 10♥ Q♥ 4♦ A♣ 2♣ 8♣"
    assert taker == "8♠ K♠ 2♥ 3♥ 4♥ 5♥ 8♥ 8♦ 9♦ K♦ 6♣ 7♣ K♣"
    assert FAIR_PLAY.list_deliveries(record(FOUR, [*FED, OVER]), 1, 2) == []


# --- Decisions.

DECLARABLE = "2H 3H 4H 5H 6C 7C 8C KS KD KC 8S 8D 8H"


def test_going_on_with_a_finished_hand_costs_ten_points():
    steps = [draw(0, "9D.0"), throw(0, "9D.0", 1)]
    sums = sums_of([*steps, OVER], (DECLARABLE, GIVER.replace("8C", "6S"), NOTHING, ONE_PURE))
    assert [sums[0, taker].loss for taker in (1, 2, 3)] == [10.0, 10.0, 10.0]
    broken = [draw(0, "9D.0"), throw(0, "3H.0", 1)]
    worse = sums_of([*broken, OVER], (DECLARABLE, GIVER.replace("8C", "6S"), NOTHING, ONE_PURE))
    assert worse[0, 1].loss == 20  # ten more for the broken sequence


def test_a_joker_thrown_costs_more_than_a_card_that_fits_nowhere():
    hand = WAITS.replace("6C 7C", "6C PJ")
    others = (GIVER, NOTHING, ONE_PURE)
    lost = {}
    for card in ("9D.0", "PJ.0"):
        sums = sums_of([draw(0, "AC.1"), throw(0, card, 1), OVER], (hand, *others))
        lost[card] = sums[0, 1].loss
    assert lost == {"PJ.0": 10, "9D.0": 4}  # capped at ten points


def test_a_good_hand_dropped_is_a_loss_and_a_bad_one_is_none():
    sums = sums_of([drop(0, 20, 1), drop(1, 20, 2), OVER])
    assert sums[0, 1].loss == 0
    assert sums[1, 2].loss > 25
    assert sums[1, 2].loss == sums[1, 3].loss
    assert sums[1, 0].decisions == 0  # seat 0 had already dropped


def test_a_wrong_declaration_counts_its_full_points():
    steps = [draw(0, "9H.1"), declare(0, valid=False, then=1)]
    assert sums_of([*steps, OVER])[0, 1].loss == 80


# --- Money.


def test_lost_points_are_shared_by_the_winners_and_compared_with_expectations():
    sums = sums_of([{"events": [end_deal(80, 0, 60, 0)]}])
    assert (sums[0, 1].paid, sums[0, 2].paid, sums[0, 3].paid) == (40, 0, 40)
    assert (sums[2, 1].paid, sums[1, 0].paid) == (30, 0)
    due = [sums[0, taker].paid_due for taker in (1, 2, 3)]
    assert sum(due) == pytest.approx(80, abs=0.01)
    assert due[0] > due[2] > due[1]  # the nearer to a declaration, the more is expected


# --- Whole matches.


def test_deals_of_a_match_are_added_up():
    one, two = sums_of([*FED, OVER]), sums_of([drop(0, 20, 1), OVER])
    both = FAIR_PLAY.compute_sums(
        [record(FOUR, [*FED, OVER]), record(FOUR, [drop(0, 20, 1), OVER])]
    )
    assert set(both) == {(a, b) for a in range(4) for b in range(4) if a != b}
    for pair, sums in both.items():
        for name in ("feeding", "loss", "decisions", "offered", "paid", "paid_due", "withheld"):
            expected = getattr(one[pair], name) + getattr(two[pair], name)
            assert getattr(sums, name) == pytest.approx(expected, abs=0.01)
