"""Find puzzles in deals that bots play with each other (docs/puzzles.md).

    python -m bench.puzzles --each 8 > history/puzzles/starting_puzzles.json

The time for each deal is printed to stderr. The same `--seed` gives the same puzzles.
"""

import argparse
import json
import sys
import time
from typing import Any, Final

from bench.play import bot, make_random, record_deal
from games.engine.base import Strength
from games.registry import GAMES

# Players of a deal; games for two always have two.
_PLAYERS: Final = (2, 2, 2, 3, 4)
_STRENGTHS: Final[tuple[Strength, ...]] = ("easy", "medium", "hard")


def find_puzzle(code: str, kind: str, number: int) -> dict[str, Any] | None:
    """Return a puzzle from one deal between bots of random strength, or None if the deal has none."""
    rng = make_random(f"{kind}/{number}" if code == "indian" else f"{code}/{kind}/{number}")
    game = GAMES[code]
    most = max(max(one.seats) for one in game.formats)
    presets = game.rules.presets
    rules = game.rules.preset("points" if "points" in presets else next(iter(presets)))
    players = min(rng.choice(_PLAYERS), most)
    choosers = [
        bot(game, strength, f"{strength}/{rng.random()}")
        for strength in (rng.choice(_STRENGTHS) for _ in range(players))
    ]
    record = record_deal(
        game,
        rules,
        f"analysis/{number}",
        players,
        lambda _state, view, seat: choosers[seat](view, seat),
    )
    return None if game.puzzles is None else game.puzzles.find(record, kind, rng=rng)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=8, help="puzzles of each kind")
    parser.add_argument("--seed", type=int, default=1)
    games = [code for code, game in GAMES.items() if game.puzzles is not None]
    parser.add_argument("--games", nargs="+", choices=games, default=games)
    parser.add_argument("--kinds", nargs="+", help="only these kinds of a game")
    asked = parser.parse_args()
    made: list[dict[str, Any]] = []
    for code in asked.games:
        kinds = GAMES[code].puzzles
        assert kinds is not None  # noqa: S101 - one of `games`
        for kind in asked.kinds or kinds.kinds:
            number, began, wanted = asked.seed, time.process_time(), len(made) + asked.each
            while len(made) < wanted:
                puzzle = find_puzzle(code, kind, number)
                number += 1
                if puzzle is not None:
                    made.append({"game": code, "kind": kind, **puzzle})
            deals = number - asked.seed
            seconds = (time.process_time() - began) / deals
            told = f"{code} {kind}: {asked.each} of {deals} deals, {seconds:.1f} s a deal"
            print(told, file=sys.stderr, flush=True)
    print(json.dumps(made, indent=1))


if __name__ == "__main__":
    main()
