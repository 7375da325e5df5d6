"""The best lay, found by trying every table: slow, but simple enough to be trusted."""

import random
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from games.cards import CARDS, Card
from games.rummikub.rules.judging import Lay, judge
from games.rummikub.rules.laying import Stand, find_any_lay, find_best_lay
from games.rummikub.rules.melds import COLOURS, DECK, JOKER, Meld, Melds, face_of, make_meld
from games.rummikub.rules.ruleset import PRESETS, load_rules

RULES = [
    PRESETS["points"],
    PRESETS["sabra30"],
    PRESETS["modern"],
    load_rules({"name": "sabra30", "group_swap": "both"}),
    load_rules({"name": "sabra30", "swap_from": "anywhere", "initial_meld": 20}),
    load_rules({"name": "modern", "open_then_play": False, "initial_meld": 15}),
]


@lru_cache(maxsize=1)
def list_shapes() -> tuple[tuple[int, ...], ...]:
    """Return the faces of every possible meld."""
    runs = [
        tuple(face_of(value, colour) for value in range(low, high + 1))
        for colour in COLOURS
        for low in range(1, 12)
        for high in range(low + 2, 14)
    ]
    groups = [
        tuple(face_of(value, colour) for colour in colours)
        for value in range(1, 14)
        for size in (3, 4)
        for colours in combinations(COLOURS, size)
    ]
    return (*runs, *groups)


def list_tables(tiles: Counter[int]) -> Iterator[list[tuple[tuple[int, int], ...]]]:
    """Yield every way to lay all of these tiles in melds. A tile is paired with the face it stands for."""
    tiles = +tiles
    if not tiles:
        yield []
        return
    first = min(tiles)  # jokers come last
    for shape in list_shapes():
        for jokers in range(tiles[JOKER] + 1):
            for places in combinations(range(len(shape)), jokers):
                meld = [
                    (JOKER if place in places else face, face) for place, face in enumerate(shape)
                ]
                used = Counter(tile for tile, _ in meld)
                if used[first] and not used - tiles:
                    for others in list_tables(tiles - used):
                        yield [tuple(meld), *others]


def find_best_by_trying(stand: Stand) -> tuple[int, int]:
    """Return the most tiles that can be laid, and the most points with that many tiles; (0, 0) for no lay."""
    rack = Counter(card.face for card in stand.rack)
    lying = Counter(card.face for meld in stand.table for card in meld.cards)
    for size in range(len(stand.rack), 0, -1):
        found = [
            points
            for chosen in {tuple(sorted(c.face for c in s)) for s in combinations(stand.rack, size)}
            for points in _points(stand, rack, lying + Counter(chosen))
        ]
        if found:
            return size, max(found)
    return 0, 0


def _points(stand: Stand, rack: Counter[int], tiles: Counter[int]) -> Iterator[int]:
    for table in list_tables(tiles):
        verdict = judge(Lay(stand.table, _melds(table), rack, stand.has_opened), stand.rules)
        if verdict.refusal is None:
            yield verdict.points


def _melds(table: list[tuple[tuple[int, int], ...]]) -> Melds:
    return tuple(
        make_meld([CARDS[tile] for tile, _ in meld], [face for _, face in meld]) for meld in table
    )


def position(rng: random.Random) -> Stand:
    """Make a position of a few melds, some with jokers, and a small rack of related tiles."""
    values = sorted(rng.sample(range(1, 14), rng.choice([3, 4, 5])))
    left = [
        card for card in DECK if card.face == JOKER or card.rank in values or rng.random() < 0.1
    ]
    rng.shuffle(left)
    table: list[Meld] = []
    for _ in range(rng.randrange(1, 4)):
        meld = take(rng, left)
        if meld is not None:
            table.append(meld)
    size = rng.randrange(2, 7 if len(table) < 3 else 6)
    jokers = [card for card in left if card.face == JOKER]
    rack = left[:size]
    if jokers and rng.random() < 0.3 and jokers[0] not in rack:
        rack[0] = jokers[0]
    if rng.random() < 0.7:
        rack = _add_swaps(table, left, rack)
    return Stand(tuple(table), tuple(sorted(rack)), rng.random() < 0.8, rng.choice(RULES))


def _add_swaps(table: list[Meld], left: list[Card], rack: list[Card]) -> list[Card]:
    """Return the rack with up to two tiles that can free jokers, which would otherwise be rare."""
    wanted = {face for meld in table for face in meld.jokers}
    swaps = [card for card in left if card.face in wanted and card not in rack]
    return [*swaps[:2], *rack[len(swaps[:2]) :]]


def take(rng: random.Random, left: list[Card]) -> Meld | None:
    """Take a random meld out of `left`, perhaps with jokers. Return None if a tile is missing."""
    shape = rng.choice([one for one in list_shapes() if len(one) < 5])
    stand_in = rng.sample(range(len(shape)), rng.choice([0, 0, 1, 1, 2]))
    cards: list[Card] = []
    for place, face in enumerate(shape):
        wanted = JOKER if place in stand_in else face
        card = next((card for card in left if card.face == wanted and card not in cards), None)
        if card is None:
            return None
        cards.append(card)
    for card in cards:
        left.remove(card)
    return make_meld(cards, shape)


def find_difference(stand: Stand) -> str | None:
    """Return the difference between the solver's answer and the exhaustive search, or None."""
    best = find_best_lay(stand)
    worth = (0, 0) if best is None else best.worth
    tried = find_best_by_trying(stand)
    if worth != tried:
        return f"{worth} instead of {tried}"
    found = find_any_lay(stand)
    if (found is None) != (best is None):
        return f"{found} is listed where the best is {best}"
    rack = Counter(card.face for card in stand.rack)
    lying = {card for meld in stand.table for card in meld.cards}
    for table in (best.table, found) if best is not None and found is not None else ():
        refusal = judge(Lay(stand.table, table, rack, stand.has_opened), stand.rules).refusal
        used = {card for meld in table for card in meld.cards}
        if refusal is not None or not lying <= used <= lying | set(stand.rack):
            return f"not a lay: {refusal}"
    return None
