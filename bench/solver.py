"""How fast hands are arranged, against a bare sum over the same cards in the same run.

    python -m bench.solver [hands]

The hands are of the middle of a game: thirteen cards after four to twelve draws, each followed by
the best discard. Random deals would flatter any solver, as most of them have no pure sequence.

The solver and the bare sum take turns at small slices of the hands, several rounds of them; of each
slice the best round of either counts, so that other processes do not. In those rounds the solver's
tables know the hands already; in play they are somewhere between that and hands never seen before.
Of these a figure of its own is taken, in rounds too, each with empty tables and with other hands.

Then gin, beside an exhaustive search: `best knock` is eleven cards at their least deadwood after the
best discard, `best answer` ten cards against the melds of a knock. Hands are any cards, and cards out
of five neighbouring ranks, which can be laid in more ways. At the end the best lay of Rummikub, in
positions of whole deals that four bots play.
"""

import random
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from bench.figures import percentile
from bench.play import begin, seeded, turns
from games.cards import Card, full_deck, wild_rank
from games.gin.rules.defence import best_defence
from games.gin.rules.melding import arrange_eleven
from games.indian.rules.ruleset import POINTS, RuleSet
from games.indian.rules.solver import setplans, suitplans, suitruns
from games.indian.rules.solver.arrangement import Arrangement, arrange, arrange_fourteen
from games.rummikub.game import GAME as RUMMIKUB
from games.rummikub.rules.laying import Stand, best_lay
from games.rummikub.rules.melds import JOKER
from tests.games.gin import exhaustive
from tests.games.indian.hands import one_suit_hands

Hands = Sequence[tuple[tuple[Card, ...], int | None]]
Solver = Callable[[Sequence[Card], int | None, RuleSet], Arrangement]

GOALS = {"arrange": 0.020, "arrange_fourteen": 0.015}
MOST_MS = 5
ROUNDS = 5
SLICE = 500
GIN_GOAL = 30_000  # hands a second, best knock
# The exhaustive search is that much slower or less.
EXHAUSTIVE_SHARE = 20
# Milliseconds that 95 of 100 positions of Rummikub may take.
LAYING_GOALS = {"no joker in play": 15, "frozen melds": 50}
POSITIONS = 400


def midgame_hands(count: int, *, size: int, seed: int) -> Hands:
    rng = random.Random(seed)  # noqa: S311 - the same hands every time
    return [_midgame_hand(rng, size) for _ in range(count)]


def _midgame_hand(rng: random.Random, size: int) -> tuple[tuple[Card, ...], int | None]:
    deck = rng.sample(full_deck(2), 13 + 1 + 13)
    wild = wild_rank(deck.pop())
    hand = [deck.pop() for _ in range(13)]
    for _ in range(rng.randint(4, 12)):
        hand.append(deck.pop())
        hand.remove(arrange_fourteen(hand, wild, POINTS).discard or hand[-1])
    hand.extend(deck.pop() for _ in range(size - 13))
    return tuple(hand), wild


def forget_everything() -> None:
    suitplans.suit_table.cache_clear()
    suitruns.pure_runs.cache_clear()
    setplans.rank_table.cache_clear()
    setplans.layings.cache_clear()


def seconds_to_solve(solve: Solver, hands: Hands) -> float:
    began = time.process_time()
    for hand, wild in hands:
        solve(hand, wild, POINTS)
    return time.process_time() - began


def seconds_to_add_up(points: list[int], hands: Hands) -> float:
    began = time.process_time()
    for hand, _ in hands:
        sum(map(points.__getitem__, hand))
    return time.process_time() - began


def compare(name: str, solve: Solver, hands: Hands, thirteens: Hands) -> None:
    points = [card.face for card in full_deck(2)]
    solving: list[list[float]] = []
    adding: list[list[float]] = []
    for _ in range(ROUNDS):
        solving.append([])
        adding.append([])
        for first in range(0, len(hands), SLICE):
            solving[-1].append(seconds_to_solve(solve, hands[first : first + SLICE]))
            adding[-1].append(seconds_to_add_up(points, thirteens[first : first + SLICE]))
    best = sum(map(min, zip(*solving, strict=True)))
    bare = sum(map(min, zip(*adding, strict=True)))
    verdict = "reached" if bare / best >= GOALS[name] else "missed"
    print(
        f"{name}: {len(hands) / best:,.0f} hands/s, {bare / best:.2%} of a bare sum "
        f"(goal {GOALS[name]:.1%} {verdict}), the same hands in {ROUNDS} rounds"
    )


def compare_unseen(name: str, solve: Solver, rounds: Sequence[tuple[Hands, Hands]]) -> None:
    """Each round is hands that no round before it had, and begins with empty tables."""
    points = [card.face for card in full_deck(2)]
    shares, rates = [], []
    for hands, thirteens in rounds:
        forget_everything()
        solving = seconds_to_solve(solve, hands)
        shares.append(seconds_to_add_up(points, thirteens) / solving)
        rates.append(len(hands) / solving)
    print(
        f"{name}, hands never seen before: {statistics.median(rates):,.0f} hands/s, "
        f"{statistics.median(shares):.2%} of a bare sum "
        f"(rounds of {len(rounds[0][0]):,}: {' '.join(f'{share:.2%}' for share in shares)})"
    )


