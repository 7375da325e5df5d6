"""Whatever rules a host chooses, each call to a game ends soon, and a match continues to its end or limit.

Work is bounded by counted steps, so that a question has the same answer everywhere. The tests of each game's
solver and expert check these. Here the processor time of every call is limited, too, with a factor for slow
machines: an overlooked rule would cost minutes, not twice the time.
"""

import random
import time
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import pytest

from tests.effort import share_of
from tests.games.deals_in_one_process import list_caches
from tests.games.driving import CODES, GAMES
from tests.games.extremes import Kind, choose_extreme_rules, play_extreme_match

# The most seconds of processor time on an idle machine (bench/extremes.py), and the factor for slower machines.
MOST_SECONDS = {"question": 0.2, "view": 0.2, "bot": 1.0}
SLOWER = 3
MATCHES = 12
# The moves of a match. Experts that play deals out think for up to a second.
MOVES = {"basic": 20, "contract": 40}
# The caches are cleared before each call, which is measured as if it were the first in its process.
CACHES = [cache for _name, cache in list_caches("games.")]


def measure(most: dict[str, float], kind: Kind, call: Callable[[], Any]) -> Any:
    for cache in CACHES:
        cache.cache_clear()
    began = time.process_time()
    result = call()
    most[kind] = max(most[kind], time.process_time() - began)
    return result


@pytest.mark.parametrize("code", CODES)
def test_no_rule_makes_a_call_take_long(code):
    most: dict[str, float] = defaultdict(float)
    moves = 0
    for number in range(share_of(MATCHES)):
        match = play_extreme_match(
            GAMES[code],
            number,
            lambda kind, _what, call: measure(most, kind, call),
            MOVES.get(code, 60),
        )
        moves += sum(1 for _state in match)
    assert moves > 30
    assert most["bot"] > 0
    assert not {kind for kind, took in most.items() if took > SLOWER * MOST_SECONDS[kind]}


@pytest.mark.parametrize("code", CODES)
def test_extreme_rules_are_accepted_and_at_their_bounds(code):
    game, at_bounds = GAMES[code], 0
    kinds = game.rules.field_types()
    for number in range(share_of(60)):
        rules = choose_extreme_rules(game, random.Random(number))
        values = game.rules.json(rules)
        assert game.rules.parse(values) == rules
        at_bounds += sum(
            values[name] in (kind.least, kind.most)
            for name, kind in kinds.items()
            if kind.kind == "number"
        )
    assert at_bounds > share_of(60) * 5
