"""Whole matches agree with rules that were written a second time (`model`)."""

from collections import Counter

import pytest

from tests.effort import share_of
from tests.games.basic.model import playing

SEED = 1
MATCHES = share_of(80)


@pytest.fixture(scope="module")
def played():
    return [playing.play_match(SEED, number) for number in range(MATCHES)]


def test_the_game_and_the_model_agree_in_every_step(played):
    """B1 to B16"""
    assert [match.disagreement for match in played if match.disagreement] == []
    assert sum(match.steps for match in played) > share_of(5_000)


def test_everything_happens_that_the_rules_speak_of(played):
    happened = sum((match.happened for match in played), Counter[str]())
    assert [what for what in playing.EXPECTED if not happened[what]] == []
