"""Matches, lays and sales agree with rules that were written a second time, from docs/rules*.md alone."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from games.indian.rules.ruleset import PRESETS
from tests.effort import IS_FULL, share_of
from tests.games.basic.model import playing as basic
from tests.games.contract.model import positions, windows
from tests.games.model import playing as indian
from tests.games.model.driver import check
from tests.games.rummikub.model import judging
from tests.games.rummikub.model import playing as rummikub

# By default every third match of Indian rummy, and one in which something happens that does in none of
# those: a rejoin that is let pass, a discarded joker that somebody wants.
OF_INDIAN = range(300) if IS_FULL else sorted({*range(0, 300, 3), 157})


@pytest.mark.parametrize(
    ("playing", "numbers", "steps"),
    [
        (basic, range(share_of(80)), share_of(5_000)),
        # In match 56 somebody moves the table before they may.
        (rummikub, sorted({*range(share_of(60)), 56}), share_of(3_000)),
    ],
    ids=["B1 to B16", "K1 to K18"],
)
def test_the_game_and_the_model_agree_in_every_step(playing, numbers, steps):
    check(playing.play_match, playing.EXPECTED, numbers, steps)


def test_r3_to_r10_the_game_and_the_model_agree_in_every_step():
    """By every preset, and by two to six players."""
    steps = 20_000 if IS_FULL else 8_000
    played = check(indian.play_match, indian.EXPECTED, OF_INDIAN, steps)
    every = {(name, seats) for name in PRESETS for seats in range(2, 7)}
    assert set(indian.PRESET_MATCHES) == every
    found = {(match.name, match.seats) for match in played}
    assert {name for name, _ in found} >= PRESETS.keys()
    assert {seats for _, seats in found} == {2, 3, 4, 5, 6}
    assert not IS_FULL or found >= every


def said(disagreements: Callable[[int, int], Iterator[Any]], count: int) -> Counter[str | None]:
    """What was said in so many positions, in which both agree."""
    told: Counter[str | None] = Counter()
    for number in range(count):
        for what, code in disagreements(number, 1):
            assert not what
            told[code] += 1
    return told


def test_k4_to_k11_the_game_and_the_model_judge_every_lay_alike():
    """On crowded tables with jokers, by rule sets of all kinds."""
    told = said(judging.list_disagreements, share_of(400))
    assert told.pop(None) > share_of(1_000)
    assert {code for code, often in told.items() if often > share_of(20)} == {
        *("table_not_valid", "below_initial_meld", "joker_is_frozen", "tiles_missing"),
        *("card_not_held", "nothing_laid", "table_not_yours", "joker_not_laid"),
    }


def test_c3_to_c13_the_game_and_the_model_agree_on_every_laying():
    """Each kind of laying is played, and refused for every reason there is."""
    told = said(positions.list_disagreements, share_of(1_500))
    expected = {
        "contract": "played contract_already_met contract_not_met groups_not_your_hand "
        "must_keep_a_discard not_a_meld",
        "lay_off": "played contract_not_met does_not_fit must_keep_a_discard no_such_meld "
        "not_in_this_turn",
        "swap_joker": "played contract_not_met does_not_fit joker_is_dead must_keep_a_discard "
        "no_such_joker no_such_meld not_in_this_turn",
    }
    assert told.keys() >= {
        f"{kind}: {c}" for kind, codes in expected.items() for c in codes.split()
    }
    assert told["contract: played"] > share_of(300)
    assert told["lay_off: played"] > share_of(1_000)
    assert told["swap_joker: played"] > share_of(100)


def test_c6_to_c8_c20_the_game_and_the_model_agree_on_every_buying():
    assert said(windows.list_disagreements, share_of(600)) == {"buying": share_of(600)}
