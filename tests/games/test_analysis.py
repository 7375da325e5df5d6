"""The analysis of a deal in each game that has one: losses without hindsight, luck, and the report."""

import json
import random
from dataclasses import dataclass
from functools import cache
from statistics import fmean, stdev
from typing import Any

import pytest

from bench import analysed
from games.analysis.report import compute_outcome
from games.engine.base import Strength
from tests.effort import share_of
from tests.games.driving import CODES, GAMES
from tests.games.values import replace


@dataclass(frozen=True)
class Analysing:
    """A game's recorded deals between bots, and their analysis with a part of the usual effort."""

    code: str
    bench: analysed.Analysed
    small: float
    # The deals with a planted blunder and the number of deals of the policy against itself, each with its effort.
    blunders: tuple[int, ...]
    blunder_part: float
    policy_deals: int
    policy_part: float

    def record(
        self, number: int, strength: Strength = "medium", players: int = 2, **more: Any
    ) -> Any:
        choosers = [self.bench.bot(strength, f"{number}/{seat}") for seat in range(players)]
        return self.bench.play_deal(number, choosers, **more)

    def get_first(self) -> tuple[Any, Any]:
        """Return the first record and its report, which tests must not change."""
        return report_first(self.code)

    def report(self, record: Any, seat: int = 0, part: float | None = None) -> Any:
        return self.report_progress(record, seat, part)[0]

    def report_progress(
        self, record: Any, seat: int = 0, part: float | None = None
    ) -> tuple[Any, list[tuple[int, int]]]:
        """Return the report and its progress."""
        effort = self.bench.analysis.effort.scale(self.small if part is None else part)
        analysis: Any = replace(GAMES[self.code].analysis, effort=effort)
        steps: list[tuple[int, int]] = []
        told = analysis.analyse(
            json.loads(json.dumps(record)),
            seat,
            rng=random.Random(1),
            progress=lambda *done: steps.append(done),
        )
        return told, steps


INDIAN = Analysing("indian", analysed.INDIAN, 0.1, (2, 6), 0.2, 3, 0.1)
GIN = Analysing("gin", analysed.GIN, 0.05, (3, 5), 0.3, 6, 0.12)
BASIC = Analysing("basic", analysed.BASIC, 0.02, (14, 20), 0.2, 4, 0.1)
CONTRACT = Analysing("contract", analysed.CONTRACT, 0.03, (2, 4), 0.2, 2, 0.1)
GIN_RULES = ("points", "oklahoma", "classic")
RUMMIKUB = Analysing("rummikub", analysed.RUMMIKUB, 0.1, (2, 3), 1, 4, 1)
ANALYSED = [game for game in (INDIAN, GIN, BASIC, CONTRACT, RUMMIKUB) if game.code in CODES]
GAME_OF = {game.code: game for game in ANALYSED}
each_game = pytest.mark.parametrize("game", ANALYSED, ids=lambda game: game.code)


@cache
def report_first(code: str) -> tuple[Any, Any]:
    record = GAME_OF[code].record(1)
    return record, GAME_OF[code].report(record)


def read_reasons(decision: Any) -> list[str]:
    return [reason["message"] % reason["values"] for reason in decision["reasons"]]


@each_game
def test_the_same_record_and_seed_give_the_same_analysis(game):
    record, report = game.get_first()
    assert game.report(record) == report


@pytest.mark.parametrize(
    ("game", "number"),
    [(game, n) for game in ANALYSED for n in game.blunders[: share_of(len(game.blunders))]],
)
def test_a_planted_blunder_is_the_dearest_decision(game, number):
    chooser, planted = game.bench.with_blunder(game.bench.bot("hard", number), at_turn=2)
    record = game.bench.play_deal(number, [chooser, game.bench.bot("hard", -number)])
    report = game.report(record, part=game.blunder_part)
    dearest = max(report["decisions"], key=lambda decision: decision["loss"])
    assert dearest["step"] == analysed.step_of(record, planted)
    assert dearest["loss"] > 3
    assert dearest["loss"] > 2 * dearest["error"]
    assert 1 <= len(dearest["reasons"]) <= 2


