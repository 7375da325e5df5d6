"""Whatever rules a host chooses, each call to a game ends soon, and a match continues to its end or limit.

Work is bounded by counted steps, so that a question has the same answer everywhere. The tests of each game's
solver and expert check these. Here the processor time of every call is limited, too, with a factor for slow
machines: an overlooked rule would cost minutes, not twice the time.
"""

import json
import random
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from typing import Any

import pytest

from games.engine.base import InvalidRules
from tests.effort import share_of
from tests.games.deals_in_one_process import list_caches
from tests.games.driving import (
    CODES,
    GAMES,
    NOW,
    SEED,
    drive,
    make_random_chooser,
    seed_of,
)
from tests.games.extremes import (
    Kind,
    choose_extreme_rules,
    choose_extreme_seats,
    play_extreme_match,
)

# The most seconds of processor time on an idle machine (bench/extremes.py), and the factor for slower machines.
MOST_SECONDS = {"question": 0.2, "view": 0.2, "bot": 1.0}
SLOWER = 3
MATCHES = 12
# The moves of a match. Experts that play deals out think for up to a second.
MOVES = {"basic": 20, "contract": 40}
MOVES_LISTED = 40
# A pool to a thousand points takes a thousand deals, if each costs one point.
MOST_DEADLINES = 8_000
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
def test_every_listed_move_is_legal_by_extreme_rules(code):
    game, tried = GAMES[code], 0
    for number in range(share_of(24)):
        rng = random.Random(f"{code}/{number}")
        rules = choose_extreme_rules(game, rng)
        seats = choose_extreme_seats(game, rules, rng)
        choose = make_random_chooser(game, rng)
        steps = drive(game, choose, rules=rules, seats=seats, seed=number)
        for step in islice(steps, MOVES_LISTED):
            for seat in game.core.status(step.match).acting:
                for move in game.core.list_legal(step.match, seat):
                    sent = json.loads(json.dumps(game.wire.write(move)))
                    assert game.wire.read(sent) == move
                    game.core.play(step.match, seat, move, now=step.now, seed=SEED)
                    tried += 1
    assert tried > 300


@pytest.mark.parametrize("code", CODES)
def test_silence_ends_a_match_by_extreme_rules(code):
    """Two players do nothing at all, in turns that they miss only once in each deal."""
    game = GAMES[code]
    for number in range(share_of(60)):
        rng = random.Random(f"{code}/{number}")
        rules = choose_extreme_rules(game, rng)
        # Most races and pools come here: their rules have more fields that end a match.
        for changed in ({"target": 100}, {"deals": None}, {"max_missed_turns": 1}):
            with suppress(InvalidRules):
                rules = game.rules.change(rules, **changed)
        outcome = game.core.start(rules=rules, seats=(0, 1), toss=True, seed=SEED, now=NOW)
        for deadline in range(MOST_DEADLINES):
            if (due := outcome.status.deadline) is None:
                break
            outcome = game.core.expire(outcome.state, now=due, seed=seed_of(deadline))
        assert outcome.status.result is not None, (number, outcome.status.deals)


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
