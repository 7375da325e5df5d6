"""How fast the best lay of Rummikub is found, and whether it is the best.

    python -m bench.rummikub_solver [positions] [--exact]

Positions are those of whole deals that bots play, four at a table: by the Sabra rules, with their
frozen melds, and by the modern ones, where jokers move freely. `--exact` compares positions of
players who have begun with an integer program, solved by HiGHS (`pip install highspy`, which
nothing else here needs): one variable for every meld there could be, for every way that a frozen
meld could grow, and for every meld that a freed joker could lie in with two tiles of the rack.
"""

import argparse
import hashlib
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import combinations
from typing import Any

from games.cards import FACE_RANK
from games.rummikub.game import GAME as RUMMIKUB
from games.rummikub.rules.laying import Stand, best_lay
from games.rummikub.rules.melds import JOKER, MIN_MELD, Meld, cards_of
from games.rummikub.rules.ruleset import PRESETS
from tests.games.rummikub.exhaustive import shapes

# Milliseconds that 95 of 100 positions may take.
GOALS = {"no joker in play": 15, "frozen melds": 50}
_TILE = 1024
_LONGEST = 5  # a longer run is two


def positions(name: str, number: int) -> list[Stand]:
    """Return this many positions of players at turn, from whole deals."""
    found: list[Stand] = []
    rules, deals = PRESETS[name], 0
    while len(found) < number:
        rng = random.Random(f"{name}/{deals}")  # noqa: S311 - the same positions every time
        seed = hashlib.sha256(f"{name}/{deals}".encode()).digest()
        deals += 1
        match = RUMMIKUB.core.start(
            rules=rules, seats=(0, 1, 2, 3), toss=False, seed=seed, now=0
        ).state
        now = 0
        while RUMMIKUB.core.status(match).result is None:
            player = match.deal.at_turn
            rack = tuple(sorted(player.rack))
            found.append(Stand(match.deal.table, rack, player.has_opened, rules))
            view = {
                "public": RUMMIKUB.view.public(match),
                "you": RUMMIKUB.view.private(match, player.seat),
                "rules": RUMMIKUB.rules.json(rules),
            }
            wire = RUMMIKUB.bots(view, player.seat, strength="hard", rng=rng)
            now += 1_000
            move = RUMMIKUB.wire.read(wire)
            match = RUMMIKUB.core.play(match, player.seat, move, now=now, seed=seed).state
    return found[:number]


def kind_of(stand: Stand) -> str:
    if not stand.has_opened:
        return "not begun"
    if any(meld.jokers for meld in stand.table):
        return "jokers move freely" if stand.is_free else "frozen melds"
    has_joker = any(card.face == JOKER for card in stand.rack)
    return "a joker on the rack" if has_joker else "no joker in play"


def timed(stands: Sequence[Stand]) -> None:
    took: dict[str, list[float]] = {}
    for stand in stands:
        best_lay.cache_clear()
        began = time.process_time()
        best_lay(stand)
        took.setdefault(kind_of(stand), []).append((time.process_time() - began) * 1000)
    for kind, times in sorted(took.items()):
        times.sort()
        goal = f" (goal {GOALS[kind]})" if kind in GOALS else ""
        print(
            f"  {kind}: {len(times)} positions, mean {sum(times) / len(times):.1f} ms, "
            f"median {times[len(times) // 2]:.1f}, p95 {times[len(times) * 95 // 100]:.1f}{goal}, "
            f"longest {times[-1]:.1f}"
        )


# --- The integer program.

# A meld: its tiles with what they stand for; the tiles that are said to come from the rack; how
# many freed jokers are in it.
_Set = tuple[tuple[tuple[int, int], ...], tuple[int, ...], int]


def plain_sets(there: Counter[int]) -> Iterator[_Set]:
    """Melds of tiles that are there, jokers in any place."""
    for shape in shapes():
        if len(shape) <= _LONGEST:
            for jokers in range(there[JOKER] + 1):
                for places in combinations(range(len(shape)), jokers):
                    meld = _filled(shape, places)
                    if all(there[tile] for tile, _ in meld):
                        yield meld, (), 0


