"""How fast hands are arranged, against a bare sum over the same cards in the same run.

    python -m bench.solver [hands]

The hands are of the middle of a game: thirteen cards after four to twelve draws, each followed by
the best discard. Random deals would flatter any solver, as most of them have no pure sequence.

The solver and the bare sum take turns at small slices of the hands, several rounds of them; of each
slice the best round of either counts, so that other processes do not. In those rounds the solver's
tables know the hands already; in play they are somewhere between that and hands never seen before.
Of these a figure of its own is taken, in rounds too, each with empty tables and with other hands.

Then the same of gin: `bench/gin_solver.py`.
"""

import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence

from bench import gin_solver
from games.cards import Card, full_deck
from games.indian.rules.melds import wild_rank
from games.indian.rules.ruleset import POINTS, RuleSet
from games.indian.rules.solver import setplans, suitplans, suitruns
from games.indian.rules.solver.arrangement import Arrangement, arrange, arrange_fourteen
from tests.games.indian.hands import one_suit_hands

Hands = Sequence[tuple[tuple[Card, ...], int | None]]
Solver = Callable[[Sequence[Card], int | None, RuleSet], Arrangement]

GOALS = {"arrange": 0.020, "arrange_fourteen": 0.015}
MOST_MS = 5
ROUNDS = 5
SLICE = 500


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
        for begin in range(0, len(hands), SLICE):
            solving[-1].append(seconds_to_solve(solve, hands[begin : begin + SLICE]))
            adding[-1].append(seconds_to_add_up(points, thirteens[begin : begin + SLICE]))
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
    gin_solver.main(count)


if __name__ == "__main__":
    main()
