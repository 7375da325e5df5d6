"""Random lays in positions with many jokers, judged by both the game and the model."""

import random
from collections.abc import Iterator
from typing import Any

from games.cards import CARD_TEXT, FACE_TEXT
from games.engine.state import replace
from games.rummikub.rules.judging import LayVerdict
from games.rummikub.rules.laying import Stand, find_best_lay, judge_table
from games.rummikub.rules.melds import DECK, JOKER, make_meld, melds_json
from games.rummikub.rules.moves import check_table
from tests.games.rummikub.exhaustive import RULES, position, take
from tests.games.rummikub.model.lays import Judge, Wire
from tests.games.rummikub.model.tables import build

# The number of tables tried in each position.
TRIES = 40


def make_crowded(rng: random.Random) -> Stand:
    """Make a position of melds with jokers and a large rack of related tiles."""
    values = rng.sample(range(1, 14), rng.choice([3, 4, 5]))
    left = [card for card in DECK if card.face == JOKER or card.rank in values]
    left += [card for card in DECK if card not in left and rng.random() < 0.3]
    rng.shuffle(left)
    table = [meld for _ in range(rng.randrange(1, 5)) if (meld := take(rng, left))]
    wanted = {face for meld in table for face in meld.jokers}
    left.sort(key=lambda card: (card.face not in wanted, rng.random()))
    rack = left[: rng.randrange(6, 15)]
    rules = rng.choice(RULES)
    if rng.random() < 0.3:
        rules = replace(rules, initial_meld=rng.choice([0, 10, 25, 40]))
    return Stand(tuple(table), tuple(sorted(rack)), rng.random() < 0.75, rules)


def lays(stand: Stand, rng: random.Random) -> Iterator[list[dict[str, Any]]]:
    best = find_best_lay(stand) if rng.random() < 0.1 else None
    if best is not None:
        yield melds_json(best.table)  # type: ignore[misc]
    yield from build(stand.table, stand.rack, rng, TRIES)


def judge_both(stand: Stand, table: Wire) -> tuple[str | None, LayVerdict, Judge]:
    """Return the game's refusal code and verdict, and the model's judge of the lay."""
    faces = {text: face for face, text in enumerate(FACE_TEXT)}
    by_text = {CARD_TEXT[card]: card for card in DECK}
    melds = tuple(
        make_meld([by_text[card] for card in meld["cards"]], [faces[said] for said in meld["as"]])
        for meld in table
    )
    refusal = check_table(stand, melds)
    verdict = judge_table(stand, melds)
    judge = Judge(
        melds_json(stand.table),  # type: ignore[arg-type]
        table,
        [CARD_TEXT[card] for card in stand.rack],
        opened=stand.has_opened,
        rules=stand.rules,
    )
    return None if refusal is None else refusal.code, verdict, judge


def list_disagreements(number: int, seed: int) -> Iterator[tuple[str, str | None]]:
    """Yield for each lay in one position the disagreement, or an empty string, and the game's refusal code."""
    rng = random.Random(f"{seed}/{number}")
    stand = make_crowded(rng) if rng.random() < 0.8 else position(rng)
    for table in lays(stand, rng):
        code, verdict, judge = judge_both(stand, table)
        what = ""
        if not judge.allows(code):
            what = f"game {code}, model {judge.broken or None}"
        elif code is None and verdict.points not in judge.points:
            what = f"{verdict.points} points, model {judge.points}"
        elif code is None and not stand.has_opened and verdict.opening_points != judge.opening:
            what = f"initial meld of {verdict.opening_points}, model {judge.opening}"
        if what:
            lying = melds_json(stand.table)
            rack = [CARD_TEXT[card] for card in stand.rack]
            what = f"{seed}/{number}: {what}: {stand.rules} {lying} {rack} {table}"
        yield what, code
