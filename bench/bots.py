"""How strong the bots of a game are against each other, and how long they think.

    bin/bench bots                                   # Indian rummy: each strength, the next lower
    bin/bench bots --game gin --first expert --second rule --deals 600
    bin/bench bots --game contract --first hard --second easy

One player of the first kind sits among players of the second, and each deal is played once with
every seat for the first. Net points a deal, with the 95 % interval of the mean over the deals.
`manage.py simulate` plays whole matches of several formats.

`rule` is a player of gin that shares nothing with the bots: it keeps its melds, takes the open card
if that lowers its deadwood, throws the card that leaves the least deadwood and knocks as soon as it may.
"""

import argparse
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import fmean
from typing import Any

from bench.figures import half_of_95, percentile
from bench.play import Chooser, begin, bot, turns
from games.cards import CARD_BY_TEXT
from games.engine.base import JSON, STRENGTHS, Result
from games.engine.game import Game
from games.engine.moves import AnyMove
from games.gin.rules.defence import best_defence
from games.gin.rules.melding import arrange, arrange_eleven
from games.gin.rules.moves import Defend, Discard, Draw, Knock, Pass, move_json
from games.registry import GAMES

GOAL_P95_MS = 100
# A whole match of each is one deal.
PRESETS = {"contract": "single"}


def rule_player(view: Mapping[str, Any], _seat: int) -> Mapping[str, JSON]:
    return move_json(_by_rule(view["public"], view["you"]))


def _by_rule(public: Mapping[str, Any], own: Mapping[str, Any]) -> AnyMove:
    hand = tuple(CARD_BY_TEXT[card] for card in own["hand"])
    if public["phase"] == "defend":
        melds = [[CARD_BY_TEXT[card] for card in group] for group in public["knock"]["groups"]]
        answer = best_defence(hand, melds)
        return Defend(answer.groups, answer.lay_offs)
    if public["step"] == "draw":
        if not public["must_draw_closed"]:
            card = CARD_BY_TEXT[public["open_pile"][-1]]
            if arrange_eleven((*hand, card), kept=card).deadwood < arrange(hand).deadwood:
                return Draw("open")
        return Pass() if public["phase"] == "upcard" else Draw("closed")
    best = arrange_eleven(hand, kept=CARD_BY_TEXT[own["drawn"]] if own["from_open"] else None)
    if best.discard is None:
        raise AssertionError("one of eleven cards can be thrown")
    if best.deadwood <= public["knock_limit"]:
        return Knock(best.discard, best.groups)
    return Discard(best.discard)


@dataclass
class Duel:
    """The results of the first player."""

    nets: list[float] = field(default_factory=list)  # by deal, the mean of all seats
    won: float = 0
    played: int = 0
    moves: int = 0
    seconds: dict[bool, list[float]] = field(default_factory=lambda: {True: [], False: []})

    @property
    def net(self) -> float:
        return fmean(self.nets)

    @property
    def share(self) -> float:
        """Return the share of the deals won; a shared deal counts in part."""
        return self.won / self.played

    @property
    def share_margin(self) -> float:
        return 1.96 * math.sqrt(self.share * (1 - self.share) / self.played)


def player(game: Game, kind: str, name: object) -> Chooser:
    return rule_player if kind == "rule" else bot(game, kind, name)  # type: ignore[arg-type] # choices


def duel(  # noqa: PLR0913 - what is played
    game: Game, rules: Any, first: str, second: str, *, deals: int, seed: int, seats: int = 2
) -> Duel:
    """Play this many deals, each `seats` times."""
    found = Duel()
    for number in range(deals):
        name, total = f"{seed}/{number}", 0.0
        for place in range(seats):
            choosers = [
                player(game, first if seat == place else second, f"{name}/{seat}")
                for seat in range(seats)
            ]
            result = _play(game, rules, name, choosers, place, found)
            total += net_points(result, place)
            found.won += (place in result.winners) / max(1, len(result.winners))
            found.played += 1
        found.nets.append(total / seats)
    return found


def _play(
    game: Game,
    rules: Any,
    name: str,
    choosers: list[Chooser],
    place: int,
    found: Duel,
) -> Result:
    outcome = begin(game, rules, range(len(choosers)), name)
    for turn in turns(game, rules, outcome, name, lambda _, view, seat: choosers[seat](view, seat)):
        found.seconds[turn.seat == place].append(turn.seconds)
        found.moves += 1
        outcome = turn.outcome
    result = outcome.status.result
    if result is None:
        raise AssertionError("a match without a result")
    return result


def net_points(result: Result, seat: int) -> float:
    """Return the seat's net points. Winners share the losers' payments."""
    if seat not in result.winners:
        return -result.points[seat]
    paid = sum(lost for loser, lost in result.points.items() if loser not in result.winners)
    return paid / len(result.winners)


def line(first: str, second: str, seats: int, found: Duel) -> str:
    took = found.seconds[True]
    p50, p95 = (1000 * percentile(took, part) for part in (50, 95))
    verdict = "" if p95 <= GOAL_P95_MS else f", goal of {GOAL_P95_MS} ms missed"
    return (
        f"| {first} against {second} | {seats} | {found.played} | {found.net:+.2f} "
        f"± {half_of_95(found.nets):.2f} | {found.share:.1%} ± {found.share_margin:.1%} | "
        f"{p50:.1f} / {p95:.1f}, longest {1000 * max(took):.0f}{verdict} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=sorted(GAMES), default="indian")
    parser.add_argument("--first", choices=(*STRENGTHS, "rule"))
    parser.add_argument("--second", choices=(*STRENGTHS, "rule"))
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--preset", help="a rule set of the game whose match is one deal")
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    game = GAMES[given.game]
    rules = game.rules.preset(given.preset or PRESETS.get(game.code, "points"))
    pairs = [(given.first, given.second)]
    if not (given.first and given.second):
        pairs = list(pairwise(STRENGTHS[::-1]))
    print(f"{game.code}, seed {given.seed}")
    print("| pair | seats | matches | net points a deal | won | ms a move, p50 / p95 |")
    print("|---|---|---|---|---|---|")
    for first, second in pairs:
        found = duel(
            game, rules, first, second, deals=given.deals, seed=given.seed, seats=given.seats
        )
        print(line(first, second, given.seats, found), flush=True)


if __name__ == "__main__":
    main()
