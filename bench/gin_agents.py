"""A rule agent for gin, to measure the bots against, and duels between any two players.

    python -m bench.gin_agents hard rule --deals 1000 --seed 1

The rule agent keeps its melds, takes the open card if that lowers its deadwood, throws the card
that leaves the least deadwood (of equals the dearest) and knocks as soon as it may, for gin or not.
It goes back to nothing in `games.gin.bots.choose`.

Both sides play each deal: the cards are dealt twice, with the seats changed.
"""

import argparse
import hashlib
import math
import random
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from statistics import fmean, stdev
from typing import Any

from games.cards import CARD_BY_TEXT
from games.engine.base import JSON, Result, Strength
from games.engine.moves import Move
from games.gin.game import GAME as GIN
from games.gin.rules.defence import best_defence
from games.gin.rules.melding import arrange, arrange_eleven
from games.gin.rules.moves import Defend, Discard, Draw, Knock, Pass, move_json
from games.gin.rules.ruleset import PRESETS

Chooser = Callable[[Mapping[str, Any], int, random.Random], Mapping[str, JSON]]


def rule_agent(view: Mapping[str, Any], _seat: int, _rng: random.Random) -> Mapping[str, JSON]:
    return move_json(_by_rule(view["public"], view["you"]))


def _by_rule(public: Mapping[str, Any], own: Mapping[str, Any]) -> Move:
    hand = tuple(CARD_BY_TEXT[card] for card in own["hand"])
    if public["phase"] == "defend":
        melds = [[CARD_BY_TEXT[card] for card in group] for group in public["knock"]["groups"]]
        answer = best_defence(hand, melds)
        return Defend(answer.groups, answer.lay_offs)
    if public["step"] == "draw":
        if not public["must_draw_closed"]:
            card = CARD_BY_TEXT[public["open_pile"][-1]]
            taken = arrange_eleven((*hand, card), kept=card)
            if taken.deadwood < arrange(hand).deadwood:
                return Draw("open")
        return Pass() if public["phase"] == "upcard" else Draw("closed")
    kept = CARD_BY_TEXT[own["drawn"]] if own["from_open"] else None
    best = arrange_eleven(hand, kept=kept)
    if best.discard is None:
        raise AssertionError("one of eleven cards can be thrown")
    if best.deadwood <= public["knock_limit"]:
        return Knock(best.discard, best.groups)
    return Discard(best.discard)


def bot(strength: Strength) -> Chooser:
    return lambda view, seat, rng: GIN.bots(view, seat, strength=strength, rng=rng)


AGENTS: Mapping[str, Chooser] = {
    "easy": bot("easy"),
    "medium": bot("medium"),
    "hard": bot("hard"),
    "expert": bot("expert"),
    "rule": rule_agent,
}


@dataclass
class Duel:
    """The results of the first of the two."""

    deals: int = 0
    scored: int = 0
    won: int = 0
    points: int = 0
    lost: int = 0
    moves: int = 0
    # Of each pair of deals from the same cards the mean.
    nets: list[float] = field(default_factory=list)
    hows: Counter[tuple[bool, str]] = field(default_factory=Counter)
    seconds: dict[int, list[float]] = field(default_factory=lambda: {0: [], 1: []})

    @property
    def net(self) -> float:
        """Net points a deal."""
        return fmean(self.nets)

    @property
    def margin(self) -> float:
        """Half of its 95 % interval."""
        return 1.96 * stdev(self.nets) / math.sqrt(len(self.nets))


def duel(first: Chooser, second: Chooser, *, deals: int, seed: int) -> Duel:
    """Play an even number of deals. Each pair has the same cards with the seats exchanged."""
    total = Duel()
    for number in range(deals):
        before = total.points - total.lost
        order = (0, 1) if number % 2 == 0 else (1, 0)
        result = _played((first, second), order, f"{seed}/{number // 2}", total)
        total.deals += 1
        if len(result.winners) == 1:
            total.scored += 1
            total.won += result.winners[0] == 0
            total.points += result.points[1]
            total.lost += result.points[0]
            sheet: Any = result.facts["sheet"]
            total.hows[result.winners[0] == 0, sheet[-1]["how"]] += 1
        net = total.points - total.lost - before
        if number % 2 == 0:
            total.nets.append(net / 2)
        else:
            total.nets[-1] += net / 2
    return total


def _played(
    choosers: tuple[Chooser, Chooser], order: tuple[int, int], name: str, total: Duel
) -> Result:
    rng = random.Random(name)  # noqa: S311 - the same deal for the same seed
    match = GIN.core.start(
        rules=PRESETS["points"], seats=order, toss=False, seed=_seed(name, 0), now=0
    ).state
    now = 0
    while (result := GIN.core.status(match).result) is None:
        seed = _seed(name, GIN.core.status(match).deals)
        acting = GIN.core.status(match).acting
        if not acting:
            now = GIN.core.status(match).deadline or now
            match = GIN.core.expire(match, now=now, seed=seed).state
            continue
        (seat,) = acting
        view = {
            "public": GIN.view.public(match),
            "you": GIN.view.private(match, seat),
            "rules": GIN.rules.json(match.rules),
        }
        began = time.process_time()
        wire = choosers[seat](view, seat, rng)
        total.seconds[seat].append(time.process_time() - began)
        total.moves += 1
        now += 1_000
        match = GIN.core.play(match, seat, GIN.wire.read(wire), now=now, seed=seed).state
    ended: Result = result
    return ended


def _seed(name: str, deal: int) -> bytes:
    return hashlib.sha256(f"{name}/{deal}".encode()).digest()


def report(names: tuple[str, str], total: Duel) -> None:
    share = total.won / total.scored
    margin = 1.96 * math.sqrt(share * (1 - share) / total.scored)
    print(
        f"{names[0]} against {names[1]}: {share:.1%} of {total.scored} scored deals won "
        f"(95 % of such runs are within {margin:.1%} of the truth), "
        f"points {total.points} to {total.lost}, net {total.net:+.2f} ± {total.margin:.2f} a deal, "
        f"{total.deals - total.scored} never scored, "
        f"{total.moves / total.deals:.1f} moves a deal"
    )
    ways = ", ".join(
        f"{names[not is_first]} {how} {count}"
        for (is_first, how), count in total.hows.most_common()
    )
    print(f"  {ways}")
    for seat, name in enumerate(names):
        took = sorted(total.seconds[seat])
        print(
            f"  {name}: {sum(took) / len(took) * 1000:.2f} ms a decision, "
            f"p50 {took[len(took) // 2] * 1000:.2f}, p95 {took[len(took) * 95 // 100] * 1000:.2f}, "
            f"p99 {took[len(took) * 99 // 100] * 1000:.2f} ms, longest {took[-1] * 1000:.1f} ms of processor time"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", choices=AGENTS)
    parser.add_argument("second", choices=AGENTS)
    parser.add_argument("--deals", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    names = (given.first, given.second)
    total = duel(AGENTS[names[0]], AGENTS[names[1]], deals=given.deals, seed=given.seed)
    report(names, total)


if __name__ == "__main__":
    main()
