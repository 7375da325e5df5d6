"""The estimated loss of a decision, from playouts of its options in random worlds, for any game."""

import random
from collections.abc import Sequence
from statistics import fmean

from games.analysis.judging import Choice, Effort, choose_option, evaluate_choice

# The standard deviation of an option's net points in one world.
DEVIATION = 20.0


def list_losses(count: int, **means: float) -> list[float]:
    """Return `count` estimated losses of choosing the first of these options, given their mean net points."""
    rng = random.Random(5)
    chosen, *others = means
    choice = Choice("any", chosen, tuple(others))

    def nets(options: Sequence[str]) -> list[float]:
        return [rng.gauss(means[option], DEVIATION) for option in options]

    return [evaluate_choice(choice, nets, Effort()).loss for _ in range(count)]


def test_equal_options_are_rarely_judged_a_mistake():
    """An error has to exceed two standard errors twice, so it occurs in one of 1,600 decisions, not one of 40."""
    losses = list_losses(1_500, done=0, second=0, third=0, fourth=0)
    assert 0 <= sum(loss > 0 for loss in losses) <= 4


def test_the_loss_of_a_mistake_is_unbiased():
    """New worlds measure the loss, so that it is not inflated by the luck that made the mistake stand out."""
    losses = list_losses(200, done=0, other=15, third=-5)
    assert all(losses)
    assert abs(fmean(losses) - 15) < 0.4


def test_the_best_option_loses_nothing_to_one_nearly_as_good():
    losses = list_losses(300, done=1, other=0, third=0)
    assert sum(losses) == 0


def choose(most, *, better=0.0):
    """Return the chosen option and the number of worlds drawn. The steps are spent after `most` worlds."""
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
    # At least four worlds are always drawn.
    assert choose(0, better=9.0) == ("other", 4)
    assert choose(0, better=-9.0) == ("usual", 4)
