"""The number of cards that each player took from the open pile, counted from the public view."""

from games.indian.bots.taken import count_taken
from games.indian.game import GAME
from games.indian.rules.ruleset import POINTS
from tests.games.driving import play_bots
from tests.games.indian.scenes import HOPELESS, act, scene


def test_a_card_from_the_open_pile_is_counted():
    match = scene("3S 6S QS QS AH 3H 5H TH KH 8D JD 5C TC", HOPELESS, next_closed="4C")
    match = act(act(match, 0, "draw", source="closed"), 0, "discard", card="QS")
    match = act(match, 1, "draw", source="open")
    assert count_taken(GAME.view.public(match), POINTS) == {0: 0, 1: 1}


def test_every_draw_from_the_pile_of_whole_deals_is_counted():
    compared = 0
    for seed in range(4):
        drawn = dict.fromkeys(range(3), 0)
        for step in play_bots(GAME, "medium", "medium", "medium", seed=seed):
            for event in step.events:
                if event.kind == "drawn" and event.data["source"] == "open":
                    drawn[int(str(event.data["seat"]))] += 1
            if step.match.deal.phase.value != "turn":
                continue
            for seat, taken in count_taken(GAME.view.public(step.match), POINTS).items():
                # No player discarded the first open card, so taking it is not counted.
                assert drawn[seat] - 1 <= taken <= drawn[seat]
                compared += taken
    assert compared > 100
