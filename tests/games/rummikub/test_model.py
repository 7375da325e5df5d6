"""Lays and whole matches agree with rules that were written a second time (`model`)."""

from collections import Counter

from tests.effort import share_of
from tests.games.model.driver import check
from tests.games.rummikub.model import playing
from tests.games.rummikub.model.judging import disagreements

SEED = 1
POSITIONS = share_of(400)
CODES = {
    *("table_not_valid", "below_initial_meld", "joker_is_frozen", "tiles_missing"),
    *("card_not_held", "nothing_laid", "table_not_yours", "joker_not_laid"),
}


def test_k1_to_k18_the_game_and_the_model_agree_in_every_step():
    check(playing.play_match, playing.EXPECTED, share_of(60), share_of(3_000))


def test_the_game_and_the_model_judge_every_lay_alike():
    """K4 to K11: on crowded tables with jokers, by rule sets of all kinds."""
    said: Counter[str | None] = Counter()
    for number in range(POSITIONS):
        for what, code in disagreements(number, SEED):
            assert not what
            said[code] += 1
    assert said[None] > share_of(1_000)
    assert {
        code for code, often in said.items() if code is not None and often > share_of(20)
    } == CODES
