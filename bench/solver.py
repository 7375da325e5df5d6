"""Measure the speed of arranging hands, compared with a bare sum over the same cards in the same run.

    python -m bench.solver [hands] [folder]

The hands are from the middle of a game: thirteen cards after four to twelve draws, each followed by the best
discard. Random deals would flatter any solver, because most of them have no pure sequence.

The solver and the bare sum take turns at small slices of the hands, in several rounds. Only the best round of
each slice is used, so that other processes do not matter. In those rounds the solver's tables already know
the hands; in play the tables are between this state and hands never seen before. So hands never seen before
are measured too, also in rounds, each with empty tables and other hands.

With the folder of another commit as the second argument, both solve the same hands in turns, in new processes
for each round:

    python -m bench.solver 12000 ../before

At the end it measures the best lay of Rummikub, in positions from whole deals between four bots and in hard
ones (`bench/hard_lays.py`). Gin is compared with public programs (`bench/peers.py`).
"""

import json
import random
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final

from bench.figures import compute_percentile
from bench.hard_lays import list_hard_positions
from bench.play import begin, bot, play_turns
from games.cards import full_deck, wild_rank
from games.indian.rules.ruleset import POINTS
from games.indian.rules.solver import setplans, suitplans
from games.indian.rules.solver.arrangement import arrange, arrange_fourteen
from games.rummikub.game import GAME as RUMMIKUB
from games.rummikub.rules.laying import Stand, find_best_lay
from games.rummikub.rules.melds import JOKER
from tests.games.indian.hands import list_one_suit_hands

# Arguments of a solver, one tuple per hand.
Questions = Sequence[tuple[Any, ...]]
Solver = Callable[..., Any]

GOALS = {"arrange": 0.020, "arrange_fourteen": 0.015}
MOST_MS = 5
ROUNDS = 5
SLICE = 500
# Reads the hands of one slice from each line, and answers with the processor time in seconds.
OTHER_SOLVER = """
import json, sys, time
from games.cards import CARDS
from games.indian.rules.ruleset import POINTS
from games.indian.rules.solver.arrangement import arrange, arrange_fourteen
for line in sys.stdin:
    hands = [([CARDS[card] for card in hand], wild) for hand, wild in json.loads(line)]
    began = time.process_time()
    for hand, wild in hands:
        (arrange if len(hand) == 13 else arrange_fourteen)(hand, wild, POINTS)
    print(time.process_time() - began, flush=True)
"""
# Milliseconds within which 95 of 100 Rummikub positions should be solved.
LAYING_GOALS = {"no joker in play": 15, "frozen melds": 50}
# The longest time for a hard position, in milliseconds.
HARD_GOAL = 300
POSITIONS = 400
FACES: Final = [card.face for card in full_deck(2)]


def measure(solve: Solver, questions: Questions) -> float:
    """Return the processor time of answering these questions."""
    began = time.process_time()
    for question in questions:
        solve(*question)
    return time.process_time() - began


def add_up(hand: Sequence[Any], *_rules: Any) -> int:
    return sum(map(FACES.__getitem__, hand))


def list_midgame_hands(count: int, *, size: int, seed: int) -> Questions:
    rng = random.Random(seed)  # noqa: S311 - the same hands every time
    return [_midgame_hand(rng, size) for _ in range(count)]


def _midgame_hand(rng: random.Random, size: int) -> tuple[Any, ...]:
    deck = rng.sample(full_deck(2), 13 + 1 + 13)
    wild = wild_rank(deck.pop())
    hand = [deck.pop() for _ in range(13)]
    for _ in range(rng.randint(4, 12)):
        hand.append(deck.pop())
        hand.remove(arrange_fourteen(hand, wild, POINTS).discard or hand[-1])
    hand.extend(deck.pop() for _ in range(size - 13))
    return tuple(hand), wild, POINTS


def forget_everything() -> None:
    suitplans.get_suit_table.cache_clear()
    setplans.get_rank_table.cache_clear()


def compare(name: str, solve: Solver, hands: Questions, thirteens: Questions) -> None:
    solving: list[list[float]] = []
    adding: list[list[float]] = []
    slices = [slice(first, first + SLICE) for first in range(0, len(hands), SLICE)]
    for _ in range(ROUNDS):
        times = [(measure(solve, hands[one]), measure(add_up, thirteens[one])) for one in slices]
        solving.append([solved for solved, _ in times])
        adding.append([added for _, added in times])
    best = sum(map(min, zip(*solving, strict=True)))
    bare = sum(map(min, zip(*adding, strict=True)))
    verdict = "reached" if bare / best >= GOALS[name] else "missed"
    print(
        f"{name}: {len(hands) / best:,.0f} hands/s, {bare / best:.2%} of a bare sum "
        f"(goal {GOALS[name]:.1%} {verdict}), the same hands in {ROUNDS} rounds"
    )


