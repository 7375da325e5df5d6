"""Whole matches agree with rules that were written a second time, from docs/rules.md alone."""

from collections import Counter

import pytest

from games.indian.rules.ruleset import PRESETS
from tests.effort import IS_FULL
from tests.games.model.happenings import EXPECTED
from tests.games.model.playing import PRESET_MATCHES, SEATS, Played, play_match

SEED = 1
# By default every third match, and one for each thing that happens in none of those: a match that is
# concluded, a player who leaves during a show, and one who leaves, or lets a rejoin pass, when out.
MATCHES = range(300) if IS_FULL else sorted({*range(0, 300, 3), 37, 59, 268})


@pytest.fixture(scope="module")
def played() -> list[Played]:
    return [play_match(SEED, number) for number in MATCHES]


def test_the_game_and_the_model_agree_in_every_step(played):
    assert [match.disagreement for match in played if match.disagreement] == []
    assert sum(match.steps for match in played) > (20_000 if IS_FULL else 8_000)


def test_every_preset_is_played_and_by_two_to_six(played):
    expected = {(name, seats) for name in PRESETS for seats in range(2, 7)}
    assert set(PRESET_MATCHES) == expected
    found = {(match.name, match.seats) for match in played}
    assert {name for name, _ in found} >= PRESETS.keys()
    assert {seats for _, seats in found} == set(SEATS) == {2, 3, 4, 5, 6}
    assert not IS_FULL or found >= expected


def test_everything_happens_that_rules_speak_of(played):
    happened = sum((match.happened for match in played), Counter[str]())
    assert [what for what in EXPECTED if not happened[what]] == []