def freed_sets(there: Counter[int], rack: Counter[int], jokers: int) -> Iterator[_Set]:
    """Melds with freed jokers, and jokers of the rack, and which two tiles the rack gives."""
    for shape in shapes():
        for freed in range(1, jokers + 1):
            for own in range(rack[JOKER] + 1):
                for places in combinations(range(len(shape)), freed + own):
                    meld = _filled(shape, places)
                    naturals = [tile for tile, _ in meld if tile != JOKER]
                    if all(there[tile] for tile in naturals):
                        held = [tile for tile in naturals if rack[tile]]
                        given = [*held, *[JOKER] * own]
                        for two in set(combinations(given, 2)):
                            yield meld, two, freed


def _filled(shape: Sequence[int], places: Sequence[int]) -> tuple[tuple[int, int], ...]:
    return tuple((JOKER if n in places else face, face) for n, face in enumerate(shape))


def grown(meld: Meld) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield the tiles that may be added to a frozen meld, jokers of the rack aside."""
    own = set(meld.faces)
    for shape in shapes():
        if own <= set(shape):
            yield tuple((face, face) for face in shape if face not in own)


def with_jokers(added: tuple[tuple[int, int], ...], jokers: int) -> Iterator[Any]:
    for size in range(min(jokers, len(added)) + 1):
        for places in combinations(range(len(added)), size):
            yield tuple((JOKER, one[1]) if n in places else one for n, one in enumerate(added))


def treatments(meld: Meld) -> list[tuple[tuple[int, ...], bool, int, Meld]]:
    """What frees jokers, whether the meld is an ordinary one then, how many jokers were freed, and
    the meld as it stays: of a meld with one joker, kept or freed; of two also one of them."""
    naturals = {card.face for card in meld.cards} - {JOKER}
    ways: list[tuple[tuple[int, ...], bool, int, Meld]] = [((), False, 0, meld)]
    group = len(meld.faces) == MIN_MELD and len({FACE_RANK[face] for face in meld.faces}) == 1
    if group and len(meld.jokers) == 1:
        value = FACE_RANK[meld.faces[0]]
        missing = {colour * 13 + value - 1 for colour in range(4)} - naturals
        ways += [((face,), True, 1, meld) for face in missing]
    else:
        ways.append((meld.jokers, True, len(meld.jokers), meld))
    if len(meld.jokers) > 1:
        ways += [((face,), False, 1, meld) for face in meld.jokers]
    return ways


def best_by_program(highspy: Any, stand: Stand) -> tuple[int, int]:  # noqa: C901, PLR0912, PLR0915 - a model
    """The most tiles and points; (0, 0) where nothing can be laid."""
    model = highspy.Highs()
    model.silent()
    rack = Counter(card.face for card in stand.rack)
    frozen = [] if stand.is_free else [meld for meld in stand.table if meld.jokers]
    loose = Counter(card.face for card in cards_of(m for m in stand.table if m not in frozen))
    everywhere = rack + Counter(card.face for card in cards_of(stand.table))
    used: dict[int, list[Any]] = {}
    base: dict[int, list[Any]] = {}
    own: dict[int, list[Any]] = {}
    gains: list[Any] = []

    def variable(most: int = 2) -> Any:
        return model.addVariable(0, most, type=highspy.HighsVarType.kInteger)

    def use(choice: Any, tiles: Sequence[tuple[int, int]], free: int = 0) -> None:
        for tile, face in tiles:
            used.setdefault(tile, []).append(choice)
            if tile == JOKER:
                gains.append((choice, _TILE + FACE_RANK[face]))
        # Of jokers in one meld those of the table are the ones that count least.
        worth = sorted(FACE_RANK[face] for tile, face in tiles if tile == JOKER)
        gains.extend((choice, -_TILE - value) for value in worth[:free])

    freed_jokers = []
    possible = 0
    for meld in frozen:
        kept_ways = []
        for freeing, ordinary, freed, stays in treatments(meld):
            if Counter(freeing) - rack:
                continue
            possible += freed
            options = (
                [()]
                if ordinary
                else [way for added in grown(stays) for way in with_jokers(added, rack[JOKER])]
            )
            for added in options:
                choice = variable(1)
                kept_ways.append(choice)
                use(choice, added)
                freed_jokers += [choice] * freed
                for face in freeing:
                    own.setdefault(face, []).append(choice)
                    if not ordinary:
                        used.setdefault(face, []).append(choice)
                if ordinary:
                    for card in meld.cards:
                        if card.face != JOKER:
                            base.setdefault(card.face, []).append(choice)
        model.addConstr(sum(kept_ways) == 1)
    jokers = Counter({JOKER: rack[JOKER] + loose[JOKER]})
    available = Counter({tile: n for tile, n in everywhere.items() if tile != JOKER}) + jokers
    for tiles, _, _ in plain_sets(available):
        use(variable(), tiles)
    new_melds = []
    if possible:
        for tiles, two, freed in freed_sets(available, rack, min(2, possible)):
            choice = variable(1)
            use(choice, tiles, freed)
            new_melds += [choice] * freed
            for tile in two:
                own.setdefault(tile, []).append(choice)
            # A freed joker is none of the rack's.
            base.setdefault(JOKER, []).extend([choice] * freed)
        model.addConstr(sum(new_melds) - sum(freed_jokers) == 0)
    for tile in set(used) | set(loose) | set(own) | set(base):
        taken = sum(used.get(tile, []), start=0 * variable(0)) - sum(base.get(tile, []))
        laid = taken - loose[tile]
        model.addConstr(laid >= 0)
        model.addConstr(laid <= rack[tile])
        model.addConstr(laid - sum(own.get(tile, [])) >= 0)
        if tile != JOKER:
            gains += [(one, _TILE + FACE_RANK[tile]) for one in used.get(tile, [])]
            gains += [(one, -_TILE - FACE_RANK[tile]) for one in base.get(tile, [])]
    model.maximize(sum(worth * one for one, worth in gains))
    before = sum((_TILE + FACE_RANK[tile]) * n for tile, n in loose.items() if tile != JOKER)
    gain = round(model.getObjectiveValue()) - before
    return gain // _TILE, gain % _TILE


def compare(highspy: Any, stands: Sequence[Stand]) -> int:
    """How many differ. Where jokers of the table move freely, their points are the rack's as far as
    they can be; the program cannot tell them apart, so there tiles alone are compared."""
    different = 0
    took = []
    for stand in stands:
        best = best_lay(stand)
        ours = (0, 0) if best is None else best.worth
        began = time.process_time()
        theirs = best_by_program(highspy, stand)
        took.append((time.process_time() - began) * 1000)
        free = stand.is_free and any(meld.jokers for meld in stand.table)
        if free:
            jokers = _jokers_on(stand)
            theirs = (theirs[0] - jokers, 0)
            ours = (ours[0], 0)
        if ours != theirs:
            different += 1
            print(f"  {ours} and {theirs}: {kind_of(stand)}")
            print(
                "   ",
                [[str(c) for c in m.cards] for m in stand.table],
                [m.jokers for m in stand.table],
            )
            print("   ", [str(card) for card in stand.rack])
    took.sort()
    print(
        f"  {len(stands)} positions beside the integer program, {different} differ; "
        f"it takes {sum(took) / len(took):.0f} ms, p95 {took[len(took) * 95 // 100]:.0f}"
    )
    return different


def _jokers_on(stand: Stand) -> int:
    return sum(len(meld.jokers) for meld in stand.table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("positions", type=int, nargs="?", default=400)
    parser.add_argument("--exact", action="store_true")
    given = parser.parse_args()
    highspy: Any = None
    if given.exact:
        try:
            highspy = import_module("highspy")
        except ImportError:
            sys.exit("The integer program needs HiGHS: pip install highspy")
    different = 0
    for name in ("points", "modern"):
        print(f"{name}:")
        stands = positions(name, given.positions)
        timed(stands)
        if given.exact:
            different += compare(highspy, [stand for stand in stands if stand.has_opened])
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
