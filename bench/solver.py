"""How fast hands are arranged, against a bare sum over the same cards in the same run.

    python -m bench.solver [hands]

The hands are of the middle of a game: thirteen cards after four to twelve draws, each followed by
the best discard. Random deals would flatter any solver, as most of them have no pure sequence.
"""

import random
import sys
import time
from collections.abc import Callable, Sequence

from tables.games.cards import Card, full_deck
from tables.games.indian.arrangement import arrange, arrange_fourteen
from tables.games.indian.jokers import wild_rank
from tables.games.indian.rulesets import POINTS

Hand = tuple[tuple[Card, ...], int | None]

TARGETS = {"arrange": 0.020, "arrange_fourteen": 0.015}
ROUNDS = 3


def midgame_hands(count: int, *, size: int, seed: int) -> list[Hand]:
    rng = random.Random(seed)  # noqa: S311 - the same hands every time
    return [_midgame_hand(rng, size) for _ in range(count)]


def _midgame_hand(rng: random.Random, size: int) -> Hand:
    deck = rng.sample(full_deck(2), 13 + 1 + 13)
    wild = wild_rank(deck.pop())
    hand = [deck.pop() for _ in range(13)]
    for _ in range(rng.randint(4, 12)):
        hand.append(deck.pop())
        hand.remove(arrange_fourteen(hand, wild, POINTS).discard or hand[-1])
    hand.extend(deck.pop() for _ in range(size - 13))
    return tuple(hand), wild


def hands_per_second(solve: Callable[[Hand], object], hands: Sequence[Hand]) -> float:
    started = time.process_time()
    for hand in hands:
        solve(hand)
    return len(hands) / (time.process_time() - started)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    thirteen = midgame_hands(count, size=13, seed=13)
    fourteen = midgame_hands(count, size=14, seed=14)
    points = [card.face for card in full_deck(2)]

    def bare_sum(hand: Hand) -> int:
        return sum(map(points.__getitem__, hand[0]))

    def best_thirteen(hand: Hand) -> object:
        return arrange(*hand, POINTS)

    def best_discard(hand: Hand) -> object:
        return arrange_fourteen(*hand, POINTS)

    solvers = {
        "arrange": (best_thirteen, thirteen),
        "arrange_fourteen": (best_discard, fourteen),
    }
    for name, (solve, hands) in solvers.items():
        best = max(
            (speed / hands_per_second(bare_sum, thirteen), speed)
            for speed in (hands_per_second(solve, hands) for _ in range(ROUNDS))
        )
        ratio, speed = best
        verdict = "reached" if ratio >= TARGETS[name] else "missed"
        print(
            f"{name}: {speed:,.0f} hands/s, {ratio:.2%} of a bare sum "
            f"({TARGETS[name]:.1%} {verdict})"
        )


if __name__ == "__main__":
    main()