@each_game
def test_a_player_of_the_policy_loses_little(game):
    """It may lose a little, since playouts can find a better move than the policy's quick rules."""
    policy, lost = game.bench.by_policy, []
    for easy in (False, True):
        played = [
            game.bench.play_deal(n, [game.bench.bot("easy", n) if easy else policy, policy])
            for n in range(share_of(game.policy_deals))
        ]
        reports = [game.report(record, part=game.policy_part) for record in played]
        lost.append(sum(d["loss"] for report in reports for d in report["decisions"]))
    assert lost[0] < lost[1] / 2


@each_game
def test_luck_and_adjusted_points_sum_to_the_result(game):
    record, report = game.get_first()
    luck = report["luck"]
    assert report["result"] == compute_outcome(record, 0)
    left = report["result"] - luck["deal"] - luck["draws"] - luck["others"]
    assert report["adjusted"] == pytest.approx(left, abs=0.2)


@pytest.mark.parametrize(
    ("game", "strength", "deals"),
    [
        (INDIAN, "medium", 1),
        (GIN, "medium", 30),
        (BASIC, "medium", 1),
        (CONTRACT, "medium", 1),
        (RUMMIKUB, "hard", share_of(12)),
    ],
    ids=[game.code for game in (INDIAN, GIN, BASIC, CONTRACT, RUMMIKUB)],
)
def test_the_luck_of_two_seats_is_opposite_and_its_mean_is_zero(game, strength, deals):
    """The luck of a draw is its value minus the mean over the deck, and likewise for dealt hands."""
    lucks = []
    analysis = game.bench.analysis
    effort = analysis.effort.scale(game.small)
    for number in range(deals):
        record = game.record(number, strength)
        found = [
            analysis.estimate_luck(record, place, random.Random(number), effort) for place in (0, 1)
        ]
        assert found[0].draws == pytest.approx(-found[1].others)
        assert found[0].total == pytest.approx(-found[1].total)
        assert found[0].total != 0
        lucks.append(found[0].total)
    if len(lucks) > 1:
        assert abs(fmean(lucks)) < 3 * stdev(lucks) / len(lucks) ** 0.5


@pytest.mark.parametrize(
    ("game", "number", "rules"),
    [
        (INDIAN, 1, {}),
        (BASIC, 1, {"rules": "one_meld"}),
        (CONTRACT, 1, {"rules": "contract"}),
        *((GIN, n, {"rules": r}) for n, r in enumerate(GIN_RULES, 1)),
    ],
    ids=["indian", "basic", "contract", *GIN_RULES],
)
def test_the_report_is_json_and_tells_every_decision(game, number, rules):
    record = game.record(number, "easy" if rules else "medium", **rules)
    report, steps = game.report_progress(record)
    assert json.loads(json.dumps(report)) == report
    moves = [step for step in record["steps"] if step["seat"] == 0]
    assert steps[-1] == (len(moves) + 1, len(moves) + 1)
    assert [done for done, _ in steps] == sorted(done for done, _ in steps)
    assert report["decisions"]
    hand = len(record["hands"]["0"])
    for decision in report["decisions"]:
        step = record["steps"][decision["step"]]
        assert step["seat"] == 0
        assert decision["kind"] in GAMES[game.code].analysis.kinds
        assert decision["loss"] >= 0
        assert 1 <= decision["own_turn"] <= report["turns"]
        if game in (INDIAN, GIN):
            assert len(decision["hand"]) in (hand, hand + 1)
        chosen = decision["options"][decision["chosen"]]
        if step["move"]["kind"] in ("discard", "knock"):
            assert chosen["card"] == step["move"]["card"]
        assert len(set(map(json.dumps, decision["options"]))) == len(decision["options"])
        for text in (*decision["reasons"], *(option["text"] for option in decision["options"])):
            assert text["message"] % text["values"]


@each_game
def test_unfinished_deals_and_absent_seats_have_no_analysis(game):
    record, _report = game.get_first()
    assert game.report({**record, "steps": record["steps"][:-1]}) is None
    assert game.report(record, seat=5) is None


def test_five_games_have_an_analysis():
    has = {code for code, game in GAMES.items() if game.analysis is not None}
    assert has == {"indian", "gin", "basic", "contract", "rummikub"}
    assert all(GAMES[code].analysis.version >= 1 for code in has)