def compare_unseen(name: str, solve: Solver, rounds: Sequence[tuple[Questions, Questions]]) -> None:
    """Measure hands never seen before: other hands in each round, which begins with empty tables."""
    shares, rates = [], []
    for hands, thirteens in rounds:
        forget_everything()
        solving = measure(solve, hands)
        shares.append(measure(add_up, thirteens) / solving)
        rates.append(len(hands) / solving)
    print(
        f"{name}, hands never seen before: {statistics.median(rates):,.0f} hands/s, "
        f"{statistics.median(shares):.2%} of a bare sum "
        f"(rounds of {len(rounds[0][0]):,}: {' '.join(f'{share:.2%}' for share in shares)})"
    )


def list_times(folder: str, rounds: Sequence[Questions]) -> Iterator[float]:
    """Yield the processor time of each slice of hands, in a new process for each round."""
    for hands in rounds:
        with subprocess.Popen(
            [sys.executable, "-c", OTHER_SOLVER],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            for first in range(0, len(hands), SLICE):
                asked = [
                    (list(map(int, hand)), wild) for hand, wild, _ in hands[first : first + SLICE]
                ]
                print(json.dumps(asked), file=process.stdin, flush=True)
                yield float(process.stdout.readline())  # type: ignore[union-attr] # a pipe


def compare_beside(name: str, folder: str, rounds: Sequence[Questions]) -> None:
    """Print how many times faster this commit is than another one, round by round."""
    slices = -(-len(rounds[0]) // SLICE)
    times = list(zip(list_times(folder, rounds), list_times(".", rounds), strict=True))
    ratios = []
    for first in range(0, len(times), slices):
        before, now = map(sum, zip(*times[first : first + slices], strict=True))
        ratios.append(before / now)
    print(f"{name}, never seen before, beside {folder}: {' '.join(f'{x:.2f}' for x in ratios)}")


def find_slowest() -> None:
    """Print the time of the slowest hard hand. Each is solved several times with empty tables; the best is used."""
    longest = 0.0
    for hand, wild in list_one_suit_hands():
        took = []
        for _ in range(ROUNDS):
            forget_everything()
            took.append(measure(arrange_fourteen, [(tuple(hand), wild, POINTS)]))
        longest = max(longest, min(took))
    verdict = "reached" if longest * 1000 <= MOST_MS else "missed"
    print(f"slowest hand: {longest * 1000:.1f} ms with empty tables (goal {MOST_MS} ms {verdict})")


def _choose(chooser: Any, _state: Any, view: Any, seat: int) -> Any:
    return chooser(view, seat)


def list_positions(preset: str, number: int) -> list[Stand]:
    """Return this many positions of players to move, from whole deals of Rummikub."""
    found: list[Stand] = []
    rules, deals = RUMMIKUB.rules.preset(preset), 0
    while len(found) < number:
        name, deals = f"{preset}/{deals}", deals + 1
        begun, hard = begin(RUMMIKUB, rules, range(4), name), bot(RUMMIKUB, "hard", name)
        for turn in play_turns(RUMMIKUB, rules, begun, name, partial(_choose, hard)):
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
        for stand in list_positions(preset, number):
            find_best_lay.cache_clear()
            took[kind_of(stand)].append(1000 * measure(find_best_lay, [(stand,)]))
        for kind, times in sorted(took.items()):
            goal = f" (goal {LAYING_GOALS[kind]})" if kind in LAYING_GOALS else ""
            print(
                f"rummikub, {preset}, {kind}: {len(times)} positions, median"
                f" {statistics.median(times):.1f} ms, p95 {compute_percentile(times, 95):.1f}{goal},"
                f" longest {max(times):.1f}"
            )
    times = []
    for stand in list_hard_positions(number):
        find_best_lay.cache_clear()
        times.append(1000 * measure(find_best_lay, [(stand,)]))
    print(
        f"rummikub, hard: {number} positions, median {statistics.median(times):.1f} ms,"
        f" longest {max(times):.0f} (goal {HARD_GOAL})"
    )


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    thirteens = list_midgame_hands(count, size=13, seed=13)
    fourteens = list_midgame_hands(count, size=14, seed=14)
    forget_everything()
    compare("arrange", arrange, thirteens, thirteens)
    compare("arrange_fourteen", arrange_fourteen, fourteens, thirteens)
    unseen = [
        (
            list_midgame_hands(count, size=13, seed=100 + number),
            list_midgame_hands(count, size=14, seed=200 + number),
        )
        for number in range(ROUNDS)
    ]
    compare_unseen("arrange", arrange, [(hands, hands) for hands, _ in unseen])
    compare_unseen("arrange_fourteen", arrange_fourteen, [(more, hands) for hands, more in unseen])
    if len(sys.argv) > 2:  # noqa: PLR2004 - the hands and a folder
        compare_beside("arrange", sys.argv[2], [hands for hands, _ in unseen])
        compare_beside("arrange_fourteen", sys.argv[2], [hands for _, hands in unseen])
    find_slowest()
    lay_rummikub(POSITIONS)


if __name__ == "__main__":
    main()
