"""The PettingZoo environments: PettingZoo's own tests, hidden cards, rewards, and the README's baseline."""

import re
import subprocess
import sys
import warnings
from random import Random

import numpy as np
import pytest
from msgspec.structs import replace
from pettingzoo.test import api_test, seed_test

from games.registry import GAMES
from packages.build import ROOT, copy_engine
from packages.engine.pettingzoo import OBSERVED, PHASES, action_names, env, raw_env
from tests.effort import share_of
from tests.games.driving import habits_of
from tests.given import require

ENOUGH = share_of(60)
README = (ROOT / "packages/engine/README.md").read_text()


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    """The folder with the sources of the engine's wheel."""
    folder = tmp_path_factory.mktemp("engine")
    copy_engine(folder)
    return folder / "src"


def run(engine, *arguments):
    return subprocess.run(
        [sys.executable, *arguments],
        env={"PYTHONPATH": str(engine)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def walk(match, seed):
    """Play a match with random actions. Yield before each action and after the last."""
    chance = np.random.default_rng(seed)
    match.reset(seed=seed)
    yield
    while not all(match.terminations.values()):
        mask = match.observe(match.agent_selection)["action_mask"]
        match.step(int(chance.choice(np.flatnonzero(mask))))
        yield


@pytest.mark.parametrize("game", GAMES)
def test_pettingzoos_own_tests_pass(game):
    with warnings.catch_warnings():
        # The tests warn about dictionaries, although PettingZoo recommends one for action masks.
        warnings.filterwarnings("ignore", "Observation")
        api_test(env(game), num_cycles=120)
        seed_test(lambda: env(game), num_cycles=60)


@pytest.mark.parametrize("game", GAMES)
def test_deals_that_differ_in_hidden_cards_look_alike(game):
    """Dealing the cards that a seat does not see anew leaves its observation unchanged."""
    match, rng, compared = raw_env(game, seats=2), Random(game), 0
    for seed in range(90):
        for _ in walk(match, seed):
            outcome = match._outcome
            if compared == ENOUGH:
                break
            if outcome.status.result is not None or rng.random() < 0.7:
                continue
            agent, seat = match.agent_selection, outcome.status.acting[0]
            seen = match.observe(agent)
            other = habits_of(game).scrambled(outcome.state, seat, rng)
            match._outcome = replace(outcome, state=other)
            again = match.observe(agent)
            legal = match._list_legal(other, seat)
            match._outcome = outcome
            if other != outcome.state:
                compared += 1
            assert np.array_equal(seen["observation"], again["observation"])
            assert [*legal] == [*match._legal]
    assert compared == ENOUGH


@pytest.mark.parametrize("game", GAMES)
def test_the_rewards_of_a_match_are_its_points_and_add_up_to_zero(game):
    match = raw_env(game, seats=3 if 3 in GAMES[game].core.seats else 2)
    for seed in range(share_of(3)):
        won = dict.fromkeys(match.possible_agents, 0.0)
        for _ in walk(match, seed):
            assert sum(match.rewards.values()) == 0
            for agent, reward in match.rewards.items():
                won[agent] += reward
        result = require(match._outcome.status.result)
        if match.rules.name == "points":
            for seat, agent in enumerate(match.possible_agents):
                if seat not in result.winners:
                    assert won[agent] == -result.points[seat]


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_set_has_actions_for_its_moves_and_numbers_for_its_phases(game):
    for preset, rules in GAMES[game].rules.presets.items():
        code = GAMES[game].money.get_format_code(rules)
        [seats] = [one.seats for one in GAMES[game].formats if one.code == code]
        match = raw_env(game, preset=preset, seats=seats[-1])
        for number, _ in enumerate(walk(match, 5)):
            told = dict(zip(OBSERVED, split(match.observe(match.agent_selection)), strict=True))
            assert sum(told["phase"]) == 1
            if number == share_of(60):
                break
        assert number > 0


def split(observed):
    """Return the parts of an observation, in the order of `OBSERVED`."""
    return np.split(observed["observation"], np.cumsum([*OBSERVED.values()])[:-1])


def test_a_question_between_deals_is_a_phase_of_its_own():
    """Pool rummy asks whether a player rejoins, or whether all split the prize (R8.2, R8.4)."""
    match, phases = raw_env("indian", preset="totalrummy-pool61", seats=6), set()
    for _ in walk(match, 3):
        told = dict(zip(OBSERVED, split(match.observe(match.agent_selection)), strict=True))
        phases.add(PHASES[int(np.argmax(told["phase"]))])
        assert sum(told["phase"]) == 1
    assert {"turn", "rejoin", "over"} <= phases


def test_an_action_that_is_not_legal_changes_nothing():
    match = raw_env("gin")
    match.reset(seed=1)
    before = match._outcome
    illegal = int(np.flatnonzero(match.observe(match.agent_selection)["action_mask"] == 0)[0])
    with pytest.raises(ValueError, match="no legal action of player_"):
        match.step(illegal)
    assert match._outcome is before
    with pytest.raises(ValueError, match="not played by 3"):
        raw_env("gin", seats=3)


def test_the_readme_and_the_decision_have_the_numbers_of_actions(engine):
    decision = (ROOT / "docs/adr/0028-actions-that-mean-the-same.md").read_text()
    told = re.findall(r"^[|] [^|]+ [|] (\d+) [|]", decision, re.M)
    assert [int(number) for number in told] == [len(action_names(game)) for game in GAMES]
    assert f"{sum(OBSERVED.values())} numbers" in README
    [code] = re.findall(r"```python pettingzoo\n(.*?)```", README, re.DOTALL)
    ran = run(engine, "-c", code)
    assert (ran.stdout, ran.stderr) == ("('draw closed', 'draw open', 'pass')\n", "")


def test_the_baseline_comes_to_the_figure_of_the_readme(engine):
    [command, figure] = re.findall(
        r"`python (examples/pettingzoo_baseline.py \w+ \d+)` prints:\n\n```\n(.*?)```",
        README,
        re.DOTALL,
    )[0]
    ran = run(engine, *command.split())
    assert (ran.stdout, ran.stderr) == (figure, "")
