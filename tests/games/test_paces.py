"""Paces: every preset of every game at every pace, and whole deals with a day for each move."""

import random

import pytest

from games.engine.base import DEAL_ENDS
from games.engine.fields import DAY_SECONDS
from games.engine.paces import (
    PACE_TITLES,
    PACES,
    apply_pace,
    find_pace,
    is_slow,
    pace_fields,
)
from tests.games.driving import CODES, GAMES, bot_move, choose_rules, drive

# The shortest times in which a person can make a turn, a declaration, a show or an answer.
FLOORS = {"turn_seconds": 15, "declare_seconds": 30, "show_seconds": 30, "rejoin_seconds": 15}
DAY_MS = DAY_SECONDS * 1000
LATE_MS = 23 * 3_600_000  # a player who answers once a day
# A slow deal's limit in minutes: longer than any deal can take through its turns.
YEARS = 5 * 365 * 24 * 60
# Clocks that are not for a decision. A slow turn needs no extra time.
NO_DECISION = {"extra_seconds"}


def list_presets():
    return [
        pytest.param(game.rules, rules, id=f"{code}-{name}")
        for code, game in GAMES.items()
        for name, rules in game.rules.presets.items()
    ]


def clocks(rules):
    return {
        name: getattr(rules, name) for name in rules.__struct_fields__ if name.endswith("_seconds")
    }


@pytest.mark.parametrize(("book", "rules"), list_presets())
def test_a_pace_changes_clocks_and_can_be_read_back(book, rules):
    at = {pace: apply_pace(book, rules, pace) for pace in PACES}
    assert at["usual"] == rules
    for pace, changed in at.items():
        assert book.parse(book.json(changed)) == changed
        assert find_pace(book, changed) == pace
        assert apply_pace(book, changed, "usual") == rules
        assert is_slow(changed) == (pace == "slow")
        before, after = book.json(rules), book.json(changed)
        differing = {name for name, value in after.items() if value != before[name]}
        assert differing <= pace_fields(book, rules, pace).keys()
        assert differing <= {*clocks(rules), "max_minutes", "max_missed_turns"}


@pytest.mark.parametrize(("book", "rules"), list_presets())
def test_times_stay_playable(book, rules):
    quick, long = (apply_pace(book, rules, pace) for pace in ("blitz", "relaxed"))
    for name, usual in clocks(rules).items():
        assert min(usual, FLOORS.get(name, 5)) <= getattr(quick, name) <= usual
        assert getattr(long, name) == 2 * usual
    assert quick.turn_seconds < rules.turn_seconds
    # The deal's time limit grows in proportion to the turns.
    assert long.max_minutes * 60 >= 2 * rules.max_minutes * 60
    assert quick.max_missed_turns == long.max_missed_turns == rules.max_missed_turns


@pytest.mark.parametrize(("book", "rules"), list_presets())
def test_a_slow_game_has_a_day_for_every_decision_and_no_other_end(book, rules):
    slow = apply_pace(book, rules, "slow")
    assert {name for name, value in clocks(slow).items() if value != DAY_SECONDS} <= NO_DECISION
    assert slow.max_minutes >= YEARS
    assert slow.max_missed_turns >= 7  # players may be away for a weekend
    assert slow.max_turns == rules.max_turns  # this rule does not depend on time


def test_custom_clocks_have_no_pace():
    for game in GAMES.values():
        rules = choose_rules(game)
        own = game.rules.change(rules, turn_seconds=rules.turn_seconds + 1)
        assert find_pace(game.rules, own) is None
        assert apply_pace(game.rules, own, "blitz") == apply_pace(game.rules, rules, "blitz")
    assert set(PACE_TITLES) == set(PACES)


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("strength", ["easy", "hard"])
def test_players_who_answer_once_a_day_play_a_deal_to_its_end(code, strength):
    game = GAMES[code]
    rules, rng = apply_pace(game.rules, choose_rules(game), "slow"), random.Random(7)

    def choose(match, now):
        acting = game.core.status(match).acting
        if not acting:
            return None
        assert game.core.status(match).deadline - now <= DAY_MS
        move = game.wire.read(bot_move(game, match, acting[0], strength, rng))
        # For a question to several players, others may have used up some of the time.
        return acting[0], move, min(now + LATE_MS, game.core.status(match).deadline - 1)

    kinds = []
    for step in drive(game, choose, rules=rules, seed=3):
        kinds += [event.kind for event in step.events]
        if DEAL_ENDS in kinds:
            break
    assert DEAL_ENDS in kinds
    assert not {"missed_turn", "absent", "dropped"} & set(kinds)
    deal = step.match.deal
    turns = max(player.turns for player in deal.players)
    assert str(getattr(deal, "how", "")) != "limit" or turns == rules.max_turns
    assert step.now - deal.started_at > DAY_MS
