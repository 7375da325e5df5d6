"""Whole matches agree with rules that were written a second time (`model`)."""

from tests.effort import share_of
from tests.games.basic.model import playing
from tests.games.model.driver import check


def test_b1_to_b16_the_game_and_the_model_agree_in_every_step():
    check(playing.play_match, playing.EXPECTED, share_of(80), share_of(5_000))
