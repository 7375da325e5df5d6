"""Whole matches agree with rules that were written a second time, from docs/rules.md alone."""

from collections import Counter

import pytest

from tables.games.indian.rulesets import PRESETS
from tests.games.model.happenings import EXPECTED
from tests.games.model.playing import PRESET_MATCHES, SEATS, Played, play_match

SEED = 1
MATCHES = 300


@pytest.fixture(scope="module")
def played() -> list[Played]:
    return [play_match(SEED, number) for number in range(MATCHES)]


def test_the_game_and_the_model_agree_in_every_step(played):
    assert [match.disagreement for match in played if match.disagreement] == []
    assert sum(match.steps for match in played) > 20_000


def test_every_preset_is_played_by_two_to_six(played):
    expected = {(name, seats) for name in PRESETS for seats in range(2, 7)}
    assert set(PRESET_MATCHES) == expected
    assert {(match.name, match.seats) for match in played} >= expected
    assert list(SEATS) == [2, 3, 4, 5, 6]


def test_everything_happens_that_rules_speak_of(played):
    happened = sum((match.happened for match in played), Counter[str]())
    assert [what for what in EXPECTED if not happened[what]] == []
