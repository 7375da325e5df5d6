"""Play deals between hard bots: `python -m tests.games.deals_in_one_process gin 500`.

Prints as JSON by how many bytes the process has grown and, for each cache, the number of its entries, the
largest number allowed, and the bytes of its entries.
"""

import functools
import gc
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from games.engine.rules import RuleBook
from games.simulation import simulate
from tests.games.values import parts_of, replace

if TYPE_CHECKING:
    from games.engine.base import Strength

# The preset and seats that fill the caches most: usually the most seats. For Contract Rummy two are enough.
PRESETS = {
    "indian": ("points", 6),
    "gin": ("points", 2),
    "basic": ("points", 4),
    "contract": ("contract", 2),
    "rummikub": ("points", 4),
}
NOT_KEPT = (type, ModuleType, FunctionType, BuiltinFunctionType)


class StoredCore:
    """A game's core that dumps and loads the state after each move, as tables do."""

    def __init__(self, game: Any) -> None:
        self._core, self._stored = game.core, game.stored

    def __getattr__(self, name: str) -> Any:
        return getattr(self._core, name)

    def play(self, *arguments: Any, **options: Any) -> Any:
        outcome = self._core.play(*arguments, **options)
        return replace(outcome, state=self._stored.load(self._stored.dump(outcome.state)))


def measure_memory() -> int:
    gc.collect()
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1_024 * int(next(line for line in lines if line.startswith("VmRSS")).split()[1])


def list_caches(package: str) -> Iterator[tuple[str, Any]]:
    """Yield the name and cache of each cached function in the loaded modules of a package."""
    found = {}
    for module in [one for name, one in sys.modules.items() if name.startswith(package)]:
        for value in vars(module).values():
            if isinstance(value, functools._lru_cache_wrapper):
                found[f"{value.__module__}.{value.__name__}"] = value
            elif isinstance(value, RuleBook):
                found[f"{value.kind.__module__}.RULES"] = value._json
    yield from sorted(found.items())


def count_bytes(cache: Any) -> int:
    """Return the size of all objects reachable from the cache, each counted once."""
    size, seen, waiting = 0, {id(cache)}, gc.get_referents(cache)
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, NOT_KEPT):
            continue
        seen.add(id(one))
        size += sys.getsizeof(one)
        waiting += gc.get_referents(one)
    return size


def play(code: str, deals: int) -> dict[str, Any]:
    game: Any = parts_of(code)
    game = replace(game, core=StoredCore(game))
    usual = game.formats[0].presets[0], game.formats[0].seats[-1]
    preset, seats = PRESETS.get(code, usual)
    easy: Sequence[Strength] = ["easy"] * seats
    hard: Sequence[Strength] = ["hard"] * seats
    rules = game.rules.preset(preset)
    simulate(game, rules=rules, strengths=easy, matches=1, seed=0)  # imports all modules
    before, played, seed = measure_memory(), 0, 1
    while played < deals:
        played += simulate(game, rules=rules, strengths=hard, matches=1, seed=seed).deals
        seed += 1
    grown = measure_memory() - before
    kept = {}
    for name, cache in list_caches("games."):
        info = cache.cache_info()
        kept[name] = [info.currsize, info.maxsize, count_bytes(cache)]
    return {"deals": played, "grown": grown, "caches": kept}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(play(sys.argv[1], int(sys.argv[2]))))