def slowest() -> None:
    """With empty tables; the best of some tries, as above."""
    longest = 0.0
    for hand, wild in one_suit_hands():
        took = []
        for _ in range(ROUNDS):
            forget_everything()
            took.append(seconds_to_solve(arrange_fourteen, [(tuple(hand), wild)]))
        longest = max(longest, min(took))
    verdict = "reached" if longest * 1000 <= MOST_MS else "missed"
    print(f"slowest hand: {longest * 1000:.1f} ms with empty tables (goal {MOST_MS} ms {verdict})")


def rate(solve: Callable[..., Any], questions: Sequence[tuple[Any, ...]]) -> float:
    """Return the questions answered in a second of processor time."""
    began = time.process_time()
    for question in questions:
        solve(*question)
    return len(questions) / (time.process_time() - began)


def beside_exhaustive(
    name: str,
    solve: Callable[..., Any],
    try_all: Callable[..., Any],
    questions: Sequence[tuple[Any, ...]],
) -> float:
    """Both take turns; the best of some rounds counts, so that other processes do not."""
    few = questions[: max(1, len(questions) // EXHAUSTIVE_SHARE)]
    rounds = [(rate(solve, questions), rate(try_all, few)) for _ in range(ROUNDS)]
    fast = max(fast for fast, _slow in rounds)
    slow = max(slow for _fast, slow in rounds)
    print(f"{name}: {fast:,.0f} hands/s, exhaustive search {slow:,.0f} ({fast / slow:,.0f} times)")
    return fast


def solve_gin(count: int) -> None:
    rng = random.Random(11)  # noqa: S311 - the same hands every time
    for kind in ("any", "clustered"):
        elevens = [(exhaustive.KINDS[kind](rng, 11),) for _ in range(count)]
        name = f"gin, best knock, {kind}"
        fast = beside_exhaustive(name, arrange_eleven, exhaustive.least_after_discard, elevens)
        print(f"  goal {GIN_GOAL:,} hands/s {'reached' if fast >= GIN_GOAL else 'missed'}")
        answers = [exhaustive.knocked_hands(kind, rng) for _ in range(count // 4)]
        name = f"gin, best answer, {kind}"
        beside_exhaustive(name, best_defence, exhaustive.least_defended, answers)


def _hard(rng: random.Random, _state: Any, view: Any, seat: int) -> Any:
    return RUMMIKUB.bots(view, seat, strength="hard", rng=rng)


def positions(preset: str, number: int) -> list[Stand]:
    """Return this many positions of players at turn, from whole deals of Rummikub."""
    found: list[Stand] = []
    rules, deals = RUMMIKUB.rules.preset(preset), 0
    while len(found) < number:
        name, deals = f"{preset}/{deals}", deals + 1
        rng = seeded(name)
        begun = begin(RUMMIKUB, rules, range(4), name)
        choose = partial(_hard, rng)
        for turn in turns(RUMMIKUB, rules, begun, name, choose):
            player = turn.state.deal.at_turn
            rack = tuple(sorted(player.rack))
            found.append(Stand(turn.state.deal.table, rack, player.has_opened, rules))
    return found[:number]


def kind_of(stand: Stand) -> str:
    if not stand.has_opened:
        return "not begun"
    if any(meld.jokers for meld in stand.table):
        return "jokers move freely" if stand.is_free else "frozen melds"
    has_joker = any(card.face == JOKER for card in stand.rack)
    return "a joker on the rack" if has_joker else "no joker in play"


def lay_rummikub(number: int) -> None:
    for preset in ("points", "modern"):
        took: defaultdict[str, list[float]] = defaultdict(list)
        for stand in positions(preset, number):
            best_lay.cache_clear()
            took[kind_of(stand)].append(1000 / rate(best_lay, [(stand,)]))
        for kind, times in sorted(took.items()):
            goal = f" (goal {LAYING_GOALS[kind]})" if kind in LAYING_GOALS else ""
            print(
                f"rummikub, {preset}, {kind}: {len(times)} positions, median"
                f" {statistics.median(times):.1f} ms, p95 {percentile(times, 95):.1f}{goal},"
                f" longest {max(times):.1f}"
            )


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    thirteens = midgame_hands(count, size=13, seed=13)
    fourteens = midgame_hands(count, size=14, seed=14)
    forget_everything()
    compare("arrange", arrange, thirteens, thirteens)
    compare("arrange_fourteen", arrange_fourteen, fourteens, thirteens)
    unseen = [
        (
            midgame_hands(count, size=13, seed=100 + number),
            midgame_hands(count, size=14, seed=200 + number),
        )
        for number in range(ROUNDS)
    ]
    compare_unseen("arrange", arrange, [(hands, hands) for hands, _ in unseen])
    compare_unseen("arrange_fourteen", arrange_fourteen, [(more, hands) for hands, more in unseen])
    slowest()
    solve_gin(count)
    lay_rummikub(POSITIONS)


if __name__ == "__main__":
    main()
