"""Gin as rlcard plays it."""

import random
import time

from rlcard.games.gin_rummy.game import GinRummyGame  # type: ignore[import-not-found]

from bench.peer_programs import answer


def play(seconds: float) -> float:
    """Return the moves per second of random players."""
    rng, moves, game = random.Random(1), 0, GinRummyGame()  # noqa: S311 - the same deals
    game.np_random.seed(1)
    game.init_game()
    began = time.process_time()
    while (took := time.process_time() - began) < seconds:
        if game.is_over():
            game.init_game()
        game.step(rng.choice(game.judge.get_legal_actions()))
        moves += 1
    return moves / took


if __name__ == "__main__":
    answer(play=play)
