"""The value of a hand, and of a drop in a pool."""

import pytest

from games.cards import read_cards
from games.indian.bots.choose import count_room, estimate_chance, is_drop_better
from games.indian.bots.prospects import IndianProspect, assess_hand, list_discards
from games.indian.bots.value import (
    SeatStanding,
    estimate_value,
    estimate_value_of_first_hand,
)
from games.indian.rules.ruleset import POINTS, PRESETS
from tests.games.values import replace

UNSEEN = dict.fromkeys(range(53), 2)
GOOD = IndianProspect(missing=1, helpful=0.2, points=10, jokers=2, sequences=2)
BAD = IndianProspect(missing=5, helpful=0.5, points=75, jokers=0, sequences=0)
POOL = PRESETS["pool101"]


def make_standing(seats: int) -> SeatStanding:
    return SeatStanding(turn=0, opponents=seats - 1, pot=0, taken=0)


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_a_hand_nearer_to_a_declaration_is_worth_more(seats):
    now = make_standing(seats)
    assert estimate_value(GOOD, now, seats) > estimate_value(BAD, now, seats) + 20
    assert estimate_value_of_first_hand(GOOD, now, seats) > 0
    by_helpful = [
        estimate_value(GOOD._replace(helpful=part), now, seats) for part in (0.05, 0.2, 0.4)
    ]
    assert by_helpful == sorted(by_helpful)
    assert estimate_value(GOOD._replace(points=40), now, seats) < estimate_value(GOOD, now, seats)


@pytest.mark.parametrize("seats", [4, 6])
def test_with_many_players_a_hand_that_lacks_five_cards_is_worth_less_than_a_drop(seats):
    """Such hands were measured to return -55.7 ± 6.4 points with six players."""
    assert estimate_value_of_first_hand(BAD, make_standing(seats), seats) < -20


def test_only_discards_that_leave_a_hand_nearest_are_looked_at():
    hand = read_cards(
        ["2H", "3H", "4H", "5H", "2C", "3C", "4C", "KS", "KD", "KC", "8S", "8D", "QC", "QD"]
    )
    rules = replace(POINTS, max_points=1000)
    options = list_discards(hand, 9, rules, UNSEEN)
    assert {str(card)[:2] for card, _ in options} == {"8S", "8D", "QC", "QD"}
    for card, left in options:
        assert left.missing == 1
        assert left == assess_hand([other for other in hand if other != card], 9, rules, UNSEEN)
    assert all(card != hand[-1] for card, _ in list_discards(hand, 9, rules, UNSEEN, kept=hand[-1]))
    # Strengths that use only the count or the missing cards do not compute helpful cards.
    assert list_discards(hand, 9, rules, None) == [
        (card, left._replace(helpful=0)) for card, left in options
    ]


def test_chances_in_a_pool_add_up_to_one():
    rooms = [101.0, 40.0, 7.0]
    found = [estimate_chance(own, [r for r in rooms if r != own]) for own in rooms]
    assert sum(found) == pytest.approx(1)
    assert found == sorted(found, reverse=True)
    assert estimate_chance(0, [50]) == 0
    assert count_room(79, POOL) == 22


def pool(scores: dict[int, int]) -> dict[str, object]:
    return {
        "match": {
            "standings": {
                str(seat): {"membership": "in", "score": score} for seat, score in scores.items()
            }
        },
        "players": {str(seat): {"status": "playing"} for seat in scores},
    }


def test_r8_1_a_drop_that_eliminates_is_never_better():
    for score in range(81, 101):
        for net in (-80, -40, 0):
            public = pool({0: score, 1: 10, 2: 30})
            assert not is_drop_better(public, 0, POOL, points=20, net=net, count=80)


@pytest.mark.parametrize("score", [0, 40, 60])
def test_of_two_hands_the_better_one_is_played_in_a_pool(score):
    public = pool({0: score, 1: 40, 2: 40})
    drops = [
        is_drop_better(public, 0, POOL, points=20, net=net, count=60) for net in range(-60, 60, 5)
    ]
    assert drops == sorted(drops, reverse=True)
    assert drops[0] is True
    assert drops[-1] is False
