"""The loss of a decision by options played out in random worlds, whatever the game."""

import random
from collections.abc import Sequence
from statistics import fmean

from games.analysis.judging import Choice, Effort, choose_option, evaluate_choice

# Of what an option brings in one world.
DEVIATION = 20.0


def list_losses(count: int, **means: float) -> list[float]:
    """Return the losses of a choice between named options, the first of which was made."""
    rng = random.Random(5)
    chosen, *others = means
    choice = Choice("any", chosen, tuple(others))

    def nets(options: Sequence[str]) -> list[float]:
        return [rng.gauss(means[option], DEVIATION) for option in options]

    return [evaluate_choice(choice, nets, Effort()).loss for _ in range(count)]


def test_equal_options_are_rarely_judged_a_mistake():
    """Two standard errors twice over: one decision of 1,600 where nothing is better, not one of 40."""
    losses = list_losses(1_500, done=0, second=0, third=0, fourth=0)
    assert 0 <= sum(loss > 0 for loss in losses) <= 4


def test_the_loss_of_a_mistake_is_unbiased():
    """Fresh worlds measure the cost, so the luck of finding a mistake does not raise it."""
    losses = list_losses(200, done=0, other=15, third=-5)
    assert all(losses)
    assert abs(fmean(losses) - 15) < 0.4


def test_the_best_option_loses_nothing_to_one_nearly_as_good():
    losses = list_losses(300, done=1, other=0, third=0)
    assert sum(losses) == 0


def choose(most, *, better=0.0):
    """Return the choice and the worlds drawn for it. `most` are the worlds within its steps."""
    worlds = []
    rng = random.Random(7)

    def nets(options):
        worlds.append(options)
        return [rng.gauss(better * (option == "other"), 1.0) for option in options]

    found = choose_option(("usual", "other"), nets, 30, 80, lambda: len(worlds) >= most)
    return found, len(worlds)


def test_a_choice_ends_when_its_steps_are_spent():
    assert choose(1_000, better=9.0) == ("other", 110)
    assert choose(50, better=9.0) == ("other", 50)
    assert choose(10, better=9.0) == ("other", 10)
    # Fewer than four worlds say nothing.
    assert choose(0, better=9.0) == ("other", 4)
    assert choose(0, better=-9.0) == ("usual", 4)
